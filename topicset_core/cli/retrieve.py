"""``retrieve``: a run over a small collection, one setting of a sweep."""

import argparse
import gzip
import os
from pathlib import Path
from typing import Any, get_args

from topicset_core.cli import options as common
from topicset_core.collection.run import Run, trec_run
from topicset_core.collection.text_collection import TextCollection, TopicFields
from topicset_core.errors import InputError
from topicset_core.exports.answer import Answer
from topicset_core.inputs import default_of
from topicset_core.parsing.text_collection import read_text_collection
from topicset_core.retrieval import (
    MODELS,
    N_DOCUMENTS,
    Expansion,
    Model,
    Search,
    build_index,
    build_queries,
)
from topicset_core.retrieval.search import EXPAND_DOCUMENTS, EXPAND_TERMS


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``retrieve``."""
    parser.description = (
        "Searches a small collection for all its topics and writes a TREC run: BM25 or PL2, as in He, "
        "Macdonald and Ounis (2008), with query expansion by Bo1 as an option. Stop words are dropped and "
        "words are stemmed by Porter's stemmer."
    )
    parser.add_argument(
        "--collection",
        required=True,
        type=Path,
        metavar="DIR",
        help="folder with documents.jsonl (id, title, text) and topics.jsonl (id, text), or TREC topics in "
        "topics.txt; gz",
    )
    parser.add_argument("--model", required=True, choices=[model.name for model in MODELS])
    for model in MODELS:
        usual = f"{model.parameter.default:g}, of {model.name}"
        common.add_parameter(parser, model.parameter, None, usual)
    for parameter in (EXPAND_DOCUMENTS, EXPAND_TERMS):
        common.add_parameter(parser, parameter, None, "queries are not expanded by Bo1")
    parser.add_argument(
        "--topic-fields",
        choices=get_args(TopicFields),
        default="title",
        help="full: title, description and narrative of TREC topics; default title",
    )
    common.add_parameter(parser, N_DOCUMENTS, default_of(N_DOCUMENTS))
    parser.add_argument("--tag", help="name of the run; default: the model")
    parser.add_argument(
        "--output", required=True, type=Path, metavar="FILE", help="the run; in gzip if the name ends in .gz"
    )
    common.add_output(parser, charts=False)


def run(options: argparse.Namespace) -> Answer[Run]:
    """Write the run, whole or not at all, and report its contents."""
    model, expansion = _model(options), _expansion(options)
    N_DOCUMENTS.check(options.n_documents)
    if options.output.exists() and not options.output.is_file():
        raise InputError("--output", str(options.output), "must be a file")
    if not options.output.parent.is_dir():
        raise InputError("--output", str(options.output), "must be in an existing folder")
    tag = model.name if options.tag is None else options.tag
    if tag.split() != [tag]:
        raise InputError("--tag", tag, "must be a name without white space")
    read = read_text_collection(options.collection, with_qrels=False)
    search = _search(read.collection, options.topic_fields)
    result = search.run(model, expansion, n_documents=options.n_documents, tag=tag)
    _write(options.output, trec_run(result))
    returned = set(result.topics)
    record = {
        "collection": read.collection.name,
        "model": model.name,
        **{name: value for name, value in vars(model).items() if not name.startswith("_")},
        "expand_documents": expansion.documents if expansion else None,
        "expand_terms": expansion.terms if expansion else None,
        "topic_fields": options.topic_fields,
        "tag": result.tag,
        "topics": result.n_topics,
        "documents": int(result.documents.size),
        "topics_without_documents": [t.id for t in read.collection.topics if t.id not in returned],
        "output": str(options.output),
        "recognised": list(read.notes),
    }
    return Answer(text=_text(record), record=record, answer=result)


def _model(options: argparse.Namespace) -> Model:
    """Return the model; a parameter of another one is refused."""
    for model in MODELS:
        name = model.parameter.name
        value = getattr(options, name)
        if model.name == options.model:
            chosen = model() if value is None else model(**{name: value})
        elif value is not None:
            raise InputError(f"--{name}", value, f"is a parameter of {model.name}")
    return chosen


def _expansion(options: argparse.Namespace) -> Expansion | None:
    documents, terms = options.expand_documents, options.expand_terms
    if documents is None and terms is None:
        return None
    if documents is None or terms is None:
        missing = EXPAND_DOCUMENTS if documents is None else EXPAND_TERMS
        raise InputError(missing.name, None, "must be given with the other one, to expand queries")
    return Expansion(documents=documents, terms=terms)


def _search(collection: TextCollection, fields: TopicFields) -> Search:
    if fields == "full" and not any(topic.has_fields for topic in collection.topics):
        raise InputError("--topic-fields", fields, "must be title: no topic has a description or a narrative")
    index = build_index(collection.documents)
    return Search(index, build_queries(collection.topics, index, fields))


def _write(output: Path, content: bytes) -> None:
    """Write under another name next to it and rename, so that no half of a file is ever there."""
    if output.name.endswith(".gz"):
        content = gzip.compress(content, mtime=0)  # the same run is the same file
    target = output.resolve()  # the target of a link is written, and the link stays
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _text(record: dict[str, Any]) -> str:
    lines = [
        *record["recognised"],
        f"Run {record['tag']}: {record['topics']:,} topics, {record['documents']:,} documents; written to "
        f"{record['output']}.",
    ]
    missing = record["topics_without_documents"]
    if missing:
        lines.append(f"No document has a word of these topics: {', '.join(missing)}.")
    return "\n".join(lines)
