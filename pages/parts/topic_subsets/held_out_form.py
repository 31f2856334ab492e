"""What the held-out view asks besides the form of the page: which half, chosen and judged by what, how often."""

from dataclasses import dataclass, replace

import streamlit as st

from pages.parts import data, frame, link
from pages.parts.form import switched
from pages.parts.topic_subsets import form
from topicset_core.analyses.pool_depth import guessed_teams
from topicset_core.analyses.topic_subsets.goodness import measure_of
from topicset_core.analyses.topic_subsets.held_out import matching
from topicset_core.analyses.topic_subsets.held_out.request import N_SPLITS, N_STARTS, HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.sentences import scores_in_title
from topicset_core.analyses.topic_subsets.held_out.splits import FEWEST_TEAMS
from topicset_core.analyses.topic_subsets.request import CARDINALITY
from topicset_core.collection import ScoreMatrix
from topicset_core.execution.seed import SEED

_SIZE = replace(CARDINALITY, label="c, topics in a set", help="The size that the answer is about.")
_OWN = -1  # judged by the scores that choose


@dataclass(frozen=True)
class HeldOutAsked:
    """A valid question about held-out runs or topics.

    Parameters
    ----------
    asked : Asked
        What the form of the page says.
    request : HeldOutRequest
        What is held out, how it is judged, how often.
    judged : ScoreMatrix or None
        Scores that judge, where they are not those that choose.
    """

    asked: form.Asked
    request: HeldOutRequest
    judged: ScoreMatrix | None

    @property
    def cardinality(self) -> int:
        """The size that the answer is about."""
        if self.request.hold_out == "runs":
            return self.asked.cardinality
        half = (
            self.asked.matrix.n_topics // 2
        )  # all of it is a set to judge, too: it does not reach the truth
        return self.asked.size_below(half + 1) if half else 1

    @property
    def of_what(self) -> str:
        """Whose scores these are, for titles."""
        return scores_in_title(self.asked.matrix, self.judged)

    @property
    def url(self) -> str:
        """The full link."""
        more: dict[str, link.Value] = {
            form.HOLD_OUT.name: self.request.hold_out,
            form.CHOOSE_BY.name: self.request.choose_by or form.SAME,
            form.TEAMS.name: switched(self.request.teams is not None),
        }
        return self.asked.url(
            "held-out", more | ({} if self.judged is None else {form.JUDGED_MEASURE: self.judged.measure})
        )


def ask(asked: form.Asked) -> HeldOutAsked:
    """Draw what is to be held out, in a row, and the rest behind an expander."""
    halves, size = st.columns([3, 1])
    with halves:
        hold_out = form.FORM.draw(form.HOLD_OUT)
    with size:
        form.FORM.number(_SIZE)
    teams = None
    with st.expander("How sets are chosen and judged, and how often"):
        first, second = st.columns(2)
        with first:
            choose_by = form.FORM.draw(
                replace(
                    form.CHOOSE_BY,
                    shown=lambda key: (
                        f"{asked.measure.label}, which judges" if key == form.SAME else measure_of(key).label
                    ),
                )
            )
            judged = _ask_judged(asked)
            if hold_out == "runs":
                teams = _ask_teams(asked.matrix.systems)
        with second:
            form.FORM.number(N_SPLITS, N_STARTS, form.SPLIT_TRIALS)
    request = HeldOutRequest(
        hold_out=hold_out,
        goodness=asked.measure.key,
        choose_by=None if choose_by == form.SAME else measure_of(choose_by).key,
        teams=teams,
        n_splits=int(asked.values[N_SPLITS.name]),
        n_starts=int(asked.values[N_STARTS.name]),
        n_trials=int(asked.values[form.SPLIT_TRIALS.name]),
        seed=int(asked.values[SEED.name]),
    )
    return HeldOutAsked(asked, request, judged)


def teams_of(systems: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the teams that names tell, None where these do not tell enough of them."""
    teams = guessed_teams(systems)
    return teams if FEWEST_TEAMS <= len(set(teams)) < len(systems) else None


def _ask_judged(asked: form.Asked) -> ScoreMatrix | None:
    """Let the user judge by another metric of the same runs and topics, where there is one."""
    others = [
        matrix
        for matrix in data.matrices()
        if matrix is not asked.loaded and matching.same_runs_and_topics(asked.loaded, matrix)
    ]
    if not others:
        st.markdown(
            ":small[:gray[No other scores of the same runs on the same topics are loaded to judge by.]]"
        )
        return None
    key = f"{form.PAGE}/{form.JUDGED_MEASURE}"
    if key not in st.session_state:
        st.session_state[key] = _judged_of_link(others)
    if st.session_state[key] not in range(_OWN, len(others)):  # it was removed since
        st.session_state[key] = _OWN
    place = st.selectbox(
        "Judge by the scores",
        [_OWN, *range(len(others))],
        format_func=lambda at: (
            f"{asked.matrix.measure}, which choose"
            if at == _OWN
            else f"{others[at].measure}, {others[at].name}"
        ),
        key=key,
        persist_state="session",
        help="Another metric of the same runs and topics, as loaded.",
    )
    return None if place == _OWN else matching.select_runs(others[place], asked.matrix.systems)


def _judged_of_link(others: list[ScoreMatrix]) -> int:
    """Return the place of the scores that a link names by their measure."""
    named = st.query_params.get(form.JUDGED_MEASURE)
    measures = [matrix.measure for matrix in others]
    if named and named not in measures:
        said = f"{form.JUDGED_MEASURE}={link.shown(named)} in this link: no such scores are in use."
        link.complain([link.Complaint(said, form.JUDGED_MEASURE)], key=None)
    return measures.index(named) if named in measures else _OWN


def _ask_teams(systems: tuple[str, ...]) -> tuple[str, ...] | None:
    """Let the user keep the runs of a team together, where names tell teams."""
    teams = teams_of(systems)
    if teams is None:
        with st.container(key="no-teams"):
            st.markdown(":small[:gray[The names of these runs do not tell teams apart.]]")
        return None
    guessed = f"{len(set(teams))} teams, guessed from the names of the runs"
    help_text = f"{guessed}; so variants of a system are in one half."
    together = form.FORM.draw(replace(form.TEAMS, help=help_text))
    with st.popover("Teams"):
        st.dataframe({"run": systems, "team": teams}, hide_index=True, alt="Teams guessed from names of runs")
    if together:
        st.markdown(f":small[:gray[{frame.plain(f'{len(set(teams))} teams.')}]]")
    return teams if together else None
