"""Every format brought to the page of score matrices: read, said what it was taken for, and used."""

import pytest

from tests.pages.app import errors, healthy, open_app
from tests.pages.uploading import PAGE, opened, texts
from tests.parsing.formats_page import FORMATS, NO_SCORES, Format, read


@pytest.mark.parametrize("one", FORMATS, ids=[one.name for one in FORMATS])
def test_every_format_is_read_and_explained_on_the_page(one: Format) -> None:
    made = one.make()
    app = open_app(PAGE)
    files = [(name, content.encode(), "application/octet-stream") for name, content in made.files]
    healthy(app.file_uploader[0].set_value(files).run())
    assert not errors(app)
    n_matrices = len(read(made).matrices)
    said = texts(opened(app, "cards") if n_matrices > 12 else app)
    assert one.recognised in said
    for measure in made.scores:
        assert f"({measure}): " in said


@pytest.mark.parametrize(("name", "file", "content"), NO_SCORES, ids=[name for name, _, _ in NO_SCORES])
def test_what_holds_no_scores_is_refused_on_the_page(name: str, file: str, content: str) -> None:
    app = open_app(PAGE)
    healthy(app.file_uploader[0].set_value((file, content.encode(), "")).run())
    (error,) = errors(app)
    assert error.startswith(f"{file}, line 1: expected scores of"), name


def test_the_uploader_takes_files_of_any_name_and_says_what_it_reads() -> None:
    app = open_app(PAGE)
    # A nev file, a tsmatrix and a run without an ending are told by what is in them.
    assert app.file_uploader[0].allowed_type == []
    assert any("**NTCIREVAL** (nev, Dnev, Topicsys-matrix)" in one.value for one in app.markdown)
