"""Pages run by a test are gone after it: processes that later tests start do not run them."""

import sys
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

_seen: list[Any] = []


@pytest.mark.parametrize("time", [1, 2])
def test_main_module_after_a_page_was_run(time: int) -> None:
    main = sys.modules["__main__"]
    AppTest.from_string("import streamlit; streamlit.stop()").run()
    assert sys.modules["__main__"] is not main  # while this is true, it has to be restored
    _seen.append(main)
    assert all(one is _seen[0] for one in _seen), f"run {time}"
