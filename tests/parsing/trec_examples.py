"""Shared by tests of runs and judgments: runs and archives made on the spot."""

import io
import tarfile
from collections.abc import Mapping
from types import MappingProxyType

from topicset_core.collection import Run


def run_text(*rows: tuple[str, str, object], tag: str = "t") -> bytes:
    """Lines of a run out of topic, document and score; ranks are all 1, since they are ignored."""
    return "".join(f"{topic} Q0 {document} 1 {score} {tag}\n" for topic, document, score in rows).encode()


def tarred(
    members: Mapping[str, bytes],
    mode: str = "w",
    kinds: Mapping[str, bytes] = MappingProxyType({}),
    form: int = tarfile.DEFAULT_FORMAT,
) -> bytes:
    """A tar archive; `kinds` are those of members that are no files."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode, format=form) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.type = kinds.get(name, tarfile.REGTYPE)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


def documents_of(run: Run) -> dict[str, list[str]]:
    """The documents of each topic, best first."""
    return {
        topic: [document.decode() for document in run.documents[begin:end].tolist()]
        for topic, begin, end in zip(run.topics, run.starts, run.starts[1:], strict=False)
    }
