"""Sessions of users: upload scores, compute, make errors, share a link; users never see each other's data."""

from __future__ import annotations

import http.client
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from server.middleware import COOKIE
from tests.browser.conftest import NewPage
from tests.browser.driving import (
    bring_runs,
    close_menu,
    fill,
    go,
    headline,
    keyed,
    link,
    menu,
    open_address,
    press,
    saved_file,
    shows,
    text_of,
    until,
)
from tests.browser.running_app import LOOKUPS, PATIENCE_SECONDS, wait_until_idle
from tests.words import numbers_in
from topicset_core.designs import one_way_anova

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

N_USERS = 2
# Variances over topics: .02 for x and .005 for y; their mean is .0125.
PASTED, PASTED_VARIANCE = "topic\tx\ty\n1\t0.2\t0.4\n2\t0.4\t0.5\n", 0.0125


def _plans(page: Page, topics: int) -> None:
    """Wait for this number at the estimate: of so few topics the headline has the interval alone."""
    until(lambda: topics in numbers_in(text_of(page, "tiles")))
    wait_until_idle(page)


def _topics(**settings: float) -> int:
    """Return the topics of the core; other values as on the new page."""
    usual = {"alpha": 0.05, "beta": 0.20, "min_d": 0.10, "n_systems": 2}
    return one_way_anova.required_topics(one_way_anova.Requirements(**usual | settings)).required_topics  # type: ignore[arg-type]


def test_pasted_scores_form_reload_and_shared_link(address: str, new_tab: NewPage) -> None:
    page = new_tab()
    open_address(page, f"{address}/score-matrices")
    (cookie,) = (result for result in page.context.cookies() if result["name"] == COOKIE)
    assert cookie["httpOnly"]
    assert COOKIE not in page.evaluate("document.cookie")
    keyed(page, "score_matrices/pasted").locator("textarea").fill(PASTED)
    press(page, "score_matrices/read-pasted")
    shows(page, PASTED_VARIANCE)
    go(page, "/one-way-anova")
    _plans(page, _topics(within_system_variance=PASTED_VARIANCE))
    fill(page, "planning", alpha="0.01", beta="0.1", **{"2/n_systems": "25", "score/min_d": "0.07"})
    requested = _topics(
        alpha=0.01, beta=0.10, min_d=0.07, n_systems=25, within_system_variance=PASTED_VARIANCE
    )
    _plans(page, requested)
    url = link(page)
    until(lambda: page.url == url)  # the address bar follows the answer

    fill(page, "planning", alpha="7")
    keyed(page, "complaint-alpha").wait_for()  # next to the form; the answer stays
    _plans(page, requested)

    page.reload()
    wait_until_idle(page)
    _plans(page, requested)  # the reload is another session, as a second tab is
    # Another user sees nothing of it (test_concurrent_users_get_separate_answers) unless the link is shared.
    friend = new_tab()
    open_address(friend, url)
    _plans(friend, requested)
    assert keyed(friend, "complaints").count() == 0
    assert link(friend) == url


def _runs_and_judgments(folder: Path) -> tuple[list[Path], Path]:
    """Three runs of 4 topics, each with another order of 5 documents, and judgments of all documents."""
    runs = [folder / f"run{shift}.txt" for shift in range(3)]
    for shift, file in enumerate(runs):
        ranks = [(topic, rank) for topic in range(1, 5) for rank in range(1, 6)]
        lines = [
            f"{topic} Q0 d{(rank * topic + shift) % 5} {rank} {6 - rank} run{shift}" for topic, rank in ranks
        ]
        file.write_text("\n".join(lines))
    qrels = folder / "qrels.txt"
    judged = [f"{topic} 0 d{one} {(topic + one) % 3 % 2}" for topic in range(1, 5) for one in range(5)]
    qrels.write_text("\n".join(judged))
    return runs, qrels


def test_saved_work_opens_for_another_user_and_its_dossier_prints(
    address: str, new_tab: NewPage, offline: Page, tmp_path: Path
) -> None:
    page = new_tab()
    open_address(page, f"{address}/score-matrices")
    keyed(page, "score_matrices/pasted").locator("textarea").fill(PASTED)
    press(page, "score_matrices/read-pasted")
    shows(page, PASTED_VARIANCE)
    go(page, "/one-way-anova")
    requested = _topics(within_system_variance=PASTED_VARIANCE)
    _plans(page, requested)
    interval = headline(page)[:2]
    menu(page, "exports")
    press(page, "dossier-topic-set-size")
    keyed(page, "dossier-topic-set-size").wait_for(state="detached")
    close_menu(page)
    go(page, "/runs-and-qrels")
    sample_runs = headline(page)
    runs, qrels = _runs_and_judgments(tmp_path)
    bring_runs(page, address, runs, [qrels])
    until(lambda: headline(page) not in ([], sample_runs))
    wait_until_idle(page)
    own_runs = headline(page)
    go(page, "/one-way-anova")  # plans with the scores that came last
    planned = headline(page)
    menu(page, "work")
    file = tmp_path / "work.zip"
    file.write_bytes(saved_file(page, "saved_work/save"))

    elsewhere = new_tab()
    open_address(elsewhere, f"{address}/one-way-anova")
    sample = headline(elsewhere)
    menu(elsewhere, "work")
    keyed(elsewhere, "saved_work/file-0").locator('input[type="file"]').set_input_files(file)
    keyed(elsewhere, "opened-work").wait_for()
    shows(elsewhere, *planned)
    assert sample[0] != planned[0]
    elsewhere.keyboard.press("Escape")
    go(elsewhere, "/runs-and-qrels")
    shows(elsewhere, *own_runs)
    go(elsewhere, "/task-dossier")
    paper = tmp_path / "dossier.html"
    paper.write_bytes(saved_file(elsewhere, "dossier/download"))
    offline.goto(paper.as_uri())
    offline.locator("figure svg[role=img]").first.wait_for()
    assert set(interval) <= set(numbers_in(offline.inner_text("h2 >> nth=1")))


def test_markup_and_nonsense_in_a_link_do_nothing(address: str, new_tab: NewPage) -> None:
    page = new_tab()
    hostile = (
        "variance=%3Cimg%20src=x%20onerror=alert(1)%3E:0.05&variance=AP:nan&alpha=7&method=" + "z" * 10_000
    )
    open_address(page, f"{address}/compare-designs?{hostile}")
    for parameter in ("variance", "alpha", "method"):
        keyed(page, f"complaint-{parameter}").wait_for()
    assert "<img src=x onerror=alert(1)>" in page.inner_text("body")
    assert page.locator("img[src='x']").count() == 0


def test_a_page_of_another_site_is_refused_and_nobody_is_asked(address: str) -> None:
    handshake = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dG9waWNzZXQgaXMgZmluZQ==",
    }

    def status(origin: str) -> int:
        server = http.client.HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE_SECONDS)
        server.request("GET", "/_stcore/stream", headers=handshake | {"Origin": origin})
        result = server.getresponse().status
        server.close()
        return result

    assert status("http://evil.example") == 403
    assert status(address) == 101
    assert not LOOKUPS.exists()  # Streamlit asks checkip.amazonaws.com, and all users wait for the answer


def test_concurrent_users_get_separate_answers(address: str, new_tab: NewPage, tmp_path: Path) -> None:
    users = []
    for position in range(N_USERS):
        spread = 0.1 + 0.05 * position  # two topics that far apart: a variance of spread squared over 2
        file = tmp_path / f"user{position}_ap.csv"
        file.write_text(f"topic,x,y\n1,0.2,0.3\n2,{0.2 + spread},{0.3 + spread}\n")
        users.append((new_tab(), file, spread**2 / 2))
    # One step each in turn, so that every session is between two steps while all others act.
    for page, _, _ in users:
        page.context.clear_cookies()  # each is another person
        open_address(page, f"{address}/score-matrices")
    sample = headline(users[0][0])
    for page, file, _ in users:
        page.locator('input[type="file"]').set_input_files(file)
    for page, _, variance in users:
        shows(page, float(f"{variance:.4g}"))
        go(page, "/one-way-anova")
    for page, _, variance in reversed(users):
        _plans(page, _topics(within_system_variance=variance))
    for page, _, _ in users:
        fill(page, "planning", **{"AP/min_d": "0.2"})
    answers = [_topics(within_system_variance=variance, min_d=0.2) for _, _, variance in users]
    assert len(set(answers)) == N_USERS
    for position, (page, _, _) in enumerate(users):
        _plans(page, answers[position])
        text = page.get_by_test_id("stMain").inner_text()
        assert [other for other in range(N_USERS) if f"user{other}_ap" in text] == [position]
    # Scores survive changes of the page; without the cookie no one has them.
    for page, file, variance in users:
        go(page, "/score-matrices")
        shows(page, float(f"{variance:.4g}"))
        assert file.stem in page.get_by_test_id("stMain").inner_text()
    page, file, _ = users[-1]
    page.context.clear_cookies()
    page.reload()
    shows(page, *sample)
    assert file.stem not in page.get_by_test_id("stMain").inner_text()
