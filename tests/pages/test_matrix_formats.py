"""Every format uploaded to the page of score matrices: imported, described and used."""

import pytest

from docs.makers.formats import FORMATS, NO_SCORES, Format, read, refusal
from tests.pages.app import as_it_reads, errors, healthy, open_app, texts, uploaders
from tests.pages.uploading import PAGE, opened


@pytest.mark.parametrize("one", FORMATS, ids=[one.name for one in FORMATS])
def test_every_format_is_read_and_explained_on_the_page(one: Format) -> None:
    new = one.make()
    app = open_app(PAGE)
    files = [(name, content.encode(), "application/octet-stream") for name, content in new.files]
    healthy(uploaders(app)[0].set_value(files).run())
    assert not errors(app)
    expected = read(new)
    uploads = [one.matrix for one in app.session_state["loaded_scores"]]
    assert [(matrix.measure, matrix.digest) for matrix in uploads] == [
        (matrix.measure, matrix.digest) for matrix in expected.matrices
    ]
    shown = texts(opened(app, "cards") if len(uploads) > 12 else app)
    for matrix, sentences in zip(expected.matrices, expected.notes, strict=True):
        assert f"({matrix.measure}): {as_it_reads(' '.join(sentences))}" in shown


def test_files_without_scores_are_refused_on_the_page() -> None:
    app = open_app(PAGE)
    for name, file, content in NO_SCORES:
        healthy(uploaders(app)[0].set_value((file, content.encode(), "")).run())
        assert errors(app) == [str(refusal(file, content))], name


def test_the_uploader_takes_files_of_any_name() -> None:
    # A nev file, a tsmatrix and a run without an ending are recognised by their content.
    assert uploaders(open_app(PAGE))[0].allowed_type == []
