"""What users do one after the other: bring scores, ask, err, share a link, and never meet."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.driving import fill, go, link, number, open_address, shows, upload
from tests.reference_data import reference_file, reference_matrix
from topicset_core.designs import one_way_anova
from topicset_core.variance import one_way

pytestmark = pytest.mark.browser
NewUser = Callable[..., Page]


@pytest.mark.reference_data
def test_from_a_real_matrix_through_the_form_to_a_friend(address: str, new_user: NewUser) -> None:
    wanted = one_way_anova.Requirements(
        alpha=0.01,
        beta=0.10,
        min_d=0.07,
        within_system_variance=one_way(reference_matrix("robust2004_ap")),
        n_systems=25,
    )
    expected = one_way_anova.required_topics(wanted).required_topics
    page = new_user()
    upload(page, address, reference_file("matrices", "robust2004_ap.csv"))
    go(page, "One-way ANOVA")
    fill(page, α="0.01", β="0.1", minD="0.07", m="25")
    page.get_by_role("button", name="Compute").click()
    shows(page, expected)
    friend = new_user()
    open_address(friend, link(page), "One-way ANOVA")
    shows(friend, expected)


@pytest.mark.reference_data
def test_scores_survive_page_changes_and_stay_with_their_user(address: str, new_user: NewUser) -> None:
    alice, bob = new_user(), new_user()
    upload(alice, address, reference_file("matrices", "robust2004_ap.csv"))
    open_address(bob, f"{address}/score-matrices", "Score matrices")
    for name in ("One-way ANOVA", "Compare designs", "Score matrices"):
        go(alice, name)
        expect(alice.get_by_text("Planning with your own scores: 1 matrix")).to_be_visible()
    bob.reload()
    expect(bob.get_by_role("heading", name="The simulated scores vary by")).to_be_visible()
    expect(bob.get_by_text("robust2004")).to_have_count(0)


def test_pasted_scores_are_read(address: str, new_user: NewUser) -> None:
    page = new_user()
    open_address(page, f"{address}/score-matrices", "Score matrices")
    page.get_by_label("or paste one").fill("topic\tx\ty\n1\t0.2\t0.4\n2\t0.4\t0.5\n")
    page.get_by_role("button", name="Read pasted scores").click()
    # Variances over topics: .02 for x and .005 for y; their mean is .0125.
    expect(page.get_by_role("heading", name="σ² = 0.0125")).to_be_visible()


def test_wrong_input_is_said_beside_the_form_and_the_answer_stays(address: str, new_user: NewUser) -> None:
    page = new_user()
    open_address(page, f"{address}/one-way-anova", "One-way ANOVA")
    before = number(page)
    fill(page, α="7")
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("α = 7 must be a number above 0 and below 1")).to_be_visible()
    assert number(page) == before


def test_five_users_at_once_each_get_their_own_answer(
    address: str, new_user: NewUser, tmp_path: Path
) -> None:
    users = []
    for position in range(5):
        spread = 0.1 + 0.05 * position  # two topics that far apart: a variance of spread squared over 2
        file = tmp_path / f"user{position}_ap.csv"
        file.write_text(f"topic,x,y\n1,0.2,0.3\n2,{0.2 + spread},{0.3 + spread}\n")
        wanted = one_way_anova.Requirements(
            alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=spread**2 / 2, n_systems=10
        )
        users.append((new_user(), file, one_way_anova.required_topics(wanted).required_topics))
    assert len({topics for _, _, topics in users}) == 5
    # One step each in turn, so that every session is between two steps while all others act.
    for page, _, _ in users:
        open_address(page, f"{address}/score-matrices", "Score matrices")
    for page, file, _ in users:
        page.locator('input[type="file"]').set_input_files(file)
    for page, _, _ in users:
        expect(page.get_by_text("2 topics × 2 runs.").first).to_be_visible()
        go(page, "One-way ANOVA")
    for page, _, topics in reversed(users):
        shows(page, topics)
    for page, _, _ in users:
        fill(page, minD="0.2")
        page.get_by_role("button", name="Compute").click()
    for position, (page, _, _) in enumerate(users):
        wanted = one_way_anova.Requirements(
            alpha=0.05,
            beta=0.20,
            min_d=0.20,
            within_system_variance=(0.1 + 0.05 * position) ** 2 / 2,
            n_systems=10,
        )
        shows(page, one_way_anova.required_topics(wanted).required_topics)
        text = page.get_by_test_id("stMain").inner_text()
        assert [other for other in range(5) if f"user{other}_ap" in text] == [position]
