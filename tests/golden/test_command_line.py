"""Output of every command is unchanged: text, record, help and refusals."""

# ruff: noqa: E501 - command lines

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import refusal, text
from tests.golden import page_scenarios as given
from tests.golden.comparing import RecordsBySubject
from tests.golden.files import described, printed, record, without_versions
from tests.golden.names import once
from topicset_core.cli import COMMANDS, main

COMMAND_LINES = """
size paired-t --alpha .05 --beta .20 --min-d .10 --variance .0471 --json
size paired-t --alpha .05 --beta .20 --min-delta .5
size paired-t --alpha .05 --beta .20 --min-d .10 --difference-variance .0942 --method published
size two-sample-t --alpha .05 --beta .20 --min-d .10 --variance .0471 --json
size anova --alpha .05 --beta .20 --min-d .10 --variance .0471 --systems 10 --json
size anova --alpha .05 --beta .20 --min-d .10 --variance .0471 --systems 10 --method published
size non-inferiority --alpha .05 --beta .20 --margin .05 --difference-variance .0257 --json
size equivalence --alpha .05 --beta .20 --margin .05 --true-difference .01 --variance .0471
size paired-t --alpha .05 --beta .20 --min-d .10 --difference-variance .25 --assurance .8 --effective-df 24 --json
size ci --alpha .05 --max-width .10 --variance .0471 --json
size paired-t --alpha .05 --beta .20 --min-d .05 --difference-variance .03 --group-size 12 --intraclass-correlation .2 --cost-group 5 --cost-topic 1 --json
size two-sample-ci --alpha .05 --max-width .10 --variance .0471
size error-rate --max-error .05 --min-d .05 --variance .0471 --json
size paired-t --alpha .05 --beta .20 --topics 50 --variance .0471 --json
size anova --alpha .05 --min-d .10 --systems 10 --topics 50 --variance .0471 --json
size ci --alpha .05 --topics 147 --variance .0471 --json
size ci --alpha .05 --topics 147 --variance .0471 --max-width .1 --json
size anova --alpha .05 --beta .20 --min-d .10 --systems 10 --scores wide.csv --measure AP --json
size paired-t --alpha .05 --beta .20 --min-d .10 --scores wide.csv --measure AP --estimate mean-of-pairs
size looks --looks 3 --spending obrien-fleming --alpha .05 --beta .20 --min-d .10 --variance .0471 --json
size looks --looks 2 --spending lan-demets-pocock --alpha .05 --beta .20 --min-delta .5
size looks --looks 4 --alpha .05 --beta .20 --min-d .10 --scores wide.csv --measure AP
size looks --looks 3 --alpha .05 --min-d .10 --topics 50 --variance .0471 --json
size top-up --pilot 20 --alpha .05 --beta .20 --min-d .10 --variance .0471 --json
compare --variance AP:.0471 nERR:.0798 --levels .05,.20 .02,.10 --min-d .1 .00001 --method published --json
compare wide.csv --measure AP --levels .05,.20 --systems 5 20 --min-delta .2 --json
compare two_ap.csv other_rr.csv --levels .05,.20 --min-d .2 --json
reported paired-t --t .953 --topics 28 --alpha .05 --beta .20 --json
reported paired-t --t .953 --topics 28 --alpha .05 --beta .20 --n-again 50
reported paired-t --t 2.4 --topics 50 --alpha .05 --beta .20
reported anova --f 2.145 --systems 2 --topics 5 --alpha .05 --beta .20 --n-again 50 --json
reported two-sample-t --t 2.1 --topics 20 30 --alpha .05 --beta .20
reported anova --f 2.145 --systems 2 --topics 5 --alpha .05 --beta .20
variance scores.csv second.csv --json
variance scores.csv --worst-percent 40 --log .01 --json
variance gaps.csv --missing zero
variance twice.csv --repeats average --json
variance constant.csv
evaluate --qrels mine.qrels --run runs/tiny1.run runs/tiny2.run runs/third.run --measure AP nDCG@5 P@3 ERR@5 --json
evaluate --qrels mine.qrels --run runs/tiny1.run runs/tiny2.run runs/third.run --measure Q bpref --relevance-level 2 --output out.csv --json
pool-depth --qrels mine.qrels --runs runs --measure AP --depths 2,4,6 --design anova --alpha .05 --beta .20 --min-d .2 --systems 5 --budget 1000 --json
pool-depth --qrels mine.qrels --runs runs --measure AP --measure nDCG --design ci --alpha .05 --max-width .3 --json
pool-depth --qrels mine.qrels --runs runs --measure AP --design paired-t --alpha .05 --beta .20 --min-d .2 --budget 1
error-rate wide.csv --trials 50 --cardinalities 10 --with-replacement --json
error-rate long.csv --trials 200 --with-replacement --max-error .1 --min-d .03 --topics 40 --json
leaderboard wide.csv --json
leaderboard scores.csv --trials 500 --seed 3 --alpha .1 --top-k 2 --json
leaderboard long.csv --floor 0 --lower-is-better
leaderboard wide.csv --pair r1 r2 --json
leaderboard constant.csv
discriminative-power scores.csv --trials 500 --seed 3 --json
compare-two wide.csv --pair r1 r2 --margin .5 --json
compare-two wide.csv --pair r1 r3 --only-topics 1-9 --margin .9 --alpha .1
compare-two runs/tiny1.run runs/tiny2.run --qrels mine.qrels --measure AP --margin .9
check wide.csv --trials 200 --topics 20 --min-d .1 --json
check scores.csv --trials 200 --test two-sample-t --min-d .2 --shift bounded --json
check wide.csv --trials 200 --test wilcoxon --effect own --topics 12 --pairs 5
check long.csv --trials 200 --test randomised-tukey --systems 3 --topics 12 --permutations 99 --pairs 4
check wide.csv --test one-way-f --systems 4 --trials 200 --pairs 5
check right.csv --test mcnemar --topics 30 --min-d .3 --trials 200 --json
leaderboard right.csv --pair r1 r3 --trials 200 --json
stability wide.csv --json
stability scores.csv --stability .9 --level .9 --topics 100
repeats seeds.csv --kind seeds --cost-topic 1 --cost-seed 5 --json
repeats seeds.csv --kind repeats --min-d .1 --cost-cell .1 --json
judge labels.csv --pair a b --budget 100 --cost-label 2 --cost-topic .1 --cost-call .05 --min-d .1 --json
judge labels.csv
judge labels.csv --budget 3 --cost-label 1 --cost-topic .1 --cost-call .1
subsets scores.csv --cardinality 1-6 --trials 200 --json
subsets scores.csv --cardinality 1-6 --trials 200 --goodness kendall --target .8
subsets long.csv --cardinality 2,5 --method exact --trials 200
subsets long.csv --cardinality 2,5 --method guiver --trials 200 --goodness error-rate
subsets wide.csv --cardinality 2,5 --holdout runs --splits 3 --starts 1 --trials 10 --json
subsets wide.csv --cardinality 2,5 --holdout topics --splits 3 --starts 1 --trials 10 --json
subsets wide.csv --cardinality 2,5 --null --replicates 19 --splits 3 --starts 1 --json
subsets wide.csv --audit topics.txt --trials 100 --splits 3 --starts 1 --json
topic-variance --qrels mine.qrels --runs runs --trials 50 --json
topic-variance --qrels mine.qrels --runs runs --model bst --trials 50
topic-variance --qrels mine.qrels --runs runs --model kde --trials 50 --measure P@5 --relevance-level 2 --json
training-sensitivity --qrels judged.qrels --runs sweep --samples 3 --levels 10,50 --json
training-sensitivity --qrels judged.qrels --runs sweep --samples 3 --levels 10,50 --optimiser annealing --measure nDCG
training-sensitivity --collection collection --model bm25 --samples 2 --levels 20
retrieve --collection collection --model bm25 --b .4 --output run.txt --json
retrieve --collection collection --model pl2 --c 2 --expand-documents 3 --expand-terms 5 --output run.txt --json
""".strip().splitlines()

REFUSED = """
size equivalence --alpha .05 --beta .20 --margin .05 --true-difference .05 --variance .0471
size paired-t --alpha .05 --beta .20 --min-d .10 --difference-variance .25 --assurance .8
size paired-t --alpha .05 --beta .20 --min-d .10 --scores wide.csv --effective-df 24
size paired-t --alpha .05 --beta .20 --min-delta .5 --assurance .8 --effective-df 24
size top-up --pilot 20 --alpha .05 --beta .20 --min-d .10 --variance .0471 --assurance .8 --effective-df 19
size anova --alpha .05 --beta .20 --min-d .10 --variance .0471
size paired-t --alpha 5 --beta .20 --min-delta .5
size paired-t --alpha x --beta .20 --min-delta .5
size paired-t --alpha .05 --beta .20 --min-delta 1e-6
size ci --alpha .05 --beta .2 --max-width .1 --variance .05
size anova --alpha .02 --beta .2 --min-delta .5 --systems 3 --method published
size paired-t --alpha .05 --topics 50 --variance .0471
size paired-t --alpha .05 --beta .20 --min-d .10 --scores wide.csv --measure AP --estimate one-way
size paired-t --alpha .05 --beta .20 --min-d .10 --scores wide.csv --measure AP --variance .05
size looks --looks 6 --alpha .05 --beta .20 --min-delta .5
size looks --looks 3 --alpha 1e-12 --beta .20 --min-delta .5
size non-inferiority --alpha .6 --beta .20 --margin .05 --difference-variance .0257
size non-inferiority --alpha .05 --beta .20 --margin .05
size non-inferiority --alpha 1e-9 --beta .0001 --topics 2 --difference-variance 1
size paired-t --alpha 1e-300 --beta .20 --min-delta .5
size paired-t --alpha 1e-99 --beta 1e-5 --topics 2 --difference-variance 1 --method published
size paired-t --alpha .05 --beta .20 --min-d .10 --variance .25 --assurance .8 --effective-df 24 --method published
size paired-t --alpha .05 --beta .20 --min-d .10 --variance .0471 --only-topics 1
size
size paired-t --alpha .05 --beta .20 --min-d .10
size paired-t --alpha .05 --beta .20
size paired-t --alpha .05 --min-delta .5
size paired-t --alpha .05 --beta .20 --min-d .10 --min-delta .5 --variance .05
size paired-t --alpha .05 --beta .20 --min-d .10 --variance 1 --difference-variance 2
size paired-t --alpha .05 --beta .20 --min-delta .5 --systems 10
size ci --alpha .05 --max-width .1
size two-sample-t --alpha .05 --beta .20 --min-d .10 --difference-variance .1
size paired-t --alpha nan --beta .20 --min-delta .5
size anova --alpha .05 --beta .20 --min-delta .5 --systems 1001
size anova --alpha .05 --beta .20 --min-delta .5 --systems 2.5
size paired-t --alpha .05 --beta .20 --min-delta .5 --method excel
size anova-two-way --alpha .05 --beta .20 --min-delta .5
size paired-t --alpha .05 --beta .20 --min-del .5
size paired-t --alpha .05 --beta .20 --min-d .10 --variance .05 --chart drawn.html --figure none
size ci --alpha .05 --max-width .1 --variance .05 --chart drawn.html --figure none
size paired-t --alpha .05 --beta .20 --min-delta .5 --chart drawn.html
compare --levels .05,.20
compare --variance AP --levels .05,.20
compare --variance AP:.05 --levels .05
reported paired-t --t 2 --topics 20 30 --alpha .05 --beta .20
variance gaps.csv
variance twice.csv
variance none.csv
variance runs/tiny1.run
variance broken.csv
variance wide.csv --worst-percent 100
variance wide.csv --worst-percent nan
variance wide.csv --worst-count 8
variance wide.csv --worst-count 3 --worst-percent 5
variance wide.csv --max-zero-topics -1
variance wide.csv --log 0
variance wide.csv --standardise t
variance wide.csv --standardise z --reference-runs nobody else
variance wide.csv --reference-runs r1 r2
variance wide.csv --only-topics 999
variance wide.csv --only-topics 500-550
variance wide.csv --only-systems uogTr*
variance wide.csv --only-systems r1,zz
evaluate --qrels mine.qrels --run runs/tiny1.run runs/tiny2.run runs/third.run --measure MAPP
evaluate --qrels runs/tiny1.run --run mine.qrels --measure AP
evaluate --qrels mine.qrels --run runs/tiny1.run
evaluate --qrels mine.qrels --run runs/tiny1.run --measure AP --relevance-level 0
evaluate --qrels mine.qrels --run runs/tiny1.run --measure AP --relevance-level 5
evaluate --qrels mine.qrels --run runs/tiny1.run --measure AP --output .
evaluate --qrels mine.qrels --run runs/tiny1.run --measure AP --gains square
evaluate --qrels mine.qrels --run runs/tiny1.run --measure nERR-IA@10
evaluate --qrels mine.qrels --run mine.qrels --measure AP
evaluate --qrels mine.qrels --run runs/tiny1.run runs/tiny1.run --measure AP
evaluate --qrels absent --run runs/tiny1.run --measure AP
evaluate --qrels mine.qrels --run alone.run --measure AP
evaluate --qrels mine.qrels --run runs/tiny1.run runs/tiny2.run --measure AP P@5 --chart drawn.html --figure none
pool-depth --qrels mine.qrels --runs runs --measure AP --design paired-t --alpha .05
pool-depth --qrels mine.qrels --runs runs --measure AP --design paired-t --alpha .05 --beta .20
pool-depth --qrels mine.qrels --runs runs --measure AP --design ci --alpha .05 --max-width .1 --beta .2
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --depths 0,10
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --depths ten
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --depths "10 -20"
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --depths 123456
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --measure MAPP
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --measure AP
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --relevance-level 0
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --budget=inf
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --budget=nan
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --budget=0
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --budget=-5
pool-depth --qrels runs/tiny1.run --runs mine.qrels --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10
pool-depth --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10
pool-depth --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --variance -1
pool-depth --runs runs --measure AP --measure Q --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --variance .05
pool-depth --qrels mine.qrels --runs runs --measure AP --design anova --alpha .05 --beta .20 --min-d .10 --systems 10 --variance .05
pool-depth --qrels mine.qrels --runs runs --measure AP --depths 2,5 --design ci --alpha .05 --max-width .1 --chart drawn.html --figure none
error-rate long.csv --trials 200 --seed 3 --cardinalities 2 5 10 15
error-rate long.csv --trials 200 --runs-pair nobody noone
error-rate constant.csv
error-rate long.csv --trials 0
error-rate long.csv --trials x
error-rate long.csv --seed -1
error-rate long.csv --max-error .5
error-rate long.csv --min-d 0
error-rate long.csv --topics 0
error-rate long.csv --worst-percent 100
error-rate scores.csv second.csv
error-rate wide.csv --trials 20 --chart drawn.html --figure none
error-rate absent.csv --chart drawn.jpeg
leaderboard wide.csv --pair r1 nobody
leaderboard wide.csv --top-k 8
leaderboard wide.csv --alpha 0
discriminative-power wide.csv long.csv
discriminative-power wide.csv --alpha 0
discriminative-power wide.csv --trials 0
compare-two wide.csv
compare-two wide.csv --pair r1 nobody
compare-two runs/tiny1.run runs/tiny2.run --qrels mine.qrels
compare-two runs/tiny1.run runs/tiny2.run --qrels mine.qrels --measure AP --missing zero
compare-two scores.csv --relevance-level 2
check wide.csv --test tukey --systems 50
check wide.csv --test sign-flip --alpha .001
check wide.csv --test mcnemar
check right.csv --test mcnemar --shift bounded
check right.csv --test mcnemar --null centred
check wide.csv --shift bounded --min-d .99
check constant.csv
stability wide.csv --topics 1
stability constant.csv
repeats seeds.csv --kind query-variations --min-d 0
repeats scores.csv --kind seeds
repeats seeds.csv --kind seeds --cost-topic -1
judge labels.csv --pair a d
judge labels.csv --budget 9 --cost-label 0 --cost-topic .1 --cost-call .1
judge scores.csv
subsets wide.csv --audit none.txt
subsets wide.csv --side-by-side --null
subsets wide.csv --side-by-side --measure AP
subsets constant.csv
subsets scores.csv --cardinality 13
subsets scores.csv --cardinality two
subsets scores.csv --goodness rho
subsets scores.csv --method sure
subsets scores.csv --trials 1
subsets scores.csv --seed -3
subsets scores.csv --replicates 19
subsets scores.csv --null
subsets one.csv
subsets equal_means.csv
subsets wide.csv --splits 3
subsets wide.csv --choose-by kendall
subsets wide.csv --unseen r1
subsets wide.csv --holdout runs --method local
subsets wide.csv --holdout teams
subsets wide.csv --holdout runs --audit topics.txt
subsets wide.csv --holdout runs --splits 1
subsets wide.csv --holdout runs --starts -1
subsets wide.csv --holdout topics --cardinality 9
subsets wide.csv --holdout runs --log --judge-scores x
subsets wide.csv --holdout runs --judge-scores absent.csv
subsets wide.csv --holdout runs --worst-count 3
subsets wide.csv --audit unknown.txt
subsets wide.csv --audit repeated.txt
subsets wide.csv --audit empty.txt
subsets wide.csv --audit every.txt
subsets wide.csv --audit topics.txt --cardinality 3
subsets wide.csv --audit topics.txt --unseen me
subsets wide.csv --method local --cardinality 2-3 --chart drawn.html --figure none
subsets wide.csv --holdout runs --splits 4 --starts 0 --cardinality 2-3 --chart drawn.html --figure none
subsets wide.csv --audit topics.txt --trials 100 --splits 4 --starts 0 --chart drawn.html --figure none
topic-variance --qrels mine.qrels --runs runs --model bst --trials 0
topic-variance --qrels mine.qrels --runs runs --model bst --measure P
topic-variance --qrels mine.qrels --runs runs --model bst --measure P@0
topic-variance --qrels mine.qrels --runs runs --model bst --measure P@x
topic-variance --qrels mine.qrels --runs runs --model bst --measure bpref
topic-variance --qrels mine.qrels --runs runs --model bst --relevance-level 3
topic-variance --qrels mine.qrels --runs three_columns.run runs/tiny1.run --model bst --trials 5
topic-variance --qrels other.qrels --runs runs --model bst --trials 5
topic-variance --qrels mine.qrels --runs runs/tiny1.run finds_nothing.run --model bst --trials 5
topic-variance --qrels mine.qrels --runs runs/tiny1.run --model bst --trials 5
topic-variance --qrels mine.qrels --runs absent --model bst --trials 5
topic-variance --qrels mine.qrels --runs runs --model bst --measure P@5 --trials 20 --chart drawn.html --figure none
training-sensitivity --qrels judged.qrels
training-sensitivity --collection collection --paper-tables --only-topics 1,2
training-sensitivity --collection collection --paper-tables --model bm25
training-sensitivity --qrels judged.qrels --runs sweep --levels 10,10
training-sensitivity --qrels judged.qrels --runs sweep --training-topics topics.txt --test-topics topics.txt --splits 3
training-sensitivity --runs sweep
training-sensitivity --collection collection
training-sensitivity --collection collection --model bm25 --qrels x
training-sensitivity --qrels judged.qrels --runs sweep --model bm25
training-sensitivity --qrels judged.qrels --runs sweep --levels a
training-sensitivity --qrels judged.qrels --runs sweep --levels 0
training-sensitivity --qrels judged.qrels --runs sweep --test-topics x
training-sensitivity --qrels judged.qrels --runs sweep --relevance-level 7
training-sensitivity --qrels judged.qrels --runs sweep --parameters judged.qrels
training-sensitivity --qrels judged.qrels --runs sweep --samples 3 --levels 10,50 --chart drawn.html --figure none
retrieve --collection none --model bm25 --output run.txt
retrieve --collection collection --output run.txt
retrieve --collection collection --output run.txt --model bm25 --c 1
retrieve --collection collection --output run.txt --model pl2 --b 1
retrieve --collection collection --output run.txt --model bm25 --b 2
retrieve --collection collection --output run.txt --model pl2 --c 0
retrieve --collection collection --output run.txt --model tfidf
retrieve --collection collection --output run.txt --model bm25 --expand-terms 3
retrieve --collection collection --output run.txt --model bm25 --expand-documents 3
retrieve --collection collection --output run.txt --model bm25 --expand-documents 1 --expand-terms 3
retrieve --collection collection --output run.txt --model bm25 --documents 0
retrieve --collection collection --output run.txt --model bm25 --tag 'a b'
retrieve --collection collection --output run.txt --model bm25 --topic-fields abstract
retrieve --collection collection --output run.txt --model bm25 --topic-fields full
retrieve --collection collection --output . --model bm25
retrieve --collection collection --output absent/run.txt --model bm25
retrieve --collection repeating --output run.txt --model bm25
""".strip().splitlines()


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compare with the record of the page or command."""
    return snapshot.use_extension(RecordsBySubject)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one small file of each kind."""
    root = tmp_path_factory.mktemp("given")
    write_files(root)
    return root


def write_files(root: Path) -> None:
    """Write one small file of each kind."""
    wide = b"topic," + b",".join(b"r%d" % run for run in range(8)) + b"\n"
    for topic in range(1, 17):
        wide += (
            b"%d," % topic + b",".join(b"0.%02d" % ((topic * s**2 + s) % 97) for s in range(2, 10)) + b"\n"
        )
    right = b"topic,r1,r2,r3,r4\n"
    for topic in range(1, 25):
        right += b"%d," % topic + b",".join(b"%d" % (topic * s**2 % 97 > 9 * s) for s in (3, 4, 5, 7)) + b"\n"
    for name, content in {
        "right.csv": right,
        "scores.csv": given.SCORES,
        "second.csv": given.SECOND,
        "long.csv": given.LONG_SCORES,
        "wide.csv": wide,
        "gaps.csv": given.GAPS,
        "twice.csv": given.TWICE,
        "constant.csv": given.CONSTANT,
        **{f"runs/{name}": content for name, content in given.RUNS},
        "mine.qrels": given.QRELS,
        "judged.qrels": given.JUDGED,
        "two_ap.csv": b"topic,a,b\n1,.2,.4\n2,.5,.4\n3,.1,.3\n",
        "other_rr.csv": b"topic,a,c\n7,.2,.5\n8,.5,.4\n9,1,.3\n",
        "seeds.csv": given.SEEDS,
        "labels.csv": given.LABELS,
        "topics.txt": b"1\n4\n9\n",
        "broken.csv": b"topic,x,y\n1,0.1,0.2\n2,0.3,high\n",
        "one.csv": given.ONE_RUN,
        "equal_means.csv": b"topic,a,b\n1,0.2,0.3\n2,0.3,0.2\n",
        "unknown.txt": b"1\n999\n",
        "repeated.txt": b"1\n4\n1\n",
        "empty.txt": b"# none\n",
        "every.txt": "\n".join(map(str, range(1, 17))).encode(),
        "alone.run": b"7 Q0 a 1 1.0 alone\n",
        "three_columns.run": b"1 2 3\n",
        "finds_nothing.run": b"1 Q0 nothing 1 5.0 none\n2 Q0 nothing 1 5.0 none\n",
        "other.qrels": b"99 0 d1 1\n",
        "repeating/documents.jsonl": b'{"id": 1, "text": "ox"}\n' * 2,
        "repeating/topics.jsonl": given.TOPICS,
        "collection/documents.jsonl": given.DOCUMENTS,
        "collection/topics.jsonl": given.TOPICS,
        "collection/qrels.txt": given.JUDGED,
        **{f"sweep/{name}": content for name, content in given.SWEEP},
    }.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


def _printed(command: str, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    """Run a command, and again for its record; give what it prints and writes."""
    before = set(Path().iterdir())
    plain = command.removesuffix(" --json")
    yield from printed(text(capsys, *shlex.split(plain)))
    written = sorted(set(Path().iterdir()) - before)
    yield from described({path.name: path.read_bytes() for path in written})
    if plain != command:
        yield from ("with --json", *record(without_versions(text(capsys, *shlex.split(command)))))
    for path in written:  # else the next command would write nothing new
        path.unlink()


@pytest.mark.parametrize("command", COMMAND_LINES, ids=COMMAND_LINES)
def test_command_prints(
    command: str,
    golden: SnapshotAssertion,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    assert without_versions("\n".join(once(_printed(command, capsys)))) == golden


@pytest.mark.parametrize("command", dict.fromkeys(line.split()[0] for line in REFUSED))
def test_refusals(
    command: str,
    golden: SnapshotAssertion,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    before = set(folder.iterdir())
    lines = []
    for line in REFUSED:
        if line.split()[0] == command:
            reason = refusal(capsys, *shlex.split(line)).removeprefix("topicset: ")
            assert not re.match(r"[a-z_]+ = ", reason)  # an identifier of Python
            lines.append(f"{line}: {reason}")
    assert "\n".join(lines) == golden
    assert set(folder.iterdir()) == before


COMMAND_NAMES = [name.replace("-", "_") for name in COMMANDS]


@pytest.fixture(scope="module")
def helps() -> dict[str, list[str]]:
    """The lines of the help of each command, an option a line."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "1000")
        return {command: _help(command) for command in COMMAND_NAMES}


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_help(command: str, golden: SnapshotAssertion, helps: dict[str, list[str]]) -> None:
    shared = _shared(helps)
    own = [line for line in helps[command] if line not in shared]
    names = [line.split()[0] for line in helps[command] if line in shared and line.lstrip()[0] == "-"]
    assert "\n".join([*own, f"and {' '.join(names)}"]) == golden


def test_help_of_all(golden: SnapshotAssertion, helps: dict[str, list[str]]) -> None:
    assert "\n".join([*_help(""), "Options of several commands:", *_shared(helps)]) == golden


def _shared(helps: dict[str, list[str]]) -> list[str]:
    every = [line for lines in helps.values() for line in lines]
    return [line for line in dict.fromkeys(every) if every.count(line) > 2]


def _help(command: str) -> list[str]:
    """Return a help text, a line an option, without what versions of argparse do differently."""
    with pytest.raises(SystemExit), contextlib.redirect_stdout(io.StringIO()) as printed_there:
        main([*command.replace("_", "-").split(), "--help"])
    _, _, options = printed_there.getvalue().partition("\n\n")
    joined = re.sub(r"\n {10,}", "  ", options.strip())
    joined = re.sub(r"(--[\w-]+) (?:[A-Z]+|\{[\w,-]+\})(?=, --)", r"\1", joined)
    return [line for line in joined.splitlines() if line.strip()]
