"""The source of each cell, its score densities, and the noise of the documents by halves.

For the noise, documents are cut into two random halves, and the scores of both are compared. A half holds half of
the sample, so its noise is about twice that of the collection. With d_A and d_B the differences of two runs on both
halves of a topic, Var(d_A - d_B) is the noise of both: four times that of the collection. The noise of a run is
half of that of a difference.

This needs measures of all documents. The first 10 documents of a half are the first 20 of the collection: P@10 of a
half has as much noise as that of the collection, and a cut-off or reciprocal rank has no such rule.

How good it is on real documents: docs/evidence/topic-variance.md.

Relevant scores and the others of a cell have each a density of their own.
"""

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_variance.cells import Cells, Floats, Ints, raw_scores
from topicset_core.analyses.topic_variance.request import Bandwidth, Request
from topicset_core.collection.run import Run
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.progress import ReportProgress

_REACH = 26  # knots, 6.5 bandwidths: farther out a kernel has 4e-11 of its mass
_N_MOMENTS = 8  # the first left out is below (1/8)^8 / 8! x 40 = 6e-11


class Densities(NamedTuple):
    """Both densities of a cell, in bandwidths of the second from the first knot of its table."""

    relevant: Floats  # relevant scores
    width: float  # bandwidth of their density
    table: Floats  # of the other scores, by `kernels.density_table`


def bandwidth(scores: Floats, rule: Bandwidth) -> float:
    """Return s n^(-1/5) (Scott 1992) or s (3 n / 4)^(-1/5) (Silverman 1986), as SciPy has them."""
    if scores.size < 2:
        return 0.0
    number = scores.size if rule == "scott" else 0.75 * scores.size
    return float(scores.std(ddof=1)) * math.pow(number, -0.2)


def densities(relevant: Floats, others: Floats, rule: Bandwidth) -> Densities | None:
    """Return the densities of a cell, or None where the scores of either kind do not vary."""
    from topicset_core.analyses.topic_variance.kernels import KNOTS_PER_BANDWIDTH, density_table

    if relevant.size < 2 or others.size < 2:
        return None
    # Centre and scale first: squares of scores may be beyond the range of numbers.
    largest = max(float(np.abs(relevant).max()), float(np.abs(others).max())) or 1.0
    relevant, others = relevant / largest, others / largest
    middle = others.mean()
    relevant, others = relevant - middle, others - middle
    width, unit = bandwidth(relevant, rule), bandwidth(others, rule)
    # They differ by more than their rounding, being at most about 1 in size.
    if np.ptp(relevant) == 0 or np.ptp(others) == 0 or min(width, unit) <= 1e-15:
        return None
    margin = _REACH / KNOTS_PER_BANDWIDTH
    first = float(others.min()) / unit - margin
    n_knots = math.ceil((float(others.max()) / unit + margin - first) * KNOTS_PER_BANDWIDTH) + 2
    table = density_table(others / unit - first, n_knots, _taps())
    return Densities(relevant=relevant / unit - first, width=width / unit, table=table)


@cache
def _taps() -> Floats:
    """Return the contribution of each moment at a knot to the tail and its derivatives at each other knot.

    ::

        Phi(y - x) = sum over k of Phi^(k)(knot - x) e^k / k!,  y = knot + e,  Phi^(k) = (-1)^(k - 1) He_(k - 1) phi
    """
    from scipy.special import eval_hermitenorm, ndtr

    from topicset_core.analyses.topic_variance.kernels import KNOTS_PER_BANDWIDTH

    away = np.arange(-_REACH, _REACH + 1) / KNOTS_PER_BANDWIDTH
    kernel = np.exp(-0.5 * away**2) / math.sqrt(2.0 * math.pi)
    orders = [ndtr(away)]
    orders += [(-1.0) ** k * eval_hermitenorm(k, away) * kernel for k in range(_N_MOMENTS + 2)]
    taps = np.empty((3, _N_MOMENTS, away.size))
    for derivative in range(3):  # by the number of the knot: one by x is one by y with its sign turned
        scale = (-1.0 / KNOTS_PER_BANDWIDTH) ** derivative
        for k in range(_N_MOMENTS):
            taps[derivative, k] = scale * orders[k + derivative] / math.factorial(k)
    return taps


N_POINTS = 400
"""Points at which densities are drawn."""

_DRAWN_REACH = 3.5  # bandwidths drawn beyond the scores


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit:
    """Scores of relevant documents and of the others, and the densities that kde draws from."""

    # Whose scores
    system: str
    topic: str
    relevant: Floats = field(repr=False)
    others: Floats = field(repr=False)
    # Both densities, each with area 1
    at: Floats = field(repr=False)  # (N_POINTS,)
    relevant_density: Floats = field(repr=False)  # (N_POINTS,)
    others_density: Floats = field(repr=False)  # (N_POINTS,)
    # Share of pairs of a relevant document and another one in which the relevant one has the higher score
    above: float
    above_by_densities: float | None  # the same of scores drawn from the densities


def fit(cells: Cells, run: Run, topic: str, rule: Bandwidth) -> Fit:
    """Return the scores of a run on a topic with their densities."""
    from scipy.special import ndtr

    if run.scores is None:
        raise InputError("runs", run.tag, "must be given with its retrieval scores")
    cell = cells.topics.index(topic) * cells.n_systems + cells.systems.index(run.tag)
    ranks = cells.ranks[cells.starts[cell] : cells.starts[cell + 1]]
    depth = int(cells.depths.ravel()[cell])
    if not 0 < ranks.size < depth:
        what = "returns no relevant document" if not ranks.size else "returns relevant documents only"
        raise InputError("topic", topic, f"must have scores of both kinds: the run {run.tag} {what} there")
    place = run.topics.index(topic)
    scores = run.scores[run.starts[place] : run.starts[place + 1]]
    relevant, others = scores[ranks - 1], np.delete(scores, ranks - 1)
    away = np.subtract.outer(relevant, others)
    at = of_relevant = of_others = np.empty(0)
    by_densities = None
    if densities(relevant, others, rule) is not None:
        # Scaled first: squares of scores may be beyond the range of numbers.
        unit = float(np.abs(scores).max()) or 1.0
        widths = bandwidth(relevant / unit, rule), bandwidth(others / unit, rule)
        reach = _DRAWN_REACH * max(widths)
        points = np.linspace(scores.min() / unit - reach, scores.max() / unit + reach, N_POINTS)
        of_relevant = _density(points, relevant / unit, widths[0]) / unit
        of_others = _density(points, others / unit, widths[1]) / unit
        at = points * unit
        by_densities = float(ndtr(away / unit / np.hypot(*widths)).mean())
    return Fit(
        system=run.tag,
        topic=topic,
        relevant=relevant,
        others=others,
        at=at,
        relevant_density=of_relevant,
        others_density=of_others,
        above=float((away > 0).mean() + 0.5 * (away == 0).mean()),
        above_by_densities=by_densities,
    )


def _density(points: Floats, scores: Floats, width: float) -> Floats:
    """Return a Gaussian kernel density at points."""
    away = np.subtract.outer(points, scores) / width
    result: Floats = np.exp(-0.5 * away**2).mean(axis=1) / (width * np.sqrt(2 * np.pi))
    return result


REMARKS: Mapping[str, str] = {
    "missing": "the run returns nothing: the score is 0 in every trial",
    "nothing_found": "the run returns no relevant document: the score is 0 in every trial",
    "nothing_else": "the run returns relevant documents only: lists of them alone are drawn",
    "one_relevant": "one relevant document has no density: its score and the others are resampled",
    "constant": "scores that do not vary have no density: they are resampled",
}
"""Why a cell is not drawn as asked, in the order of the codes 1, 2, ..."""

_MISSING, _NO_RELEVANT, _NOTHING_ELSE, _ONE_RELEVANT, _CONSTANT = range(1, 6)

_NANOSECONDS = {"counted": 1.4, "binomial": 24.0}
"""About what it takes to draw a document and count it, and to draw a gap that may be part of a wider one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """Arguments of the kernel of the model, and remarks."""

    remarks: NDArray[np.int8]  # (n_topics, n_systems): 0, or the number of the remark
    arguments: tuple[Any, ...] = field(repr=False)  # first arguments of the kernel, up to `sums`
    seconds: float  # approximate seconds of a trial on one core
    by_halves: Floats = field(repr=False)  # (n_topics,): noise of the documents by random halves of them

    def named(self, cells: Cells) -> dict[str, list[tuple[str, str]]]:
        """Return run and topic of the cells with each remark that some cell has."""
        result = {}
        for code, remark in enumerate(REMARKS, start=1):
            where = np.argwhere(np.transpose(self.remarks) == code).tolist()
            if where:
                result[remark] = [(cells.systems[system], cells.topics[topic]) for system, topic in where]
        return result


def prepare(
    cells: Cells,
    request: Request,
    runs: Sequence[Run],
    report_progress: ReportProgress,
    executor: Executor | None,
) -> Prepared:
    """Lay out the sources of the cells."""
    n_found, depths = cells.n_found, cells.depths
    remarks = np.zeros(n_found.shape, dtype=np.int8)
    if request.model != "shared":
        remarks[n_found == depths] = _NOTHING_ELSE
    remarks[n_found == 0] = _NO_RELEVANT
    remarks[depths == 0] = _MISSING
    if request.model == "shared":
        return _shared(cells, request, runs, remarks, report_progress)
    from topicset_core.analyses.topic_variance.kernels import DENSITY, NOTHING, RESAMPLED

    above, counted = _above_each(cells)
    ways = np.where(n_found > 0, RESAMPLED, NOTHING)
    relevant, widths = np.zeros(cells.ranks.size), np.zeros(n_found.size)
    tables: list[Floats] = [np.empty((0, 3))] * n_found.size
    if request.model == "kde":
        by_tag = {run.tag: run for run in runs}
        work = partial(_of_run, cells, request.bandwidth)
        tasks = [_checked(by_tag.get(tag), tag, system) for system, tag in enumerate(cells.systems)]
        batches = in_batches(work, tasks, [1.0] * len(tasks), report_progress, executor)
        for (system, _), (of_topics, notes) in batches:
            remarks[:, system] = np.where(notes > 0, notes, remarks[:, system])
            for topic, drawn in of_topics.items():
                cell = topic * cells.n_systems + system
                ways[topic, system] = DENSITY
                relevant[cells.starts[cell] : cells.starts[cell + 1]] = drawn.relevant
                widths[cell], tables[cell], counted[cell] = drawn.width, drawn.table, 0
    table_starts = np.cumsum([0, *(table.shape[0] for table in tables)])
    places, numbers = poisson_tables(n_found.ravel())
    spread = np.repeat(cells.n_relevant, cells.n_systems)
    layout = np.column_stack([ways.ravel(), depths.ravel(), spread, places, counted]).astype(np.int64)
    log_q = np.full(above.size, -np.inf)
    np.log1p(-above, out=log_q, where=above < 1.0)
    densities_of_cells = relevant, widths, table_starts, np.concatenate(tables)
    arguments = (
        layout, cells.starts, cells.ranks, (above, log_q), densities_of_cells, numbers,
        _sums(int(depths.max() + cells.n_relevant.max())),
    )  # fmt: skip
    microseconds = np.select(
        [ways == DENSITY, ways == RESAMPLED], [0.1 + 0.07 * n_found, 0.1 + 0.02 * n_found], 0.02
    )
    seconds = 1e-6 * float(microseconds.sum())
    unknown = np.full(cells.n_topics, np.nan)
    return Prepared(remarks=remarks, arguments=arguments, seconds=seconds, by_halves=unknown)


def _shared(
    cells: Cells,
    request: Request,
    runs: Sequence[Run],
    remarks: NDArray[np.int8],
    report_progress: ReportProgress,
) -> Prepared:
    """Return documents numbered topic by topic, relevant ones first, to the last relevant one of each list."""
    by_tag = {run.tag: run for run in runs}
    missing = [tag for tag in cells.systems if tag not in by_tag]
    if missing:
        rule = "must be given with its documents, which all runs of a topic share"
        raise InputError("runs", missing[0], rule)
    chosen = [by_tag[tag] for tag in cells.systems]
    places = [{topic: place for place, topic in enumerate(run.topics)} for run in chosen]
    n_listed, n_numbered, lists = [], [], []
    for topic, name in enumerate(cells.topics):
        ids, ranks = [], []
        for system, run in enumerate(chosen):
            cell = topic * cells.n_systems + system
            ranks.append(cells.ranks[cells.starts[cell] : cells.starts[cell + 1]])
            last = int(ranks[-1][-1]) if ranks[-1].size else 0
            begin = run.starts[places[system][name]] if last else 0
            ids.append(run.documents[begin : begin + last].tolist())
        pairs = zip(ids, ranks, strict=True)
        relevant = dict.fromkeys(of_run[rank - 1] for of_run, at in pairs for rank in at.tolist())
        numbered = dict.fromkeys(chain(relevant, *ids))
        numbers = {document: number for number, document in enumerate(numbered)}
        lists += [np.array([numbers[document] for document in of_run], dtype=np.int32) for of_run in ids]
        n_listed.append(len(relevant))
        n_numbered.append(len(numbers))
        report_progress(0.5 * (topic + 1) / cells.n_topics)
    listed = np.array(n_listed, dtype=np.int64)
    bounds, (cumulated, guide) = poisson_tables(np.concatenate([[1], cells.n_relevant - listed]))
    topics = np.column_stack([cells.n_relevant, listed, n_numbered, bounds[1:]]).astype(np.int64)
    ones = slice(int(bounds[0, 0]), int(bounds[0, 1]))
    tables = (cumulated, guide, cumulated[ones], guide[ones])
    list_starts = np.cumsum([0, *(documents_of_run.size for documents_of_run in lists)])
    documents = np.concatenate(lists)
    most = int(cells.depths.max() + cells.n_relevant.max())
    arguments = (
        topics, (documents, list_starts), cells.starts, cells.ranks, tables,
        _sums(most + math.ceil(20 * math.sqrt(most)) + 100),
    )  # fmt: skip
    drawn, walked = float(np.sum(n_numbered)), documents.size
    seconds = 1e-9 * (4 * drawn + walked + 50 * cells.ranks.size)
    by_halves = noise_by_halves(cells, request, arguments, lambda done: report_progress(0.5 + 0.5 * done))
    return Prepared(remarks=remarks, arguments=arguments, seconds=seconds, by_halves=by_halves)


def poisson_tables(means: Ints) -> tuple[Ints, tuple[Floats, Ints]]:
    """Return where the table of each mean begins and ends, (n_means, 2), and all tables."""
    from scipy.special import pdtr

    places, parts, guides, begin = {}, [], [], 0
    for mean in np.unique(means).tolist():
        # Cumulated probabilities as far as any is left (1e-17).
        size = math.ceil(mean + 10 * math.sqrt(mean) + 30)
        cumulated = pdtr(np.arange(size), mean)
        cumulated[-1] = 1.0
        parts.append(cumulated)
        # For each of as many equal parts of 0 to 1, the first number whose cumulated probability reaches it.
        guides.append(np.searchsorted(cumulated, np.arange(size) / size))
        places[mean] = begin, begin + size
        begin += size
    result = np.array([places[mean] for mean in means.tolist()], dtype=np.int64)
    return result, (np.concatenate(parts), np.concatenate(guides).astype(np.int64))


def _above_each(cells: Cells) -> tuple[Floats, Ints]:
    """Return the share of others above each relevant document, and above how many of these to draw one by one."""
    n_found = np.diff(cells.starts)
    cell_of = np.repeat(np.arange(n_found.size), n_found)
    n_above = cells.ranks - 1 - (np.arange(cells.ranks.size) - cells.starts[cell_of])
    others = np.maximum(cells.depths.ravel() - n_found, 1)[cell_of]
    new_gap = np.ones(cells.ranks.size, dtype=np.int64)
    new_gap[1:] = (n_above[1:] != n_above[:-1]) | (cell_of[1:] != cell_of[:-1])
    n_gaps = np.cumsum(new_gap)
    n_gaps -= (n_gaps - new_gap)[cells.starts[cell_of]]
    saved = (n_gaps - 1) * _NANOSECONDS["binomial"] - n_above * _NANOSECONDS["counted"]
    counted = np.zeros(n_found.size, dtype=np.int64)
    filled = np.flatnonzero(n_found)
    if filled.size:
        most = np.zeros(n_found.size)
        most[filled] = np.maximum.reduceat(saved, cells.starts[filled])
        best = np.flatnonzero((saved == most[cell_of]) & (saved > 0.0))
        counted[cell_of[best]] = best - cells.starts[cell_of[best]] + 1
    return n_above / others, counted


def _checked(run: Run | None, tag: str, system: int) -> tuple[int, Run]:
    if run is None or run.scores is None:
        rule = "must be given with its retrieval scores for densities of them; bst needs its order alone"
        raise InputError("runs", tag, rule)
    return system, run


def _of_run(
    cells: Cells, rule: Bandwidth, task: tuple[int, Run]
) -> tuple[dict[int, Densities], NDArray[np.int8]]:
    """Return densities of one run by topic, and remarks on topics without."""
    system, run = task
    places = {topic: place for place, topic in enumerate(run.topics)}
    remarks = np.zeros(cells.n_topics, dtype=np.int8)
    drawn: dict[int, Densities] = {}
    for topic, name in enumerate(cells.topics):
        cell = topic * cells.n_systems + system
        ranks: Ints = cells.ranks[cells.starts[cell] : cells.starts[cell + 1]]
        if not ranks.size or ranks.size == cells.depths[topic, system] or run.scores is None:
            continue
        if ranks.size == 1:
            remarks[topic] = _ONE_RELEVANT
            continue
        place = places[name]
        scores = run.scores[run.starts[place] : run.starts[place + 1]]
        result = densities(scores[ranks - 1], np.delete(scores, ranks - 1), rule)
        if result is None:
            remarks[topic] = _CONSTANT
        else:
            drawn[topic] = result
    return drawn, remarks


def _sums(most: int) -> Floats:
    """Return sums of discounts, logarithms of factorials and reciprocals, for that many documents."""
    numbers = np.arange(1, most + 1)
    sums = np.zeros((3, most + 1))
    sums[0, 1:] = np.cumsum(1.0 / np.log2(numbers + 1.0))
    sums[1, 1:] = np.cumsum(np.log(numbers))
    sums[2, 1:] = 1.0 / numbers
    return sums


N_CUTS = 20
"""One cut determines the share of the documents to about .03."""


def noise_by_halves(
    cells: Cells, request: Request, arguments: tuple[Any, ...], report: ReportProgress
) -> Floats:
    """Return the noise per run that moves runs apart, (n_topics,)."""
    unknown: Floats = np.full(cells.n_topics, np.nan)
    if request.depth is not None or request.kind == "RR":
        return unknown
    noise = np.full((N_CUTS, cells.n_topics), np.nan)
    rng = np.random.default_rng(np.random.SeedSequence(request.seed, spawn_key=(4,)))
    for cut in range(N_CUTS):
        halves = _halves(cells, arguments, rng)
        apart = raw_scores(halves[0], request) - raw_scores(halves[1], request)
        known = np.minimum(halves[0].n_relevant, halves[1].n_relevant) > 0
        noise[cut, known] = apart[known].var(axis=1, ddof=1) / 4
        report((cut + 1) / N_CUTS)
    n_known = np.isfinite(noise).sum(axis=0)
    return np.asarray(np.divide(np.nansum(noise, axis=0), n_known, out=unknown, where=n_known > 0))


def _halves(cells: Cells, arguments: tuple[Any, ...], rng: np.random.Generator) -> tuple[Cells, Cells]:
    """Return both collections, each document in one of them."""
    topics, (documents, list_starts) = arguments[:2]
    m, sizes = cells.n_systems, np.diff(cells.starts)
    is_first = np.empty(cells.ranks.size, dtype=np.bool_)
    ranks = np.empty((2, cells.ranks.size), dtype=np.int64)
    n_relevant = np.empty((2, cells.n_topics), dtype=np.int64)
    for topic, (relevant, listed, numbered) in enumerate(topics[:, :3].tolist()):
        drawn = rng.random(numbered) < 0.5
        first = int(drawn[:listed].sum()) + int(rng.binomial(relevant - listed, 0.5))
        n_relevant[:, topic] = first, relevant - first
        lists = list_starts[topic * m : topic * m + m + 1] - list_starts[topic * m]
        begin, end = list_starts[topic * m], list_starts[topic * m + m]
        # How many documents of the first half precede each place of the topic's lists, one behind the other.
        before = np.concatenate([[0], np.cumsum(drawn[documents[begin:end]])])
        here = slice(cells.starts[topic * m], cells.starts[topic * m + m])
        list_of = np.repeat(lists[:-1], sizes[topic * m : topic * m + m])
        places = list_of + cells.ranks[here]
        is_first[here] = before[places] > before[places - 1]
        ranks[0, here] = before[places] - before[list_of]
        ranks[1, here] = cells.ranks[here] - ranks[0, here]
    cell_of = np.repeat(np.arange(sizes.size), sizes)
    halves = []
    for half, chosen in enumerate((is_first, ~is_first)):
        starts = np.concatenate([[0], np.cumsum(np.bincount(cell_of[chosen], minlength=sizes.size))])
        halves.append(replace(cells, starts=starts, ranks=ranks[half, chosen], n_relevant=n_relevant[half]))
    return halves[0], halves[1]
