"""What an upkeep might know of the sample mind."""

from datetime import UTC, datetime, timedelta

from perdura_core.vocabulary import (
    FACTORS,
    Correlation,
    DomainWisdom,
    EchoChamber,
    FactorSource,
    FactorSpread,
    Flow,
    Keeping,
    MemoryReport,
    Moment,
    PromotionWaiting,
    RunReport,
    Standing,
    StepReport,
    Undervalued,
)

__all__ = ["memory_report", "standing_of"]

AS_OF = datetime(2026, 3, 14, 6, 0, tzinfo=UTC)


def memory_report(text: str = "The cache was not the cause.", name: str = "storage") -> MemoryReport:
    """A report with something in every section. text, name: what every text and domain of it says."""
    spreads = [
        FactorSpread(factor=factor, bins=(0, 1, 2, 4, 6, 9, 5, 3, 1, number), missing=number, mean=0.5)
        for number, factor in enumerate(FACTORS)
    ]
    pairs = [(first, second) for at, first in enumerate(FACTORS) for second in FACTORS[at + 1 :]]
    found = [0.05, None, 0.62, 0.31, -0.02, 0.44]
    verdicts = ["independent", "unknown", "alarm", "linked", "independent", "expected"]
    return MemoryReport(
        as_of=AS_OF,
        active=20,
        shadow=2,
        let_go=1,
        factors=tuple(spreads),
        correlations=tuple(
            Correlation(first=first, second=second, r=r, interpretations=20, verdict=verdict)  # type: ignore[arg-type]
            for (first, second), r, verdict in zip(pairs, found, verdicts, strict=True)
        ),
        keeping=(
            Keeping(reason="grace", interpretations=12, protects=False),
            Keeping(reason="high_centrality", interpretations=6, protects=True),
            Keeping(reason="normal_forgetting", interpretations=2, protects=False),
        ),
        flow=Flow(days=30, archived=4, revived=1, let_go=1, archive_rate=0.2, revival_rate=0.25),
        gradient=(8, 5, 3, 2, 1, 1, 0, 0, 0, 0),
        wisdom=(
            DomainWisdom(
                domain=name, wisdom=0.61, interpretations=12, matured=0.2, survival=0.9, contention=0.31, diversity=0.5
            ),
        ),
        echoes=(EchoChamber(node="i3", text=text, score=0.71, damped=False),),
        undervalued=(Undervalued(node="i4", text=text, structural=0.8, usage=0.1),),
        promotions=(
            PromotionWaiting(
                proposal="p7", level=2, members=("i1", "i2", "i5"), text=text, confidence=0.74, why="they agree"
            ),
        ),
        runs=(
            RunReport(
                run=3, as_of=AS_OF, started_at=AS_OF, is_finished=True, seconds=2.5, changes=17,
                steps=(StepReport(step="L1", is_due=True, seconds=0.1, changes=0, counts={"facts": 8}),),
            ),
        ),
        marked=2,
    )  # fmt: skip


def standing_of(node: str, source: str = "shown 4 times and cited twice by 2 models") -> Standing:
    """Why the node is worth what it is."""
    values = [0.7, 0.5, None, 0.4]
    return Standing(
        node=node,
        as_of=AS_OF,
        prior=0.7,
        maturity=0.42,
        factors=tuple(
            FactorSource(factor=factor, value=value, weight=0.0 if value is None else 0.33, source=source)
            for factor, value in zip(FACTORS, values, strict=True)
        ),
        factors_mean=0.53,
        confidence=0.63,
        half_life_days=45.0,
        age_days=30.0,
        decay_per_day=0.0154,
        gradient=0.4,
        echo=0.7,
        is_damped=True,
        is_bridge=True,
        is_marked=True,
        decision="high_centrality",
        history=tuple(Moment(at=AS_OF + timedelta(days=day), confidence=0.5 + day / 100) for day in range(20)),
    )
