"""How often would a different set of topics reverse the order of two runs?"""

from pages.parts import data, export_drawer, figure, frame, needed
from pages.parts import error_rate as parts
from pages.parts.form import show_preparation
from topicset_core.analyses.error_rate.prediction import interval_note
from topicset_core.analyses.error_rate.report import error_rate_by_topics, figures_of_all, report
from topicset_core.wording import TIES

frame.begin("error_rate")
data.show_data_in_use()
left, right = frame.form_and_answer()
needed.check("scores")

with left:
    asked = parts.ask()

with right:
    with frame.refusing(parts.no_answer):
        known = parts.ANSWERS.best(asked.matrix, asked.request)
    answer = known.answer
    exported = report(answer)
    figure.show(error_rate_by_topics(answer), of="error-rate", on_click=parts.set_topics)
    frame.show_answer(exported)
    parts.ANSWERS.bar(known, parts.how_counted(answer.counted), asked.url)
    export_drawer.draw(exported, preparation=asked.notes, link=asked.url)
    first, differences, numbers, formula, check = frame.tabs(
        "Answer", "All differences", "Numbers", "By formula", "Extrapolation"
    )
    with first:
        frame.show_findings(exported)
        show_preparation(asked.notes)
    with differences:
        if differences.open:
            figure.show(*figures_of_all(answer), of="error-rate")
    if frame.is_drawn(numbers):
        with numbers:
            parts.table(answer.counted)
    with formula:
        if formula.open:
            parts.design_by_formula(answer)
    with check:
        if check.open:
            parts.show_check(asked.matrix, asked.request.seed)
    frame.explain("error_rate", interval_note=interval_note(asked.matrix.unit), ties=TIES)
