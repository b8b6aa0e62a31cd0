"""What upkeep knows of a mind's memory: one frozen report, for every face to draw."""

from datetime import datetime
from typing import Literal

from perdura_core.vocabulary.nodes import Level, NodeId
from perdura_core.vocabulary.value import Text, Unit, Value

__all__ = [
    "FACTORS",
    "Correlation",
    "DomainWisdom",
    "EchoChamber",
    "Factor",
    "FactorSource",
    "FactorSpread",
    "Flow",
    "Keeping",
    "MemoryReport",
    "Moment",
    "PromotionWaiting",
    "RunReport",
    "Standing",
    "StepName",
    "StepReport",
    "Undervalued",
]

Factor = Literal["usage", "consistency", "structural", "pattern"]
FACTORS: tuple[Factor, ...] = ("usage", "consistency", "structural", "pattern")

StepName = Literal[
    "reading", "L1", "L2", "L3", "L4", "L5", "L6", "confidence", "M3", "M4", "M5", "M6", "triangulation", "stigmergy",
    "forgetting", "promotion",
]  # fmt: skip


class FactorSpread(Value):
    """How one factor is spread over the active interpretations."""

    factor: Factor
    bins: tuple[int, ...]
    """Ten: bar n counts n / 10 <= value < (n + 1) / 10, the last one 1.0 too."""
    missing: int
    """Interpretations for which its source is empty: their other factors count alone."""
    mean: float | None = None
    """None when nobody has it."""


class Correlation(Value):
    """How two factors go together over the active interpretations that have both."""

    first: Factor
    second: Factor
    r: float | None = None
    """Pearson; None below three interpretations, or when one factor does not vary."""
    interpretations: int
    verdict: Literal["independent", "linked", "alarm", "expected", "unknown"]
    """|r| < 0.15; up to 0.5; above. Consistency and structural are expected to be linked, up to an alarm."""


class Keeping(Value):
    """Why forgetting kept, or let go, so many interpretations at the last run."""

    reason: str
    """`grace`, `sufficient_confidence`, `high_centrality`, ...; `normal_forgetting` went to shadow."""
    interpretations: int
    protects: bool
    """Whether it kept candidates for forgetting: past their grace, with a confidence below the threshold."""


class Flow(Value):
    """What forgetting moved in the last so many days."""

    days: int
    archived: int
    revived: int
    let_go: int
    archive_rate: float | None = None
    """Archived per interpretation that was active; None when there was none."""
    revival_rate: float | None = None
    """Revived per archived; None when nothing was archived."""


class DomainWisdom(Value):
    """What a domain has come to."""

    domain: str | None
    """None: what has no domain."""
    wisdom: float | None = None
    """0..1, the mean of the parts that are known."""
    interpretations: int
    matured: float | None = None
    """Share of patterns and principles."""
    survival: float | None = None
    """Share that is neither superseded nor forgotten."""
    contention: float
    diversity: float | None = None
    """Of the models that contribute, 0..1."""


class EchoChamber(Value):
    """An interpretation that few models repeat to each other."""

    node: NodeId
    text: Text
    score: float
    damped: bool
    """Whether its confidence is held down for it."""


class Undervalued(Value):
    """An interpretation on which much hangs and that is seldom shown."""

    node: NodeId
    text: Text
    structural: float
    usage: float


class PromotionWaiting(Value):
    """A promotion that waits for the operator's word."""

    proposal: str
    level: Level
    members: tuple[NodeId, ...]
    text: Text
    confidence: Unit
    why: Text


class StepReport(Value):
    """One step of a run."""

    step: StepName
    is_due: bool
    """False: what was kept from an earlier day still holds."""
    seconds: float
    changes: int
    """What it changed in the mind: confidences, statuses, proposals."""
    counts: dict[str, int]


class RunReport(Value):
    """One run of the daily upkeep."""

    run: int
    as_of: datetime
    started_at: datetime
    is_finished: bool
    seconds: float
    changes: int
    steps: tuple[StepReport, ...]


class MemoryReport(Value):
    """The state of a mind's memory after its last upkeep, with what has happened since."""

    as_of: datetime | None = None
    """For which time the figures were worked out; None: upkeep has never run, and only the counts are known."""
    active: int
    shadow: int
    let_go: int
    factors: tuple[FactorSpread, ...] = ()
    correlations: tuple[Correlation, ...] = ()
    """Of every pair of factors, six."""
    keeping: tuple[Keeping, ...] = ()
    flow: Flow
    gradient: tuple[int, ...] = ()
    """Ten bins over the active interpretations; empty before the first run."""
    wisdom: tuple[DomainWisdom, ...] = ()
    """The domains with most interpretations first."""
    echoes: tuple[EchoChamber, ...] = ()
    """The strongest first."""
    undervalued: tuple[Undervalued, ...] = ()
    """Those on which most hangs first."""
    promotions: tuple[PromotionWaiting, ...] = ()
    runs: tuple[RunReport, ...] = ()
    """The last ones, newest first."""
    marked: int = 0
    """Interpretations to revalidate at the next run, because a fact of theirs gave way."""

    @property
    def alarms(self) -> tuple[Correlation, ...]:
        """Pairs of factors that tell the same story twice."""
        return tuple(pair for pair in self.correlations if pair.verdict == "alarm")


class FactorSource(Value):
    """One factor of one interpretation."""

    factor: Factor
    value: float | None = None
    """None: its source is empty."""
    weight: float
    """After the missing ones were left out; 0 for a missing one."""
    source: Text
    """In words, what it was read from."""


class Moment(Value):
    """An interpretation's confidence and factors on one day of its history; the past is thinned."""

    at: datetime
    confidence: float
    usage: float | None = None
    consistency: float | None = None
    structural: float | None = None
    pattern: float | None = None


class Standing(Value):
    """Why an interpretation is worth what it is worth."""

    node: NodeId
    as_of: datetime
    prior: float
    """Mean of the asserted confidence and the votes, weighted by the reliability of who said it."""
    maturity: float
    """0..1: how far age has moved the weight from the prior to the factors."""
    factors: tuple[FactorSource, ...]
    factors_mean: float | None = None
    """Weighted; None when every source is empty, so that the prior stands alone."""
    confidence: float
    half_life_days: float
    age_days: float
    decay_per_day: float
    """Lambda of its velocity and level."""
    change: float | None = None
    """Of its confidence: mean of the last four weeks less that of the weeks before; None for a younger one."""
    gradient: float | None = None
    echo: float | None = None
    is_damped: bool = False
    is_bridge: bool = False
    is_marked: bool = False
    """A fact of it gave way since: it is revalidated at the next run."""
    decision: str | None = None
    """What forgetting last said of it: `grace`, `high_centrality`, ..."""
    history: tuple[Moment, ...] = ()
    """Oldest first."""
