from hypothesis import given
from hypothesis import strategies as st

from perdura_tui.layout import place

RING = [(f"n{i}", f"n{(i + 1) % 12}") for i in range(12)]
IDS = [f"n{i}" for i in range(12)]


@given(
    st.integers(1, 30),
    st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=60),
    st.floats(0.3, 4.0),
)
def test_every_node_has_a_place_inside_and_the_centre_is_the_middle(
    count: int, pairs: list[tuple[int, int]], aspect: float
) -> None:
    ids = [f"n{i}" for i in range(count)]
    ties = [(f"n{a}", f"n{b}") for a, b in pairs if a < count and b < count]
    places = place(ids, ties, aspect, {})
    assert set(places) == set(ids)
    assert places["n0"] == (0.0, 0.0)
    assert all(abs(x) <= 1.0 and abs(y) <= 1.0 for x, y in places.values())


def test_the_same_input_gives_the_same_map() -> None:
    assert place(IDS, RING, 2.0, {}) == place(IDS, RING, 2.0, {})


def test_a_map_stays_recognisable_when_a_node_comes() -> None:
    before = place(IDS, RING, 2.0, {})
    after = place([*IDS, "new"], [*RING, ("new", "n3")], 2.0, before)
    moved = [max(abs(after[node][0] - before[node][0]), abs(after[node][1] - before[node][1])) for node in IDS]
    assert sum(moved) / len(moved) < 0.25


def test_nothing_has_no_map() -> None:
    assert place([], [], 1.0, {}) == {}
