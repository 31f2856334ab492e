"""How many topics to show that a system is at least as good as another, or that two are equally good?"""

from pages.parts import design_page, frame, question
from pages.parts.form import Choice, Form
from topicset_core.designs import equivalence, non_inferiority
from topicset_core.designs.margins import MarginRequirements

_DESIGNS = {"as-good": non_inferiority.DESIGN, "equal": equivalence.DESIGN}
_CLAIM = Choice(
    "claim",
    "Show that",
    {
        "as-good": "it is at least as good, within the margin",
        "equal": "the two differ by less than the margin",
    },
    look="radio",
)

frame.begin("at_least_as_good")
form, result = question.begin(*_DESIGNS.values(), words={_CLAIM.name: list(_DESIGNS)})
with form:
    claim = Form(question.PAGE, ()).draw(_CLAIM)
    design = _DESIGNS[claim]
    settings = question.ask(design, further={_CLAIM.name: claim})
requirements: MarginRequirements = design.requirements(**settings.values)

with result:
    answer = design_page.solve(
        settings, lambda method: requirements.test.required_topics(requirements, method)
    )
    shown = {
        "as-good": f"that a system is not worse than another by **{requirements.margin:g}** or more",
        "equal": f"that two systems differ by less than **{requirements.margin:g}**",
    }[claim]
    if requirements.true_difference == 0:
        condition = "if they are truly equal"
    elif claim == "as-good":
        better = "better" if requirements.true_difference > 0 else "worse"
        condition = f"if it is truly {better} by {abs(requirements.true_difference):g}"
    else:
        condition = f"if they truly differ by {abs(requirements.true_difference):g}"
    design_page.show(
        answer,
        sentence=f"{'' if requirements.topics == 'shared' else 'for each of the two systems, '}to show with "
        f"{100 * (1 - requirements.beta):g} % power at the {100 * requirements.alpha:g} % level, one-sided, "
        f"{shown} in {frame.plain(settings.measure)}, {condition}, when {requirements.variance_parameter.symbol} = "
        f"**{requirements.variance:.4g}** ({frame.plain(settings.variance_source)}).",
    )
    frame.explain("at_least_as_good")
