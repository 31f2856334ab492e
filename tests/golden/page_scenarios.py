"""Acts of users on each page, one name per act: what the last act changes is recorded.

Each begins with the page as it opens on the simulated sample. Links name fields as links do, and keys of
fields are ``page/parameter``, so that acts stay the same if a page is rebuilt.
"""

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.pages.app import go, healthy, is_busy, open_app, open_page, press, uploaders
from tests.pages.app import in_tab as app_in_tab

Act = Callable[[AppTest], AppTest]
Scenario = tuple[Callable[[], AppTest], tuple[Act, ...]]
"""How the page is opened, and the acts on it."""


def opened(page: str, **query: Any) -> Scenario:
    """The page as a link opens it."""
    return after(page, **query)


def after(page: str, *acts: Act, **query: Any) -> Scenario:
    """The page after an act of a user."""
    return partial(open_page, page, **query), acts


def _filled(app: AppTest, *fields: Any) -> AppTest:
    """Run the page with its current fields; those of a form wait for its button, as they do for users."""
    return app if any(field.form_id for field in fields) else healthy(app.run())


def _field(app: AppTest, key: str) -> Any:
    kinds = ("number_input", "text_input", "text_area", "selectbox", "radio", "multiselect", "button_group")
    (field,) = [field for kind in kinds for field in app.get(kind) if field.key == key]
    return field


def typed(prefix: str, **values: Any) -> Act:
    """Fill in fields, whose keys are ``prefix/name``."""

    def act(app: AppTest) -> AppTest:
        fields = [_field(app, f"{prefix}/{name}") for name in values]
        for field, value in zip(fields, values.values(), strict=True):
            field.set_value(value)
        return _filled(app, *fields)

    return act


def chosen(key: str, value: Any) -> Act:
    """Choose, or write a text, in the field of this key."""
    prefix, _, name = key.rpartition("/")
    return typed(prefix, **{name: value})


def chosen_at(key: str, place: int) -> Act:
    """Choose the option at this place of a select box or a radio."""

    def act(app: AppTest) -> AppTest:
        field = _field(app, key)
        at = place % len(field.options)
        return _filled(
            app, field.select_index(at) if field in app.selectbox else field.set_value(field.options[at])
        )

    return act


def switched(key: str, on: bool = True) -> Act:
    """Switch something on or off."""
    return lambda app: healthy(app.toggle(key=key).set_value(on).run())


def pressed(key: str) -> Act:
    """Press the button of this key; the page waits until its work is done."""

    def act(app: AppTest) -> AppTest:
        assert not is_busy(press(app, key))
        return app

    return act


def unfolded(key: str) -> Act:
    """Open an expander whose content is drawn on demand."""

    def act(app: AppTest) -> AppTest:
        app.session_state[key] = True
        return healthy(app.run())

    return act


def in_tab(label: str) -> Act:
    """Open a tab below the main chart."""
    return partial(app_in_tab, label=label)


def uploaded(place: int, *files: tuple[str, bytes]) -> Act:
    """Upload files into the uploader at this place."""

    def act(app: AppTest) -> AppTest:
        for name, content in files:
            uploaders(app)[place].upload(name, content, "application/octet-stream")
        return healthy(app.run())

    return act


def gone_to(page: str) -> Act:
    """Go to another page of the app."""
    return lambda app: go(app, page)


def in_app(page: str, *acts: Act) -> Scenario:
    """The app after an act of a user, beginning on a page."""
    return partial(open_app, page), acts


# Small data of one's own.

RUNS = [
    (
        f"{name}.run",
        "".join(
            f"{topic} Q0 d{(k * step + topic * topic) % 11} 0 {11 - k} {name}\n"
            for topic in (1, 2, 3, 4, 5)
            for k in range(11)
        ).encode(),
    )
    for step, name in ((1, "tiny1"), (2, "tiny2"), (4, "other1"), (5, "other2"), (7, "third"))
]
QRELS = b"".join(
    b"%d 0 d%d %d\n" % (topic, k, (k * k + k * topic) % 7 % 3) for topic in (1, 2, 3, 4, 5) for k in range(11)
)
SCORES = b"topic,x,y,z\n" + b"".join(
    b"%d,0.%d,0.%d,0.%d\n" % (topic, (topic * 37) % 90, (topic * 53) % 80, (topic * 71) % 70)
    for topic in range(1, 13)
)
LONG_SCORES = b"topic,x,y,z,v,w\n" + b"".join(
    b"%d,0.%02d,0.%02d,0.%02d,0.%02d,0.%02d\n"
    % (topic, *((topic * step + topic**2) % 97 for step in (37, 53, 71, 13, 29)))
    for topic in range(1, 26)
)
SECOND = SCORES.replace(b"x,y,z", b"u,v,w").replace(b"0.", b"0.1")
SAME = b"topic,x,y\n1,0.5,0.5\n2,0.1,0.1\n3,0.3,0.3\n"
CONSTANT = b"topic,x,y\n1,0.5,0.5\n2,0.5,0.5\n3,0.5,0.5\n"
ONE_RUN = b"topic,x\n1,0.5\n2,0.1\n3,0.3\n"
GAPS = b"topic,A,B\n1,0.1,0.3\n2,0.2,\n3,0.6,0.4\n"
SEEDS = b"topic,system,seed,AP\n" + b"".join(
    b"%d,%s,%d,0.%02d\n"
    % (topic, system, seed, 20 + (topic * 7) % 31 + (topic * place + seed * place * 5) % 17)
    for topic in range(1, 13)
    for place, system in enumerate((b"a", b"b", b"c"), start=1)
    for seed in (1, 2, 3)
)
LABELS = b"topic,system,judge,human\n" + b"".join(
    b"%d,%s,0.%02d,%s\n"
    % (
        topic,
        system,
        20 + (topic * 7) % 31 + (topic * place + call * place * 5) % 17,
        b"0.%02d" % (15 + (topic * 7) % 31 + (topic * place) % 13) if topic % 2 else b"",
    )
    for topic in range(1, 17)
    for place, system in enumerate((b"a", b"b", b"c"), start=1)
    for call in (1, 2)
)
TWICE = b"topic,run,AP\n1,A,0.1\n1,A,0.3\n2,A,0.4\n"
PERCENT = b"topic,x,y\n1,50,55\n2,10,11\n3,30,97\n"

DOCUMENTS = b"".join(
    b'{"id": "d%d", "title": "", "text": "%s"}\n' % (k, b"ox " * (1 + k % 3) + b"ass " * (k % 7))
    for k in range(30)
)
TOPICS = b"".join(b'{"id": "%d", "text": "ox ass"}\n' % topic for topic in range(6))
JUDGED = b"".join(
    b"%d 0 d%d %d\n" % (topic, k, (k + topic) % 4 == 1) for topic in range(6) for k in range(30)
)


def sweep(*names: str) -> list[tuple[str, bytes]]:
    """Runs of these names, each a little different from the one before."""
    return [
        (
            f"{name}.txt",
            "".join(
                f"{topic} Q0 d{(place * 7 + shift) % 30} 0 {-place} {name}\n"
                for topic in range(6)
                for place in range(30)
            ).encode(),
        )
        for shift, name in enumerate(names)
    ]


SWEEP = sweep("bm25_b0.25", "bm25_b0.5", "bm25_b0.75")


def collection() -> bytes:
    """A small collection in one archive."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in (
            ("documents.jsonl", DOCUMENTS),
            ("topics.jsonl", TOPICS),
            ("qrels.txt", JUDGED),
        ):
            archive.writestr(name, content)
    return packed.getvalue()


TASKS = [
    (
        f"{name}_ap.csv",
        b"topic,r1,r2\n"
        + b"".join(b"%d,%.3f,%.3f\n" % (t, spread * (t * 7 % 30), spread * (t * 11 % 30)) for t in range(30)),
    )
    for name, spread in (("news", 0.03), ("web", 0.01))
]

MATRICES, TRACKS = "pages/score_matrices.py", "pages/runs_and_qrels.py"
ANOVA, PAIRED, TWO, CI = (
    "pages/one_way_anova.py",
    "pages/paired_t.py",
    "pages/two_sample_t.py",
    "pages/confidence_interval.py",
)
COMPARE, REPORTED, POOL = "pages/compare_designs.py", "pages/reported_result.py", "pages/pool_depth.py"
ERRORS, SUBSETS = "pages/error_rate.py", "pages/topic_subsets.py"
CHECKING = "pages/achieved_power.py"
RANKS = "pages/rank_resolution.py"
VARIANCE, TRAINING = "pages/topic_variance.py", "pages/training_sensitivity.py"

NONSENSE = {"alpha": "7", "min_d": "abc", "measure": "<b>x</b>", "colour": "red"}
FEW = {"n_splits": "4", "n_starts": "0", "n_trials_of_a_split": "10"}
READ_PASTED = "score_matrices/read-pasted"
FIRST_TOPICS = "1-01\n1-04\n1-05"


def with_scores(*acts: Act, files: Sequence[tuple[str, bytes]] = (("mine_ap.csv", SCORES),)) -> Scenario:
    """The app with scores of one's own."""
    return in_app(MATRICES, uploaded(0, *files), *acts)


def with_runs(*acts: Act, files: Sequence[tuple[str, bytes]] = RUNS, qrels: bytes | None = QRELS) -> Scenario:
    """The app with runs of one's own, and their judgments."""
    judged = [uploaded(1, ("mine.qrels", qrels))] if qrels else []
    return in_app(TRACKS, uploaded(0, *files), *judged, pressed("runs/read"), *acts)


def _designs(page: str, target: str, *others: str) -> dict[str, Scenario]:
    """Acts on every design page."""
    variance = "within_system_variance" if page in (ANOVA, TWO) else "difference_variance"
    of_measure = f"AP/{target}"
    acts: dict[str, Scenario] = {
        "a link": opened(page, alpha="0.05", **{target: "0.1", variance: "0.0471"}, measure="AP"),
        "a bad link": opened(page, **NONSENSE | {target: "-1"}),
        "own scores": with_scores(gone_to(page)),
        "constant scores": with_scores(gone_to(page), files=[("c_ap.csv", CONSTANT)]),
        "another tab": after(page, in_tab(f"If {'σ²' if page in (ANOVA, TWO) else 'σₜ²'} is wrong")),
    }
    for other in others:
        acts[other] = opened(page, **json.loads(other))
    if page not in (ANOVA, PAIRED):
        return acts
    return acts | {
        "other numbers": after(page, typed("planning", alpha=0.01, **{of_measure: 0.07})),
        "a wrong number": after(page, typed("planning", alpha=1.5)),
        "no solution": after(page, typed("planning", **{of_measure: 0.000001})),
        "largest variance": after(page, chosen_at("planning/scores", -4)),
        "similar task": after(page, chosen_at("planning/scores", -3)),
        "typed variance": after(page, chosen_at("planning/scores", -1)),
        "literature": after(page, chosen_at("planning/scores", -2)),
        "preset": after(page, pressed("planning/preset-2")),
    }


PAIRED_ONLY = {
    "other estimate": after("pages/paired_t.py", chosen_at("planning/estimate-difference_variance", 1)),
    "in standard deviations": after(
        "pages/paired_t.py",
        chosen("planning/difference-in", "standard deviations"),
    ),
    "topics in groups": opened("pages/paired_t.py", group_size="12", cost_group="5"),
    "link in standard deviations": opened("pages/paired_t.py", min_delta="0.5", difference_variance="0.04"),
    "two runs": after("pages/paired_t.py", chosen_at("planning/estimate-difference_variance", -1)),
}


SCENARIOS: dict[str, dict[str, Scenario]] = {
    "pages/dossier.py": {
        "two answers": in_app(
            "pages/one_way_anova.py",
            pressed("dossier-topic-set-size"),
            gone_to("pages/error_rate.py"),
            pressed("dossier-error-rate"),
            gone_to("pages/dossier.py"),
        ),
    },
    "pages/looks.py": {
        "top-up": opened("pages/looks.py", rounds="top-up", pilot_topics="12"),
        "scores so far": after("pages/looks.py", chosen("looks/differences", "0.1 0.2\n0.3 0.25\n0.2 0.2")),
        "scores that are none": after("pages/looks.py", chosen("looks/differences", "0.1\nwhat")),
    },
    "pages/judges.py": {
        "seeds": after("pages/judges.py", chosen("judges/about", "repeats")),
        "seeds in a file": after(
            "pages/judges.py", chosen("judges/about", "repeats"), uploaded(0, ("seeds.csv", SEEDS))
        ),
        "labels in a file": after("pages/judges.py", uploaded(0, ("labels.csv", LABELS))),
        "a file of something else": after("pages/judges.py", uploaded(0, ("scores.csv", SCORES))),
    },
    "pages/start.py": {
        "other measure": after("pages/start.py", chosen("planning/scores", "RR")),
        "wrong number": after("pages/start.py", typed("planning", **{"AP/min_d": -1.0})),
        "own scores": with_scores(gone_to("pages/start.py")),
        "separate topics": after("pages/start.py", chosen("planning/topics", "separate")),
    },
    MATRICES: {
        "two files": with_scores(files=[("mine_ap.csv", SCORES), ("more_ap.csv", SECOND)]),
        "two tasks": with_scores(files=TASKS),
        "one of two tasks": with_scores(pressed("pool/alone-2"), files=TASKS),
        "two tasks pooled": with_scores(pressed("pool/anyway-AP"), files=TASKS),
        "per cent divided": with_scores(pressed("scale/AP"), files=[("p_ap.csv", PERCENT)]),
        "same twice": with_scores(uploaded(0, ("mine_ap.csv", SCORES))),
        "prepare": with_scores(in_tab("Prepare")),
        "prepared": with_scores(
            in_tab("Prepare"),
            typed("score_matrices/prepare", percent=40.0),
            pressed("score_matrices/prepare/apply"),
        ),
        "chosen": with_scores(
            in_tab("Prepare"),
            chosen("score_matrices/prepare/topics", "*, !1"),
            pressed("score_matrices/prepare/apply"),
        ),
        "chosen wrongly": with_scores(
            in_tab("Prepare"),
            chosen("score_matrices/prepare/systems", "uogTr*"),
            pressed("score_matrices/prepare/apply"),
        ),
        "prepared wrongly": with_scores(
            in_tab("Prepare"),
            typed("score_matrices/prepare", count=50),
            pressed("score_matrices/prepare/apply"),
        ),
        "edit": with_scores(in_tab("Edit")),
        "transposed": with_scores(in_tab("Edit"), pressed("score_matrices/correct/swap-1")),
        "removed": with_scores(pressed("score_matrices/remove-1")),
        "rounds": with_scores(in_tab("Rounds"), files=[("mine_ap.csv", SCORES), ("more_ap.csv", SECOND)]),
        "gaps": with_scores(files=[("gaps_ap.csv", GAPS)]),
        "gaps answered": with_scores(pressed("score_matrices/read-1"), files=[("gaps_ap.csv", GAPS)]),
        "repeats": with_scores(files=[("twice.csv", TWICE)]),
        "constant": with_scores(files=[("c_ap.csv", CONSTANT)]),
        "one run": with_scores(files=[("one_ap.csv", ONE_RUN)]),
        "per cent": with_scores(files=[("p_ap.csv", PERCENT)]),
        "a run": with_scores(files=RUNS[:1]),
        "qrels": with_scores(files=[("mine.qrels", QRELS)]),
        "no table": with_scores(files=[("x.csv", b"hello\n")]),
        "empty": with_scores(files=[("x.csv", b"")]),
        "pasted": after(MATRICES, chosen("score_matrices/pasted", SCORES.decode()), pressed(READ_PASTED)),
        "pasted wrongly": after(MATRICES, chosen("score_matrices/pasted", "a b\nc"), pressed(READ_PASTED)),
    },
    TRACKS: {
        "own runs": with_runs(),
        "chosen": with_runs(chosen("runs/choose/topics", "1-4, !2"), pressed("runs/choose/apply")),
        "no judgments": with_runs(qrels=None),
        "bad run": with_runs(files=[("bad.run", b"1 Q0 d1 1\n")]),
        "swapped": with_runs(files=[("mine.run", QRELS)], qrels=RUNS[0][1]),
        "level 2": with_runs(chosen("runs/level-now", 2)),
        "by measures": after(
            TRACKS,
            chosen("runs/measure-names", ["P@5", "nERR@10", "Q", "bpref"]),
            pressed("runs/score"),
        ),
        "no measure": after(TRACKS, chosen("runs/measure-names", []), pressed("runs/score")),
        "diversity sample": after(TRACKS, pressed("runs/other-sample")),
    },
    ANOVA: _designs(ANOVA, "min_d", '{"n_systems": "2"}', '{"n_systems": "100", "beta": "0.1"}'),
    PAIRED: _designs(PAIRED, "min_d") | PAIRED_ONLY,
    TWO: _designs(TWO, "min_d"),
    CI: _designs(CI, "max_width")
    | {
        "unpaired": after(CI, chosen("planning/topics", "separate")),
        "unpaired link": opened(CI, max_width="0.2", within_system_variance="0.05"),
    },
    COMPARE: {
        "published": after(COMPARE, chosen("compare/method", "published")),
        "other levels": after(COMPARE, typed("planning", alpha=0.01, beta=0.1)),
        "wrong": after(COMPARE, typed("planning", alpha=0.0)),
        "table 2": after(COMPARE, chosen_at("compare/table", 2)),
        "a link": opened(COMPARE, alpha="0.1", beta="0.1", variance=["AP:0.0471", "RR:0.1"]),
        "a bad link": opened(COMPARE, **NONSENSE),
        "diversity task": after(COMPARE, pressed("compare/diversity")),
        "own scores": with_scores(gone_to(COMPARE)),
        "constant scores": with_scores(gone_to(COMPARE), files=[("c_ap.csv", CONSTANT)]),
    },
    REPORTED: {
        "two-sample t": after(REPORTED, chosen("reported/test", "two-sample-t")),
        "one-way F": after(REPORTED, chosen("reported/test", "one-way-anova")),
        "other numbers": after(REPORTED, typed("reported/paired-t", t=2.5, n_topics=40)),
        "no effect": after(REPORTED, typed("reported/paired-t", t=0.0)),
        "wrong": after(REPORTED, typed("reported/paired-t", n_topics=1)),
        "a link": opened(REPORTED, test="paired-t", t="2.5", n_topics="50", alpha="0.05", beta="0.2"),
        "a bad link": opened(REPORTED, test="x", t="y", **NONSENSE),
    },
    POOL: {
        "budget": after(POOL, typed("pool", budget=65_000)),
        "cost": after(POOL, in_tab("Cost of minD")),
        "another depth": after(POOL, chosen_at("pool/pool_depth", 2)),
        "small budget": after(POOL, typed("pool", budget=10)),
        "bad depths": after(POOL, chosen("pool/depths", "5, x")),
        "other design": after(POOL, chosen_at("pool/design", 1)),
        "interval": opened(POOL, design="Confidence interval, paired", max_width="0.1", alpha="0.05"),
        "two measures": opened(POOL, measure=["AP", "nDCG@10"]),
        "new systems": after(POOL, in_tab("Leave a team out"), pressed("pool/leave-out")),
        "a bad link": opened(POOL, **NONSENSE),
        "bad conventions": opened(POOL, depths="-1", gains="none", budget="1e400", relevance_level="9"),
        "diversity task": after(POOL, pressed("runs/other-sample")),
        "own runs": with_runs(gone_to(POOL)),
        "own runs, no judgments": with_runs(gone_to(POOL), qrels=None),
    },
    ERRORS: {
        "other numbers": after(ERRORS, typed("error-rate", min_d=0.03, n_topics=20, max_error=0.1)),
        "wrong": after(ERRORS, typed("error-rate", max_error=0.5)),
        "without worst": after(ERRORS, switched("error-rate/without_worst_quarter")),
        "bootstrap": after(ERRORS, switched("error-rate/bootstrap")),
        "nDCG": after(ERRORS, chosen_at("error-rate/matrix", 2)),
        "design": after(ERRORS, in_tab("By formula")),
        "two runs": opened(ERRORS, run_a="sim04", run_b="sim09", n_topics="80"),
        "beyond": after(ERRORS, in_tab("Extrapolation"), pressed("error-rate-check/run")),
        "all trials": after(ERRORS, pressed("error-rate/run"), n_trials="3000", seed="4"),
        "a link": opened(ERRORS, min_d="0.0123456789012345", n_topics="77", max_error="0.2", seed="9"),
        "a bad link": opened(ERRORS, max_error="7", bootstrap="perhaps", measure="ERR", colour="red"),
        "own scores": with_scores(gone_to(ERRORS)),
        "identical runs": with_scores(gone_to(ERRORS), files=[("same_ap.csv", SAME)]),
        "one run": with_scores(gone_to(ERRORS), files=[("one_ap.csv", ONE_RUN)]),
    },
    CHECKING: {
        "randomised Tukey HSD": opened(CHECKING, test="randomised-tukey", n_systems="4", n_pairs="10"),
        "Wilcoxon, own difference": opened(CHECKING, test="wilcoxon", effect="own", n_topics="60"),
        "two-sample t, scaled": opened(CHECKING, test="two-sample-t", shift="bounded", topics="shared"),
        "one-way ANOVA": opened(CHECKING, test="one-way-f", n_systems="6", n_pairs="10", n_trials="400"),
        "other numbers": after(CHECKING, typed("check-scores", alpha=0.01, min_d=0.05, n_topics=40, seed=3)),
        "a bad link": opened(CHECKING, alpha="7", test="none", colour="red"),
        "swapped topics of their own": opened(CHECKING, test="two-sample-t", null="swapped"),
        "too many systems": opened(CHECKING, test="tukey", n_systems="900"),
        "no number of topics": opened(CHECKING, min_d="0.00001"),
        "own scores": with_scores(gone_to(CHECKING)),
        "identical runs": with_scores(gone_to(CHECKING), files=[("same_ap.csv", SAME)]),
        "one run": with_scores(gone_to(CHECKING), files=[("one_ap.csv", ONE_RUN)]),
    },
    RANKS: {
        "pairs": after(RANKS, in_tab("Pairs")),
        "more topics": after(RANKS, in_tab("More topics")),
        "stability": after(RANKS, in_tab("Stability")),
        "discriminative power": after(RANKS, in_tab("Discriminative power")),
        "two systems": after(
            RANKS,
            in_tab("Two systems"),
            system_a="sim04",
            system_b="sim09",
            n_again="100",
            among="quarter",
        ),
        "the same system": opened(RANKS, system_a="sim04", system_b="sim04"),
        "lower is better": after(RANKS, switched("leaderboard/lower_is_better")),
        "other numbers": after(RANKS, typed("leaderboard", alpha=0.1, top_k=3, floor=0, n_trials=2000)),
        "wrong": after(RANKS, typed("leaderboard", top_k=20)),
        "too few flips": after(RANKS, typed("leaderboard", alpha=0.001, n_trials=500)),
        "a link": opened(RANKS, alpha="0.0123456789012345", k="2", seed="9", lower_is_better="yes"),
        "a bad link": opened(RANKS, alpha="7", among="none", system_a="nobody", colour="red"),
        "own scores": with_scores(gone_to(RANKS)),
        "identical runs": with_scores(gone_to(RANKS), files=[("same_ap.csv", SAME)]),
        "one run": with_scores(gone_to(RANKS), files=[("one_ap.csv", ONE_RUN)]),
    },
    SUBSETS: {
        "kendall": after(SUBSETS, chosen("topic-subsets/goodness", "kendall")),
        "error rate": after(SUBSETS, chosen("topic-subsets/goodness", "error-rate")),
        "prepared": opened(SUBSETS, without_worst_quarter="yes", log="yes"),
        "wrong": after(SUBSETS, typed("topic-subsets", target=1.5)),
        "five": after(SUBSETS, typed("topic-subsets", cardinality=5)),
        "old link": opened(SUBSETS, method="guiver", n_trials="200", seed="3"),
        "no proofs": opened(SUBSETS, method="exact", goodness="kendall"),
        "held out": opened(SUBSETS, view="held-out", **FEW),
        "held out, all": after(
            SUBSETS, pressed("topic-subsets-held-out/run"), view="held-out", cardinality="5", **FEW
        ),
        "held out topics": after(
            SUBSETS,
            pressed("topic-subsets-held-out/run"),
            view="held-out",
            hold_out="topics",
            **FEW,
        ),
        "audit": opened(SUBSETS, view="audit"),
        "audited": opened(
            SUBSETS,
            view="audit",
            topic=FIRST_TOPICS.split(),
            n_trials="200",
            n_splits="4",
            n_starts="0",
        ),
        "audited by kendall": after(
            SUBSETS,
            chosen("topic-subsets/goodness", "kendall"),
            view="audit",
            topic=FIRST_TOPICS.split(),
            n_trials="200",
            n_splits="4",
            n_starts="0",
        ),
        "bad audit": after(
            SUBSETS,
            chosen("topic-subsets/audit/text", "1-01\nnone"),
            pressed("topic-subsets/audit/run"),
            view="audit",
        ),
        "a bad link": opened(
            SUBSETS, target="7", goodness="rho", measure="ERR", colour="red", view="all", hold_out="judges"
        ),
        "held out, a bad link": opened(
            SUBSETS, view="held-out", n_splits="1", judged_measure="ERR", choose_by="rho"
        ),
        "own scores": with_scores(gone_to(SUBSETS)),
        "identical runs": with_scores(gone_to(SUBSETS), files=[("same_ap.csv", CONSTANT)]),
        "one run": with_scores(gone_to(SUBSETS), files=[("one_ap.csv", ONE_RUN)]),
    },
    VARIANCE: {
        "kde": opened(VARIANCE, model="kde"),
        "few": opened(VARIANCE, n_trials="20"),
        "conventions": opened(
            VARIANCE, measure="P@10", relevance_level="2", seed="3", min_d="0.05", denominator="fixed"
        ),
        "wrong": after(VARIANCE, typed("topic-variance", n_trials=0)),
        "a bad link": opened(VARIANCE, model="x", topic="x", n_trials="y", colour="red"),
        "diversity task": after(VARIANCE, pressed("runs/other-sample"), n_trials="20"),
        "own runs": with_runs(gone_to(VARIANCE)),
        "own runs, no judgments": with_runs(gone_to(VARIANCE), qrels=None),
    },
    TRAINING: {
        "other numbers": opened(TRAINING, n_samples="4", seed="2", trained_by=["bpref"], min_d="0.05"),
        "exact annealing": opened(TRAINING, n_samples="2", n_splits="1", optimiser="annealing", levels="50"),
        "wrong": after(TRAINING, typed("training-sensitivity", n_samples=0)),
        "bad levels": after(TRAINING, chosen("training-sensitivity/levels", "x")),
        "own topics": opened(TRAINING, topics="lists"),
        "a bad link": opened(TRAINING, n_samples="x", optimiser="y", colour="red"),
        "own sweep": after(
            TRAINING,
            uploaded(0, *SWEEP),
            uploaded(1, ("judged.txt", JUDGED)),
            pressed("training-sensitivity/read-runs"),
        ),
        "own collection": after(
            TRAINING,
            uploaded(3, ("oxen.zip", collection())),
            pressed("training-sensitivity/read-collection"),
        ),
        "bad sweep": after(
            TRAINING,
            uploaded(0, ("bad.txt", b"1 Q0 d1 1\n")),
            uploaded(1, ("judged.txt", JUDGED)),
            pressed("training-sensitivity/read-runs"),
        ),
        "loaded runs": with_runs(gone_to(TRAINING)),
    },
}
