"""Which ranks of a leaderboard are real, and which systems may be the best?"""

from pages.parts import data, export_drawer, frame
from pages.parts import rank_resolution as parts
from topicset_core.analyses.rank_resolution.outlook import FORECAST_NOTE
from topicset_core.analyses.rank_resolution.report import report
from topicset_core.analyses.rank_resolution.resolution import FAMILYWISE_NOTE

frame.begin("rank_resolution")
data.show_data_in_use()
left, right = frame.form_and_answer()

with left, frame.refusing(parts.no_answer):
    asked = parts.ask()

with right:
    with frame.refusing(parts.no_answer):
        known = parts.ANSWERS.best(asked.matrix, asked.request)
    result = known.answer
    parts.show(asked, result, is_preview=not known.is_whole)
    parts.ANSWERS.bar(known, parts.how_resolved(result.resolution), asked.url)
    export_drawer.draw(report(result), link=asked.url)
    for tab, show in zip(frame.tabs(*parts.SECTIONS), parts.SECTIONS.values(), strict=True):
        if tab.open:
            with tab:
                show(asked, result)
    frame.explain("rank_resolution", familywise_note=FAMILYWISE_NOTE, forecast_note=FORECAST_NOTE)
