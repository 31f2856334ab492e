"""The other views of the topic subsets page on TREC-8 ad hoc: sets on held-out runs, and a set of one's own."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.browser.conftest import NewPage
from tests.browser.driving import (
    chart,
    downloads,
    fill,
    go,
    is_complete,
    keyed,
    nothing_runs,
    open_expanders,
    press,
    saved_chart,
    text_of,
    until,
    upload,
)
from tests.browser.running_app import wait_until_idle
from tests.reference_data import reference_file
from tests.words import numbers_in

pytestmark = [pytest.mark.browser, pytest.mark.reference_data]

# The best six topics of these runs, as enumeration finds them.
BEST_SIX = ["402", "426", "427", "441", "442", "446"]


def test_real_scores_held_out_and_audited(address: str, new_tab: NewPage) -> None:
    page = new_tab()
    upload(page, address, reference_file("matrices", "trec8_adhoc_top96_ap.csv"))
    go(page, "/topic-subsets")
    views = keyed(page, "topic-subsets/tab").get_by_role("tab")
    views.nth(1).click()
    chart(page, "held-out")
    wait_until_idle(page)
    open_expanders(page)
    fill(page, "topic-subsets", n_splits="5", n_starts="4")
    until(lambda: 5 in numbers_in(keyed(page, "topic-subsets-held-out/run").inner_text()))
    press(page, "topic-subsets-held-out/run")
    is_complete(page, "topic-subsets-held-out")
    files = downloads(page)
    rows = list(csv.DictReader(io.StringIO(files["topic-subsets-held-out.csv"].decode())))
    assert [row["topics"] for row in rows] == [str(size) for size in range(1, 51)]
    # The paper's finding (section 5.6.1): the best S1 sets beat average ones on S2, by far at these sizes.
    assert all(float(row["chosen best"]) > float(row["chosen average"]) for row in rows[4:20])
    (held_out,) = json.loads(files["topic-subsets-held-out.json"])["results"]
    assert held_out["n_splits"] == 5
    assert len(held_out["cardinalities"]) == 50

    views.nth(2).click()
    fill(page, "topic-subsets/audit", text="401, 402\n999")
    press(page, "topic-subsets/audit/run")
    complaint = keyed(page, "complaint-topic")
    complaint.wait_for()
    assert numbers_in(complaint.inner_text())[0] == 2  # the line
    fill(page, "topic-subsets/audit", text="\n".join(BEST_SIX))
    press(page, "topic-subsets/audit/run")
    chart(page, "audit-ranks")
    nothing_runs(page, "topic-subsets-audit")
    assert numbers_in(text_of(page, "answer"))[:2] == [6, 99.9]  # better than over 99.9 % of sets
    name, svg = saved_chart(page, "audit-place", "svg")
    assert name == "topic-subset-audit-place.svg"
    assert b"Kendall" in svg
    (audited,) = json.loads(downloads(page)["topic-subset-audit.json"])["results"]
    # "6 well-chosen topics" reach .95 in section 3 of Guiver et al. (2009).
    assert audited["goodness"]["pearson"]["value"] > 0.95
    assert audited["topics"] == BEST_SIX
