"""The desk's own measurement, short and on a small mind."""

from pathlib import Path

import pytest

from perdura_tui.command.desk_bench import bench_desk


@pytest.mark.slow
async def test_the_bench_measures_what_it_says(tmp_path: Path) -> None:
    figures = await bench_desk(tmp_path / "own.mind", 800, 3)
    assert figures["nodes"] == 800
    assert isinstance(figures["events/s"], int)
    assert figures["events/s"] > 50
    for name, goal in (("open s", 1), ("tick p95 ms", 30), ("key p95 ms", 50), ("idle %", 2)):
        figure, _, said = str(figures[name]).partition(" ")
        assert said == f"(goal {goal})"
        assert float(figure) > 0
