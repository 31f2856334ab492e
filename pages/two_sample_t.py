"""How many topics for a two-sample t test between two systems?"""

from pages.parts import design_page, frame, question, topics
from topicset_core.designs import two_sample_t

frame.begin("two_sample_t")
form, result = question.begin(two_sample_t.DESIGN)
with form:
    topics.go_to(two_sample_t.DESIGN)
    settings = question.ask(two_sample_t.DESIGN)
requirements = two_sample_t.Requirements(**settings.values)

with result:
    answer = design_page.solve(
        settings,
        lambda method: two_sample_t.required_topics(requirements, method=method),
    )
    design_page.show(
        answer,
        sentence=f"for each of the two systems, to detect with {100 * (1 - requirements.beta):g} % power at the "
        f"{100 * requirements.alpha:g} % level a difference of **{requirements.min_d:g}** or more in "
        f"{frame.plain(settings.measure)}, when the within-system variance is σ² = "
        f"**{requirements.within_system_variance:.4g}** ({frame.plain(settings.variance_source)}).",
        why="The 2018 Excel tool uses a normal approximation of the noncentral t distribution, which is "
        "accurate. The ANOVA tool with m = 2 requires fewer topics although the two tests are equivalent: its "
        "approximation of noncentral F is too low there. If computed exactly, the two agree.",
    )
    frame.explain("two_sample_t")
