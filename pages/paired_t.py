"""How many topics for a paired t test between two systems?"""

from pages.parts import design_page
from topicset_core.designs import paired_t

design_page.draw(
    "paired_t",
    paired_t.DESIGN,
    sentence="to detect with {power:g} % power at the {level:g} % level a difference of **{min_d:.6g}** or more in "
    "{measure} (minΔ = {effect_size:.3g} standard deviations) between two systems, when the variance of their "
    "per-topic difference is σₜ² = **{variance:.4g}** ({source}).",
    why="The Excel tool uses a normal approximation of the noncentral t distribution (Sakai 2016, Eq. 5). "
    "It is accurate: in fewer than 2 % of settings it differs from the exact answer, by one topic.",
)
