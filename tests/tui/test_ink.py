import pytest

from perdura_tui.ink import Run, bar, beside, cell, cells_of, heat_role, join, run, spark


@pytest.mark.parametrize(
    ("value", "drawn"), [(0.0, "────"), (0.01, "╸───"), (0.5, "━━──"), (0.65, "━━╸─"), (1.0, "━━━━"), (7.0, "━━━━")]
)
def test_a_bar_is_drawn_in_half_cells(value: float, drawn: str) -> None:
    assert "".join(part.text for part in bar(value, 4, "warm")) == drawn


def test_a_bar_of_no_width_is_nothing() -> None:
    assert cells_of(bar(0.5, 0, "warm")) == 0


def test_sparks_rise_with_their_values() -> None:
    assert spark((0.0, 0.25, 0.5, 1.0), 1.0) == "▁▂▄█"
    assert spark((0.3,), 0.0) == "▁"


def test_the_right_side_gives_way() -> None:
    assert "".join(part.text for part in beside((run("left"),), (run("right"),), 12)) == "left   right"
    assert beside((run("left"),), (run("right"),), 8) == (run("left"),)


def test_runs_are_flattened_on_their_way_in() -> None:
    assert run("a\nb\x1b") == Run("a b␛")
    assert cell("x\ty", 5) == Run("x y  ")
    assert join(run("a"), [run("b"), run("c")]) == (run("a"), run("b"), run("c"))


def test_heat_grows_with_contention() -> None:
    assert [heat_role(value) for value in (0.0, 0.2, 0.6)] == ["cool", "warm", "hot"]
