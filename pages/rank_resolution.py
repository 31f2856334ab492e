"""Which ranks of a leaderboard are real, and which systems may be the best?"""

from pages.parts import data, export_drawer, frame, needed
from pages.parts import rank_resolution as parts
from topicset_core.analyses.rank_resolution.outlook import FORECAST_NOTE
from topicset_core.analyses.rank_resolution.report import report
from topicset_core.analyses.rank_resolution.resolution import FAMILYWISE_NOTE

frame.begin("rank_resolution")
data.show_data_in_use()
left, right = frame.form_and_answer()
needed.check("scores")

with left, frame.refusing(parts.no_answer):
    settings = parts.ask()

with right:
    with frame.refusing(parts.no_answer):
        known = parts.ANSWERS.best(settings.matrix, settings.request)
    leaderboard = known.answer
    exported = report(leaderboard)
    parts.show_ranks(settings, leaderboard)
    frame.show_answer(exported, is_preview=not known.is_whole)
    parts.ANSWERS.bar(known, parts.how_resolved(leaderboard.resolution), settings.url)
    export_drawer.draw(exported, link=settings.url)
    for label, tab in zip(parts.SECTIONS, frame.tabs(*parts.SECTIONS), strict=True):
        name = "" if label == parts.RANKS else label
        with tab:
            frame.show_findings(exported, name, key=f"answer {name}".strip())
            if tab.open:
                parts.SECTIONS[label](settings, leaderboard)
    frame.explain("rank_resolution", familywise_note=FAMILYWISE_NOTE, forecast_note=FORECAST_NOTE)
