"""How many topics for a paired t test between two systems?"""

from pages.parts import design_page, frame, question, topics
from topicset_core.designs import paired_t

frame.begin("paired_t")
form, result = question.begin(paired_t.DESIGN)
with form:
    topics.go_to(paired_t.DESIGN)
    settings = question.ask(paired_t.DESIGN)
requirements = paired_t.Requirements(**settings.values)

with result:
    answer = design_page.solve(
        settings,
        lambda method: paired_t.required_topics(requirements, method=method),
    )
    design_page.show(
        answer,
        sentence=f"to detect with {100 * (1 - requirements.beta):g} % power at the "
        f"{100 * requirements.alpha:g} % level a "
        f"difference of **{requirements.min_d:.6g}** or more in {frame.plain(settings.measure)} "
        f"(minΔ = {requirements.effect_size:.3g} standard deviations) between two systems, when "
        f"the variance of their per-topic difference is σₜ² = **{requirements.difference_variance:.4g}** "
        f"({frame.plain(settings.variance_source)}).",
        why="The Excel tool uses a normal approximation of the noncentral t distribution (Sakai 2016, Eq. 5). "
        "It is accurate: in fewer than 2 % of settings it differs from the exact answer, by one topic.",
    )
    frame.explain("paired_t")
