"""Bringing files to the page of score matrices, and pressing what is on it."""

import re
import time

from streamlit.testing.v1 import AppTest

from tests.pages.app import healthy, open_app
from tests.reference_data import reference_file

LONGEST_WAIT_SECONDS = 60  # against hanging
PAGE, ANOVA = "pages/score_matrices.py", "pages/one_way_anova.py"


def upload(app: AppTest, **files: str) -> AppTest:
    """Upload texts as CSV files, one after the other."""
    for name, text in files.items():
        app.file_uploader[0].upload(f"{name}.csv", text.encode(), "text/csv")
        healthy(app.run())
    return app


def with_public(*names: str) -> AppTest:
    """Open the page and upload files of matrices/, by their names without extension."""
    app = open_app(PAGE)
    return upload(app, **{name: reference_file("matrices", f"{name}.csv").read_text() for name in names})


def press(app: AppTest, label: str) -> AppTest:
    """Press the one button with this label."""
    (button,) = [found for found in app.button if found.label == label]
    return healthy(button.click().run())


def settled(app: AppTest) -> AppTest:
    """Run the page until no job is under way."""
    waited = time.monotonic()
    while any(button.label == "Cancel" for button in app.button):
        assert time.monotonic() - waited < LONGEST_WAIT_SECONDS
        time.sleep(0.1)
        healthy(app.run())
    return app


def opened(app: AppTest, key: str) -> AppTest:
    """Open an expander whose content is drawn on demand."""
    app.session_state[f"score_matrices/{key}"] = True
    return healthy(app.run())


def texts(app: AppTest) -> str:
    """Return all Markdown on screen as it reads."""
    return re.sub(r"\\(.)", r"\1", "\n".join(text.value for text in app.markdown))


def choose(app: AppTest, key: str, value: object) -> AppTest:
    """Choose in a selectbox."""
    return healthy(app.selectbox(key=f"score_matrices/{key}").set_value(value).run())
