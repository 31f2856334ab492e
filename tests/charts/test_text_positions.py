"""Names next to points: above, and elsewhere where the space is taken; long names are shortened."""

from topicset_core.charts.labels import LONGEST, clear_of_each_other, shortened


def test_a_label_is_above_its_point_in_free_space() -> None:
    assert clear_of_each_other([0, 1, 2], [0, 1, 2], ["a", "b", "c"]) == ["top center"] * 3
    assert clear_of_each_other([], [], []) == []
    assert clear_of_each_other([1.0], [1.0], ["a"]) == ["top center"]


def test_labels_of_neighbouring_points_alternate() -> None:
    # The first two are closer than a name is wide; the others are far away.
    first, second, *others = clear_of_each_other(
        [0.01, 0.02, 0.5, 0.8], [0.3, 0.3, 0.0, 1.0], ["1432", "1437", "1403", "1410"]
    )
    assert first == "top center"
    assert second != "top center"
    assert others == ["top center"] * 2


def test_a_label_takes_its_preferred_place_if_free() -> None:
    # The second point has the same height and is closer than the name of the first is wide.
    rather = ["middle right", "middle right", "middle left"]
    first, second, third = clear_of_each_other(
        [0.0, 0.03, 1.0], [0.5, 0.5, 1.0], ["READWARE", "READWARE2", "x"], rather
    )
    assert first != "middle right"
    assert (second, third) == ("middle right", "middle left")


def test_a_label_does_not_cover_the_next_point() -> None:
    # One line of 22 above the first point is the second one.
    first, _, _ = clear_of_each_other([0.5, 0.5, 0.0], [0.0, 1 / 22, 1.0], ["a", "b", "c"])
    assert first == "bottom center"


def test_long_names_keep_both_ends() -> None:
    name = "a-run-of-the-first-team-with-feedback-2"
    assert shortened(name) == "a-run-of-th…feedback-2"
    assert len(shortened(name)) == LONGEST
    assert shortened(name[:LONGEST]) == name[:LONGEST]
