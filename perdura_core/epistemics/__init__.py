"""Formulas over values: pure code that knows no store and no clock."""

from perdura_core.epistemics.calibration import Calibration, calibrate
from perdura_core.epistemics.record import (
    DOMAIN_WORTH,
    ROUNDS,
    WEIGHTS,
    OutcomeKind,
    Posterior,
    Tally,
    Verdict,
    independent,
    posterior,
    reliabilities,
    shrunk,
    squared_error,
    tally,
    weighed,
)

__all__ = [
    "DOMAIN_WORTH",
    "ROUNDS",
    "WEIGHTS",
    "Calibration",
    "OutcomeKind",
    "Posterior",
    "Tally",
    "Verdict",
    "calibrate",
    "independent",
    "posterior",
    "reliabilities",
    "shrunk",
    "squared_error",
    "tally",
    "weighed",
]
