"""How many topics for a two-sample t test between two systems?"""

from pages.parts import design_page
from topicset_core.designs import two_sample_t

design_page.draw(
    "two_sample_t",
    two_sample_t.DESIGN,
    sentence="for each of the two systems, to detect with {power:g} % power at the {level:g} % level a difference "
    "of **{min_d:g}** or more in {measure}, when the within-system variance is σ² = **{variance:.4g}** ({source}).",
    why="The 2018 Excel tool uses a normal approximation of the noncentral t distribution, which is "
    "accurate. The ANOVA tool with m = 2 requires fewer topics although the two tests are equivalent: its "
    "approximation of noncentral F is too low there. If computed exactly, the two agree.",
)
