"""Does the test keep alpha and has it its power on the user's own scores?"""

from pages.parts import achieved_power as check
from pages.parts import data, export_drawer, figure, frame, needed
from pages.parts.form import show_preparation
from topicset_core.analyses.achieved_power.report import RATES, how_simulated, rates, report
from topicset_core.analyses.achieved_power.report import figure as drawn
from topicset_core.errors import NoSolution

frame.begin("achieved_power")
data.show_data_in_use()
left, right = frame.form_and_answer()
needed.check("scores")

with left, frame.refusing(check.no_answer):
    question = check.ask()

with right:
    no_number = f"No number of {question.matrix.unit}s: {{}}. Enter n, or a larger difference."
    with frame.refusing(check.no_answer), frame.refusing(no_number.format, NoSolution):
        known = check.ANSWERS.best(question.matrix, question.request)
    result = known.answer
    exported = report(result)
    figure.show(drawn(result), of=check.PAGE)
    frame.show_answer(exported, is_preview=not known.is_whole)
    check.ANSWERS.bar(known, how_simulated(result), question.url)
    export_drawer.draw(exported, preparation=question.notes, link=question.url)
    answer, numbers = frame.tabs("Answer", "Numbers")
    with answer:
        frame.show_findings(exported)
        show_preparation(question.notes)
    if frame.is_drawn(numbers):
        with numbers:
            frame.table(
                *RATES.screen(rates(result)),
                width="content",
                alt="Stated and achieved Type I error and power",
            )
    frame.explain("achieved_power")
