# `python -m docs.makers functions` writes this file from the options of the commands.
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Protocol

from topicset_core.analyses.achieved_power.answer import AchievedPower as _AchievedPowerAchievedPower
from topicset_core.analyses.error_rate.answer import Answer as _ErrorRateAnswer
from topicset_core.analyses.judge_study.answer import Answer as _JudgeStudyAnswer
from topicset_core.analyses.pool_depth.study import DepthStudy as _PoolDepthDepthStudy
from topicset_core.analyses.rank_resolution.discriminative_power import Powers as _RankResolutionPowers
from topicset_core.analyses.rank_resolution.leaderboard import Leaderboard as _RankResolutionLeaderboard
from topicset_core.analyses.repeats.answer import Answer as _RepeatsAnswer
from topicset_core.analyses.run_evaluation.evaluation import Evaluation as _RunEvaluationEvaluation
from topicset_core.analyses.score_variance.report import MatrixVariances as _ScoreVarianceMatrixVariances
from topicset_core.analyses.sizing.comparison_report import Comparison as _SizingComparison
from topicset_core.analyses.sizing.reported_result import ReportedResult as _SizingReportedResult
from topicset_core.analyses.stability.result import Stability as _StabilityStability
from topicset_core.analyses.topic_variance.result import Findings as _TopicVarianceFindings
from topicset_core.analyses.two_systems.comparison import Answer as _TwoSystemsAnswer
from topicset_core.cli.read import ReadFiles as _CliReadFiles
from topicset_core.collection.replicated_scores import PairedLabels, ReplicatedScores
from topicset_core.exports.answer import Answer as Answer
from topicset_core.errors import InputError as InputError
from topicset_core.collection.score_matrix import ScoreMatrix as ScoreMatrix

__version__: str
__all__ = ['read', 'size', 'compare', 'reported', 'compare_two', 'check', 'evaluate', 'score_variance', 'pool_depth', 'error_rate', 'leaderboard', 'discriminative_power', 'stability', 'repeats', 'judge', 'subsets', 'topic_variance', 'training_sensitivity', 'Answer', 'InputError', 'ScoreMatrix']

class Frame(Protocol):
    """A frame of pandas, polars or another library."""
    @property
    def columns(self) -> Any: ...

Records = Mapping[Any, Any] | Iterable[Mapping[str, Any]] | Iterable[tuple[Any, ...]]
Scores = str | PathLike[str] | ScoreMatrix | ReplicatedScores | PairedLabels | Frame | Records

def read(
    scores: Scores | Sequence[Scores],
    *,
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[_CliReadFiles]:
    """What files are read as: topics, systems, measures, repeats and groups, the role of each column of a
    table with the reason, what was left out, and which questions can be asked, with the command of
    each. Refused files are told with the reason."""

def size(
    design: Literal['paired-t', 'two-sample-t', 'anova', 'two-way-anova', 'all-pairs', 'against-baseline', 'non-inferiority', 'equivalence', 'ci', 'two-sample-ci', 'error-rate', 'mcnemar', 'non-inferior-shares', 'equivalent-shares', 'paired-shares-ci', 'share-ci', 'looks', 'top-up'],
    *,
    alpha: float | None = None,
    beta: float | None = None,
    max_error: float | None = None,
    min_delta: float | None = None,
    min_d: float | None = None,
    margin: float | None = None,
    true_difference: float | None = None,
    max_width: float | None = None,
    variance: float | None = None,
    residual_variance: float | None = None,
    difference_variance: float | None = None,
    systems: int | None = None,
    looks: int | None = None,
    pilot: int | None = None,
    procedure: Literal['tukey', 'bonferroni', 'holm', 'dunnett'] | None = None,
    topics_are: Literal['shared', 'separate'] | None = None,
    detect: Literal['pair', 'any', 'all'] | None = None,
    means: Literal['two-extremes', 'one-better', 'halves', 'ladder', 'equally-spaced', 'one-differs', 'all-differ'] | None = None,
    mcnemar: Literal['exact', 'mid-p', 'unconditional'] | None = None,
    interval: Literal['wilson', 'clopper-pearson'] | None = None,
    spending: Literal['obrien-fleming', 'pocock', 'lan-demets-of', 'lan-demets-pocock'] | None = None,
    shares: float | Sequence[float] | None = None,
    scores: Scores | Sequence[Scores] | None = None,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    estimate: Literal['one-way', 'two-way', 'twice-one-way', 'mean-of-pairs', 'percentile-95-of-pairs'] | None = None,
    pool: bool = False,
    similar_to: str | None = None,
    similar_runs: Literal['all', 'stronger-half'] | None = None,
    topics: int | None = None,
    assurance: float | None = None,
    group_size: int | None = None,
    group_size_cv: float | None = None,
    intraclass_correlation: float | None = None,
    cost_group: float | None = None,
    cost_topic: float | None = None,
    method: Literal['exact', 'published'] = 'exact',
    effective_df: float | None = None,
    groups: str | Mapping[str, str] | None = None,
    join: bool = False,
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[Any]:
    """The smallest number of topics that meets the requirements; with a number of topics, the power or the
    difference that it gives. All other values must be given."""

def compare(
    scores: Scores | Sequence[Scores] | None = None,
    *,
    groups: str | Mapping[str, str] | None = None,
    join: bool = False,
    pool: bool = False,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    variance: str | Sequence[str] | None = None,
    residual_variance: str | Sequence[str] | None = None,
    topics_are: Literal['shared', 'separate'] | None = None,
    levels: str | Sequence[str | float] | Sequence[str | Sequence[str | float]],
    systems: int | Sequence[int] = (2, 10, 100),
    min_d: float | Sequence[float] = (0.02, 0.05, 0.1, 0.15, 0.2, 0.25),
    min_delta: float | Sequence[float] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0),
    method: Literal['exact', 'published'] = 'exact',
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[_SizingComparison]:
    """Required topics of all designs for each measure (of t tests, one-way ANOVA and the confidence
    interval: tables 1, 6 and 7 of Sakai 2016), and from scores the share of run pairs that each measure
    distinguishes. Scores of 0 and 1 add McNemar's exact test and the intervals of shares. Topics in
    groups are planned in groups."""

def reported(
    test: Literal['paired-t', 'two-sample-t', 'anova'],
    *,
    t: float | None = None,
    f: float | None = None,
    systems: int | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    n_again: int | None = None,
    true_effect: float | None = None,
    topics: int | Sequence[int],
) -> Answer[_SizingReportedResult]:
    """The topics of a replication for the published effect, shrunk as differences between runs of a track
    shrink, and for exactly this effect (as Sakai, SIGIR 2016). n_again are the new topics whose result
    is predicted (default: 50); true_effect is the effect for which errors of size and sign are computed
    (default: 0.2)."""

def compare_two(
    scores: Scores | Sequence[Scores],
    *,
    groups: str | Mapping[str, str] | None = None,
    join: bool = False,
    qrels: str | None = None,
    margin: float | None = None,
    alpha: float = 0.05,
    beta: float = 0.2,
    pair: Sequence[str | Sequence[str | float]] | None = None,
    lower_is_better: bool = False,
    mean: Literal['topics', 'groups'] | None = None,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    score_precision: Literal['double', 'single'] = 'double',
    conventions: Literal['trec_eval', 'sakai-2016'] = 'trec_eval',
    relevance_level: int = 1,
    gains: Literal['linear', 'exponential'] | None = None,
    largest_grade: int | None = None,
    denominator: Literal['R', 'min'] | None = None,
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[_TwoSystemsAnswer]:
    """Compares a new system with a baseline on the same topics, by the t interval of the mean difference;
    where scores are 0 or 1, by McNemar's exact test and Tango's interval. FILEs are scores of two
    systems, the baseline first, or with qrels their runs. Exit status: 0 better, or not worse by margin
    or more; 1 worse; 3 inconclusive; 2 an error."""

def check(
    scores: Scores | Sequence[Scores],
    *,
    groups: str | Mapping[str, str] | None = None,
    join: bool = False,
    test: Literal['two-way-f', 'paired-t', 'two-sample-t', 'wilcoxon', 'sign-flip', 'one-way-f', 'tukey', 'randomised-tukey', 'bonferroni', 'mcnemar', 'mcnemar-mid-p'] = 'two-way-f',
    effect: Literal['min-d', 'own'] = 'min-d',
    topics_are: Literal['shared', 'separate'] | None = None,
    null: Literal['centred', 'swapped'] | None = None,
    shift: Literal['additive', 'bounded', 'turned'] | None = None,
    topics: int | None = None,
    alpha: float = 0.05,
    beta: float = 0.2,
    min_d: float = 0.1,
    systems: int | None = None,
    pairs: int = 40,
    trials: int = 2000,
    permutations: int = 499,
    seed: int = 0,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    max_zero_topics: int | None = None,
    worst_percent: float | None = None,
    worst_count: int | None = None,
    log: float | bool | None = None,
    standardise: Literal['z', 'std-AB'] | None = None,
    reference_runs: str | Sequence[str] | None = None,
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[_AchievedPowerAchievedPower]:
    """Draws n topics with replacement from one score matrix, runs the test on equal systems and on systems
    that differ by minD, and prints the share of significant trials with its standard error, next to the
    Type I error and the power that the design states."""

def evaluate(
    *,
    qrels: str | Sequence[str],
    intent_probabilities: str | None = None,
    run: str | Sequence[str],
    measure: str | Sequence[str],
    topics_without_relevant: Literal['zero', 'drop'] = 'zero',
    missing_topics: Literal['zero', 'drop'] = 'zero',
    score_precision: Literal['double', 'single'] = 'double',
    conventions: Literal['trec_eval', 'sakai-2016'] = 'trec_eval',
    relevance_level: int = 1,
    gains: Literal['linear', 'exponential'] | None = None,
    largest_grade: int | None = None,
    denominator: Literal['R', 'min'] | None = None,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    groups: str | Mapping[str, str] | None = None,
    output: str | PathLike[str] | None = None,
) -> Answer[list[_RunEvaluationEvaluation]]:
    """Scores of TREC runs on all judged topics, with trec_eval's order of documents and by default its
    conventions. Measures (k is a rank): AP, AP@k, Q, Q@k, nDCG, nDCG@k, nERR, nERR@k, ERR, ERR@k, RR,
    RR@k, P@k, recall@k, success@k, alpha-nDCG@k, nERR-IA@k, alpha-DCG@k, ERR-IA@k, graded-alpha-nDCG@k,
    graded-nERR-IA@k, graded-alpha-DCG@k, graded-ERR-IA@k, D-nDCG@k, I-rec@k, D#-nDCG@k, Rprec, bpref,
    infAP, RBP(p=.8); names of trec_eval, such as map or ndcg_cut_10, are accepted, too."""

def score_variance(
    scores: Scores | Sequence[Scores],
    *,
    groups: str | Mapping[str, str] | None = None,
    join: bool = False,
    mean: Literal['topics', 'groups'] | None = None,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    max_zero_topics: int | None = None,
    worst_percent: float | None = None,
    worst_count: int | None = None,
    log: float | bool | None = None,
    standardise: Literal['z', 'std-AB'] | None = None,
    reference_runs: str | Sequence[str] | None = None,
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[list[_ScoreVarianceMatrixVariances]]:
    """Within-system variances (Sakai 2016, Eqs. 36 and 37) of topic-by-run score files, and pooled over
    the files of one measure (Eq. 38, weights n - 1). Files with one run each, as written by trec_eval
    -q and evaluators of language models, are joined into one matrix per measure; their names are then
    joined by commas."""

def pool_depth(
    *,
    qrels: str | Sequence[str] | None = None,
    runs: str | Sequence[str],
    depths: str | Sequence[str | float] = '',
    variance: float | None = None,
    score_precision: Literal['double', 'single'] = 'double',
    conventions: Literal['trec_eval', 'sakai-2016'] = 'trec_eval',
    relevance_level: int = 1,
    gains: Literal['linear', 'exponential'] | None = None,
    largest_grade: int | None = None,
    denominator: Literal['R', 'min'] | None = None,
    design: Literal['paired-t', 'two-sample-t', 'anova', 'two-way-anova', 'all-pairs', 'against-baseline', 'non-inferiority', 'equivalence', 'ci', 'two-sample-ci'],
    alpha: float | None = None,
    beta: float | None = None,
    min_d: float | None = None,
    margin: float | None = None,
    true_difference: float | None = None,
    max_width: float | None = None,
    systems: int | None = None,
    procedure: Literal['tukey', 'bonferroni', 'holm', 'dunnett'] | None = None,
    topics_are: Literal['shared', 'separate'] | None = None,
    detect: Literal['pair', 'any', 'all'] | None = None,
    means: Literal['two-extremes', 'one-better', 'halves', 'ladder', 'equally-spaced', 'one-differs', 'all-differ'] | None = None,
    method: Literal['exact', 'published'] = 'exact',
    lost_topics: Literal['zero', 'drop'] = 'zero',
    budget: float | None = None,
    hours: float | None = None,
    minutes_per_judgment: float = 0.5,
    minutes_per_topic: float = 60,
    min_tau: float = 0.9,
    min_relevant: float = 0.5,
    min_judged_share: float = 0.8,
    pool_depth: int | None = None,
    full_pool: bool = False,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    measure: str | Sequence[str],
) -> Answer[_PoolDepthDepthStudy]:
    """Scores runs again by the judgments of shallower pools (Sakai 2016, section 6.3). Prints the topics
    that a design then needs and their cost in judgments: topics times the documents in the pool of the
    runs, judged or not. With several measures the largest number of topics counts."""

def error_rate(
    scores: Scores | Sequence[Scores],
    *,
    groups: str | Mapping[str, str] | None = None,
    join: bool = False,
    min_d: float = 0.05,
    topics: int | None = None,
    max_error: float = 0.05,
    trials: int = 10000,
    seed: int = 0,
    with_replacement: bool = False,
    cardinalities: int | Sequence[int] | None = None,
    runs_pair: Sequence[str | Sequence[str | float]] | None = None,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    max_zero_topics: int | None = None,
    worst_percent: float | None = None,
    worst_count: int | None = None,
    log: float | bool | None = None,
    standardise: Literal['z', 'std-AB'] | None = None,
    reference_runs: str | Sequence[str] | None = None,
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[_ErrorRateAnswer]:
    """The experiment of Voorhees and Buckley (2002) on one matrix of scores: error rates by topics in a
    set and by bins of the difference, fitted exponentials, the error rate of Lin and Hauptmann (2005)
    in three forms, and how many topics a tolerated rate requires."""

def leaderboard(
    scores: Scores | Sequence[Scores],
    *,
    groups: str | Mapping[str, str] | None = None,
    join: bool = False,
    alpha: float = 0.05,
    trials: int = 20000,
    seed: int = 0,
    floor: float = 0.5,
    lower_is_better: bool = False,
    mean: Literal['topics', 'groups'] | None = None,
    top_k: int | None = None,
    pair: Sequence[str | Sequence[str | float]] | None = None,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    max_zero_topics: int | None = None,
    worst_percent: float | None = None,
    worst_count: int | None = None,
    log: float | bool | None = None,
    standardise: Literal['z', 'std-AB'] | None = None,
    reference_runs: str | Sequence[str] | None = None,
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[_RankResolutionLeaderboard]:
    """Resolves the order of all pairs of systems of one score matrix with one error probability, by sign
    flips of whole topics, and gives every system the ranks that remain (Mogstad, Romano, Shaikh and
    Wilhelm 2024)."""

def discriminative_power(
    scores: Scores | Sequence[Scores],
    *,
    groups: str | Mapping[str, str] | None = None,
    join: bool = False,
    alpha: float = 0.05,
    trials: int = 2000,
    seed: int = 0,
    mean: Literal['topics', 'groups'] | None = None,
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[Sequence[_RankResolutionPowers]]:
    """The share of pairs of systems that differ significantly by a randomised Tukey HSD test (Sakai 2006,
    Carterette 2012), one row per measure; all measures on the same systems and topics."""

def stability(
    scores: Scores | Sequence[Scores],
    *,
    groups: str | Mapping[str, str] | None = None,
    join: bool = False,
    stability: float = 0.95,
    level: float = 0.95,
    trials: int = 2000,
    seed: int = 0,
    topics: int | None = None,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    max_zero_topics: int | None = None,
    worst_percent: float | None = None,
    worst_count: int | None = None,
    log: float | bool | None = None,
    standardise: Literal['z', 'std-AB'] | None = None,
    reference_runs: str | Sequence[str] | None = None,
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[_StabilityStability]:
    """Variance components of topics x systems, stability of the ranking (E rho^2) and of the means (Phi)
    with intervals, and topics for a required value (Bodoff and Li 2007; Urbano, Marrero and Martin
    2013)."""

def repeats(
    scores: Scores | Sequence[Scores],
    *,
    kind: Literal['seeds', 'repeats', 'query-variations'],
    alpha: float = 0.05,
    beta: float = 0.2,
    min_d: float = 0.1,
    cost_topic: float = 0.1,
    cost_seed: float = 5.0,
    cost_cell: float = 0.02,
    measure: str = '',
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[_RepeatsAnswer]:
    """Variance components of scores with repeats, tests of every pair that allow for seeds, and the
    cheapest numbers of topics and repeats. A single file is a long table (topic, system, score, and
    seed, repeat or variant); of several files each contains one repeat."""

def judge(
    scores: Scores | None = None,
    *,
    human: str | None = None,
    runs: str | Sequence[str] | None = None,
    qrels_human: str | None = None,
    qrels_model: str | None = None,
    qrels_other: str | None = None,
    pair: Sequence[str | Sequence[str | float]] | None = None,
    alpha: float = 0.05,
    beta: float = 0.2,
    min_d: float = 0.1,
    budget: float = 100.0,
    cost_label: float = 2.0,
    cost_topic: float = 0.1,
    cost_call: float = 0.05,
    labels_are: Literal['random', 'chosen'] = 'random',
    marked: str | Sequence[str] | None = None,
    top_k: int = 1,
    score_precision: Literal['double', 'single'] = 'double',
    conventions: Literal['trec_eval', 'sakai-2016'] = 'trec_eval',
    relevance_level: int = 1,
    gains: Literal['linear', 'exponential'] | None = None,
    largest_grade: int | None = None,
    denominator: Literal['R', 'min'] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    repeat_column: str | None = None,
    judge_column: str | None = None,
    human_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
    measure: str | None = None,
) -> Answer[_JudgeStudyAnswer]:
    """The difference of two systems from many judge scores and few human labels (two-phase regression),
    the judge's bias, noise and agreement, and the best split of a budget. The file has columns topic,
    system, judge and human (empty without a label); repeated rows are judge calls. Or runs are scored
    by two sets of judgments, a model's and those of people for some topics; then rankings and judgments
    are compared, too."""

def subsets(
    scores: Scores | Sequence[Scores],
    *,
    groups: str | Mapping[str, str] | None = None,
    join: bool = False,
    side_by_side: bool | None = None,
    null: bool | None = None,
    agreement: Literal['pearson', 'kendall', 'error-rate'] | None = None,
    target: float | None = None,
    cardinality: str | Sequence[str | float] | None = None,
    method: Literal['auto', 'exact', 'exhaustive', 'local', 'guiver'] | None = None,
    trials: int | None = None,
    seed: int | None = None,
    nodes: int | None = None,
    splits: int | None = None,
    starts: int | None = None,
    holdout: Literal['runs', 'topics'] | None = None,
    choose_by: Literal['pearson', 'kendall', 'error-rate'] | None = None,
    choose_on: str | Sequence[str] | None = None,
    audit: str | Sequence[str | float] | None = None,
    unseen: str | Sequence[str] | None = None,
    replicates: int | None = None,
    judge_scores: Scores | None = None,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    max_zero_topics: int | None = None,
    worst_percent: float | None = None,
    worst_count: int | None = None,
    log: float | bool | None = None,
    standardise: Literal['z', 'std-AB'] | None = None,
    reference_runs: str | Sequence[str] | None = None,
    measure: str | None = None,
    collection: str | None = None,
    missing: Literal['refuse', 'drop-topics', 'drop-runs', 'zero'] = 'refuse',
    repeats: Literal['refuse', 'average'] = 'refuse',
    orientation: Literal['auto', 'topics-by-runs', 'runs-by-topics'] = 'auto',
    columns: str | Sequence[str] | None = None,
    topic_column: str | None = None,
    system_column: str | None = None,
    measure_column: str | None = None,
    value_column: str | None = None,
    repeat_column: str | None = None,
    group_column: str | None = None,
    leave_out: str | Sequence[str] | None = None,
    true: str | None = None,
    by_line: bool = False,
    split: str | None = None,
) -> Answer[Any]:
    """Agreement of subsets of topics with all topics in ranking the runs (Guiver, Mizzaro and Robertson
    2009): the best, the worst and the average subset of each cardinality. For GMAP give AP and log."""

def topic_variance(
    *,
    qrels: str,
    runs: str | Sequence[str],
    model: Literal['shared', 'bst', 'kde'] = 'shared',
    relevance_level: int = 1,
    denominator: Literal['drawn', 'fixed'] = 'drawn',
    bandwidth: Literal['scott', 'silverman'] = 'scott',
    trials: int = 1000,
    min_d: float = 0.1,
    alpha: float = 0.05,
    seed: int = 0,
    score_precision: Literal['double', 'single'] = 'double',
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    measure: str = 'AP',
) -> Answer[_TopicVarianceFindings]:
    """Treats the documents of a collection as a sample and resamples them: once for all runs (Cormack and
    Lynam 2006), or for each run separately (Yang, Zhang and Song 2018). Reports how often pairs of runs
    change their order and their significance, with standard errors over trials."""

def training_sensitivity(
    *,
    qrels: str | None = None,
    runs: str | Sequence[str] | None = None,
    values: str | None = None,
    model: Literal['bm25', 'pl2'] | None = None,
    topic_fields: Literal['title', 'full'] | None = None,
    expand: bool | None = None,
    paper_tables: bool | None = None,
    training_topics: str | None = None,
    test_topics: str | None = None,
    measure: str | Sequence[str] | None = None,
    reference: str = 'AP',
    levels: str | Sequence[str | float] = (1.0, 2.0, 3.0, 4.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0),
    samples: int = 10,
    splits: int = 10,
    worthwhile: float = 0.01,
    min_d: float = 0.1,
    seed: int = 0,
    optimiser: Literal['sweep', 'annealing'] = 'sweep',
    keep_one: bool = False,
    assumed_pool: Literal['auto', 'never', 'always'] = 'auto',
    relevance_level: int = 1,
    gains: Literal['linear', 'exponential'] = 'linear',
    score_precision: Literal['double', 'single'] | None = None,
    only_topics: str | Sequence[str] | None = None,
    only_systems: str | Sequence[str] | None = None,
    collection: str | PathLike[str] | None = None,
) -> Answer[Any]:
    """Chooses the setting of a parameter sweep by several measures, with parts of the judgments of the
    training topics, and compares the settings on test topics (He, Macdonald and Ounis 2008). The sweep
    is yours (qrels, runs), or is made here from a small collection (collection, model)."""
