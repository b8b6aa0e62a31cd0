"""A crew that agrees for too long is told of, and attacks."""

from pathlib import Path

from perdura_core.clock import Clock
from perdura_core.config import RunSettings
from perdura_core.routing import Consensus, Quiet, choose_mode
from perdura_core.store import Journal, open_sqlite
from perdura_core.vocabulary import Draft
from tests.core.graph.making import asked, boarded, ended, judged, linked, numbered


def test_boardings_are_counted_until_a_model_contradicts() -> None:
    consensus = Consensus()
    consensus.apply(numbered([ended("b1", merged=1), ended("b2", merged=0), ended("b3", merged=2)]))
    assert consensus.quiet(3) == Quiet(2, 3)
    assert not consensus.quiet(3).is_alarm
    consensus.apply(numbered([linked("e1", "contradicts", "i1", "i2", created_by="operator")]))
    assert consensus.boardings == 2
    consensus.apply(numbered([ended("b4", merged=1)]))
    assert consensus.quiet(3).is_alarm
    assert "collapsed" in consensus.quiet(3).sentence
    assert not consensus.quiet(0).is_alarm
    consensus.apply(numbered([linked("e2", "contradicts", "i1", "i2", created_by="reader:doubt")]))
    assert consensus.quiet(3) == Quiet(0, 3)


def test_the_alarm_turns_the_next_boarding_and_then_every_so_many() -> None:
    settings = RunSettings(audit_every=0, collapse_after=3)
    modes = [choose_mode(1, settings, 2, Quiet(count, settings.collapse_after)) for count in range(8)]
    assert [at for at, mode in enumerate(modes) if mode == "adversarial"] == [3, 6]
    assert [at for at in range(8) if Quiet(at, 3).sentence.endswith("the next one attacks")] == [3, 6]
    assert choose_mode(1, settings, 0, Quiet(3, 3)) == "organic"
    assert choose_mode(1, settings, 2, Quiet(3, 0)) == "organic"


async def test_an_opened_mind_looks_back(tmp_path: Path) -> None:
    async with open_sqlite(tmp_path / "a.mind") as store, Journal.open(store, Clock()) as journal:
        told = [asked("q1"), judged("i1"), judged("i2", text="other")]
        told += [what for n in range(1, 5) for what in (boarded(f"b{n}", "q1"), ended(f"b{n}", merged=1))]
        told.insert(7, linked("e1", "contradicts", "i1", "i2"))
        await journal.append([Draft(what=what, by="reader:support") for what in told])
        consensus = Consensus()
        await consensus.load(store, journal.graph.head)
        assert consensus.boardings == 2
