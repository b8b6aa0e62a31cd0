"""How fast a domain is: told by the pace of its facts, editable until it is used, and carried by what is made."""

from datetime import timedelta
from pathlib import Path

import pytest

from perdura_core import acts
from perdura_core.clock import Clock
from perdura_core.conductor import SessionOrder
from perdura_core.errors import InputError
from perdura_core.mind import Mind
from perdura_core.vocabulary import INGEST, DomainProfiled, Draft, Fact, FactRecorded, Interpretation, Occurrence


def paced(number: int, days: float, clock: Clock) -> Draft:
    """One more fact on one entity, so many days ago."""
    at = clock.now() - timedelta(days=days)
    seen = (Occurrence(source="log.md#L1", recorded_at=at, recorded_by=INGEST),)
    fact = Fact(
        id=f"f{number}", text=f"The pool of Larkspur had {number} connections.", domains=("ops",), entities=("pool",),
        occurrences=seen, created_by=INGEST, created_at=at,
    )  # fmt: skip
    return Draft(what=FactRecorded(fact=fact), by=INGEST)


async def fed(mind: Mind, every_days: float) -> None:
    await mind.ask("How large is the pool of Larkspur?", domains=["ops"])
    await mind.journal.append([paced(number, (9 - number) * every_days, mind.clock) for number in range(1, 9)])


@pytest.mark.parametrize(("every_days", "velocity"), [(2.0, "fast"), (12.0, "medium"), (60.0, "slow")])
async def test_a_session_settles_new_domains_by_the_pace_of_their_facts(
    tmp_path: Path, every_days: float, velocity: str
) -> None:
    async with Mind.open(tmp_path / "a.mind") as mind:
        await fed(mind, every_days)
        await mind.conductor.run(SessionOrder(boardings=2, seats=1, models=("reader:support",)))
        [told] = [event.what for event in await mind.store.events(kinds=["domain_profiled"])]
        assert isinstance(told, DomainProfiled)
        assert (told.domain, told.velocity, told.before) == ("ops", velocity, None)
        assert told.pace_days == pytest.approx(every_days, rel=0.1)
        judged = await mind.store.interpretations()
        assert judged
        assert {one.velocity for one in judged} == {velocity}
    async with Mind.open(tmp_path / "a.mind", readonly=True) as again:
        assert again.graph.profiled() == {"ops": velocity}


async def test_the_operator_settles_it_before_the_first_interpretation_only(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "a.mind") as mind:
        await fed(mind, 2.0)
        await mind.act(acts.profile("Ops", "slow"))
        with pytest.raises(InputError, match="'ops' is slow already"):
            await mind.act(acts.profile("ops", "slow"))
        await mind.conductor.run(SessionOrder(boardings=2, seats=1, models=("reader:support",)))
        [ops] = await mind.domains()
        assert (ops.velocity, ops.settled_by, ops.facts) == ("slow", "operator", 8)
        assert ops.pace_days == pytest.approx(2.0, rel=0.1)
        assert ops.interpretations > 0
        with pytest.raises(InputError, match="before the first one only"):
            await mind.act(acts.profile("ops", "fast"))


async def test_setting_a_velocity_can_be_undone_until_it_is_used(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "a.mind") as mind:
        await fed(mind, 2.0)
        await mind.act(acts.profile("ops", "slow"))
        await mind.act(acts.profile("ops", "fast"))
        await mind.undo()
        assert mind.graph.velocity_of(["ops"]) == "slow"
        await mind.act(acts.profile("ops", "fast"))
        await mind.conductor.run(SessionOrder(boardings=2, seats=1, models=("reader:support",)))
        with pytest.raises(InputError, match="its velocity is settled"):
            await mind.undo()


async def test_what_has_no_profile_is_medium(tmp_path: Path) -> None:
    async with Mind.open(tmp_path / "a.mind") as mind:
        assert mind.graph.velocity_of(["nothing", "else"]) == mind.graph.velocity_of([]) == "medium"
        await mind.act(acts.profile("storage", "fast"))
        assert mind.graph.velocity_of(["nothing", "storage"]) == "fast"
        assert Interpretation.model_fields["velocity"].default == "medium"
