from perdura_tui.canvas import Canvas
from perdura_tui.ink import cells_of


def _text(canvas: Canvas) -> list[str]:
    return ["".join(part.text for part in line) for line in canvas.lines()]


def test_a_line_joins_the_middles_of_its_cells() -> None:
    canvas = Canvas(4, 1, ("faint",))
    canvas.line((0, 0), (3, 0), "faint")
    assert _text(canvas) == ["⠠⠤⠤⠤"]


def test_a_dashed_line_has_gaps() -> None:
    solid, dashed = Canvas(10, 1, ("faint",)), Canvas(10, 1, ("faint",))
    solid.line((0, 0), (9, 0), "faint")
    dashed.line((0, 0), (9, 0), "faint", gap=3)
    assert _text(solid) != _text(dashed)
    assert " " in _text(dashed)[0]


def test_the_strongest_role_colours_a_shared_cell() -> None:
    canvas = Canvas(3, 1, ("faint", "disputed"))
    canvas.line((0, 0), (2, 0), "disputed")
    canvas.line((0, 0), (2, 0), "faint")
    assert {part.role for part in canvas.lines()[0]} == {"disputed"}


def test_text_stands_on_top_and_takes_its_room() -> None:
    canvas = Canvas(12, 2, ("faint",))
    canvas.line((0, 0), (11, 0), "faint")
    assert canvas.is_free(2, 0, 5)
    canvas.mark(2, 0, "漢字", "strong")
    assert not canvas.is_free(4, 0, 1)
    assert canvas.is_free(6, 0, 1)
    assert canvas.crossings(0, 0, 12) == 12
    assert all(cells_of(line) == 12 for line in canvas.lines())


def test_nothing_is_drawn_outside() -> None:
    canvas = Canvas(5, 2, ("faint",))
    canvas.line((-9, -9), (20, 20), "faint")
    canvas.mark(3, 0, "too long", "strong")
    canvas.mark(0, 7, "below", "strong")
    canvas.mark(-2, 0, "left", "strong")
    assert all(cells_of(line) == 5 for line in canvas.lines())
    assert not canvas.is_free(3, 1, 9)
