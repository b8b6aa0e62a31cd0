"""What each domain has come to, as it is kept."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perdura_core.epistemics.coldstart import paces, profiled_velocity
from perdura_core.epistemics.interpretation_layers import wisdom
from perdura_core.upkeep.bench import Bench

__all__ = ["wisdom_columns"]


def wisdom_columns(bench: Bench) -> Mapping[str, NDArray[Any]]:
    """M6 by domain, and beside it the pace of the domain's facts, which alone say how fast it ages."""
    found = wisdom(bench.table, bench.edges, bench.now, bench.constants)
    pace = paces(bench.facts, bench.now, bench.constants)
    return {
        "domain": np.array(bench.table.domains, dtype=np.str_),
        "interpretations": found.interpretations,
        "consolidated": found.consolidated,
        "survival": found.survival,
        "contention": found.contention,
        "diversity": found.diversity,
        "wisdom": found.wisdom,
        "pace_days": pace,
        "velocity": profiled_velocity(pace, bench.constants),
    }
