"""Sessions end to end on a real store: merging, swapping at any moment, failing, falling back, resting."""

import asyncio
from pathlib import Path

import pytest

from perdura_core.conductor import SessionOrder
from perdura_core.config import BudgetSettings
from perdura_core.errors import AccountError, ContentError, InputError, RequestError, StoreError, TransientError
from perdura_core.vocabulary import Call, TextChunk, ThoughtChunk, Usage, UsageChunk
from tests.core.conductor.conftest import bench, card
from tests.core.conductor.scripted import Step, claim, delta, said

A, B = "openai:alpha", "openai:beta"

THREE = delta(
    claim("The cache was cold after the deploy.", "q1", ref="a"),
    claim("The deploy came four minutes before the first error.", "q1", ref="b"),
    {"kind": "link", "from": "b", "links": [{"type": "supports", "to": "a"}]},
)


def three(call: Call) -> list[Step]:
    return said(THREE.replace("q1", call.briefing.question.id))


async def test_a_session_merges_what_workers_say_and_ends_after_its_boardings(place: Path) -> None:
    async with bench(place, {A: three}) as at:
        await at.ask("What caused the outage?")
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=1)), 20)
        [record] = report.boardings
        assert (record.ending, record.merged, record.rejected) == ("merged", 3, 0)
        claims = await at.store.interpretations()
        assert [one.text for one in claims] == [
            "The cache was cold after the deploy.",
            "The deploy came four minutes before the first error.",
        ]
        assert {one.created_by for one in claims} == {A}
        assert {(edge.type, edge.src, edge.dst) for edge in await at.store.edges()} == {
            ("answers", "i1", "q1"),
            ("answers", "i2", "q1"),
            ("supports", "i2", "i1"),
        }
        events = await at.store.events()
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert events[-1].kind == "session_ended"


async def test_seats_never_share_a_question(place: Path) -> None:
    aboard: set[str] = set()
    most = 0

    def script(call: Call) -> list[Step]:
        nonlocal most
        assert call.briefing.question.id not in aboard
        aboard.add(call.briefing.question.id)
        most = max(most, len(aboard))
        return [0.02, *said(THREE.replace("q1", call.briefing.question.id))]

    async with bench(place, {A: script}) as at:
        for number in range(3):
            await at.ask(f"Question {number}?")
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=3, boardings=3, explore_every=1)), 20)
        assert len({record.boarding.question for record in report.boardings}) == 3
        assert most == 3


async def test_a_swap_at_every_chunk_keeps_whole_elements_once_and_loses_nothing(place: Path) -> None:
    """The second model is told what the first one merged, and sends the rest."""
    text = THREE
    total = len(said(text, size=9)) - 1
    for swap_after in range(total + 1):
        folder = place / str(swap_after)
        folder.mkdir()
        reached = asyncio.Event()

        def first(call: Call, upto: int = swap_after, reached: asyncio.Event = reached) -> list[Step]:
            return [*said(text, size=9)[:upto], 30.0]

        def second(call: Call) -> list[Step]:
            known = {node.text for node in call.briefing.nodes}
            elements = [
                claim("The cache was cold after the deploy.", "q1", ref="a"),
                claim("The deploy came four minutes before the first error.", "q1", ref="b"),
            ]
            return said(delta(*(element for element in elements if element["text"] not in known)))

        async with bench(folder, {A: first, B: second}) as at:
            await at.ask("What caused the outage?")
            order = SessionOrder(seats=1, boardings=2, route="pinned", pins=(A,))
            async with asyncio.TaskGroup() as tasks:
                running = tasks.create_task(at.conductor.run(order))
                listener = at.yard.bus.subscribe()
                heard = 0
                while heard < len("".join(c.text for c in said(text, size=9)[:swap_after] if isinstance(c, TextChunk))):
                    await asyncio.wait_for(listener.changed(), 5)
                    heard += sum(len(news.text) for news in listener.drain() if news.phase == "streaming")
                while not at.workers[A].calls:
                    await asyncio.sleep(0)
                at.conductor.swap(1, B)
                report = await asyncio.wait_for(running, 20)
            one, two = report.boardings
            assert (one.boarding.model, one.ending) == (A, "swapped")
            assert (two.boarding.model, two.ending, two.boarding.route.policy) == (B, "merged", "operator")
            assert at.workers[A].cut_short == 1
            claims = await at.store.interpretations()
            assert sorted(each.text for each in claims) == [
                "The cache was cold after the deploy.",
                "The deploy came four minutes before the first error.",
            ]
            by_first = [each for each in claims if each.created_by == A]
            assert len(by_first) == min(one.merged, 2)
            shown = {each.node for each in two.boarding.shown}
            assert {each.id for each in by_first} <= shown


async def test_a_swap_before_the_boarding_is_open_is_honoured(place: Path) -> None:
    async with bench(place, {A: lambda call: [30.0], B: three}) as at:
        await at.ask("What caused the outage?")
        order = SessionOrder(seats=1, boardings=2, pins=(A,))
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(at.conductor.run(order))
            while not at.conductor.is_running or not at.conductor.busy_seats:
                await asyncio.sleep(0)
            at.conductor.swap(1, B)
            report = await asyncio.wait_for(running, 20)
        assert [(each.boarding.model, each.ending) for each in report.boardings][-1] == (B, "merged")


async def test_the_router_swaps_to_another_model(place: Path) -> None:
    async with bench(place, {A: lambda call: [TextChunk(text='{"contr'), 30.0], B: three}) as at:
        await at.ask("What caused the outage?")
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(at.conductor.run(SessionOrder(seats=1, boardings=2, route="cheap")))
            while not at.workers[A].calls:
                await asyncio.sleep(0.001)
            at.conductor.swap(1, None)
            report = await asyncio.wait_for(running, 20)
        assert [each.boarding.model for each in report.boardings] == [A, B]
        assert "swapped by the router" in report.boardings[1].boarding.route.reason


async def test_a_transient_error_is_retried_then_cooled_down_and_another_model_takes_over(place: Path) -> None:
    async with bench(
        place, {A: lambda call: [TransientError(A, "overloaded", retry_after_s=0.01, is_unbilled=True)], B: three}
    ) as at:
        await at.ask("What caused the outage?")
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=2, route="cheap")), 20)
        assert [(each.boarding.model, each.ending) for each in report.boardings] == [(A, "failed"), (B, "merged")]
        assert report.boardings[1].boarding.route.policy == "fallback"
        assert len(at.workers[A].calls) == 3
        assert "cooling" in (at.yard.registry.why_not(A, at.yard.clock.now()) or "")


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        (AccountError(A, "the key is wrong: set OPENAI_API_KEY"), 1),
        (RequestError(A, "no such model", "model_missing"), 1),
        (RequestError(A, "the prompt is too large", "too_large"), 1),
        (TransientError(A, "daily quota used up", worth_retrying=False), 1),
    ],
)
async def test_errors_that_waiting_does_not_mend_are_not_retried(place: Path, error: Exception, calls: int) -> None:
    async with bench(place, {A: lambda call: [error], B: three}) as at:
        await at.ask("What caused the outage?")
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=2, route="cheap")), 20)
        assert [(each.boarding.model, each.ending) for each in report.boardings] == [(A, "failed"), (B, "merged")]
        assert len(at.workers[A].calls) == calls
        is_out = at.yard.registry.why_not(A, at.yard.clock.now()) is not None
        assert is_out == (not isinstance(error, RequestError) or error.fault == "model_missing")


async def test_a_refusal_is_recorded(place: Path) -> None:
    async with bench(place, {A: lambda call: [ContentError(A, "declined to answer", "refusal")]}) as at:
        await at.ask("What caused the outage?")
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=1)), 20)
        assert (report.boardings[0].ending, report.boardings[0].reason) == ("refused", "declined to answer")


async def test_an_unreadable_reply_is_repaired_once(place: Path) -> None:
    def script(call: Call) -> list[Step]:
        return three(call) if call.repair_of is not None else said("I think that the cache was cold.")

    async with bench(place, {A: script}) as at:
        await at.ask("What caused the outage?")
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=1)), 20)
        assert (report.boardings[0].ending, report.boardings[0].merged) == ("merged", 3)
        assert [call.repair_of for call in at.workers[A].calls] == [None, "I think that the cache was cold."]


async def test_a_cut_reply_keeps_what_was_complete(place: Path) -> None:
    cut = THREE[: THREE.index("The deploy came") + 20]
    async with bench(place, {A: lambda call: [ThoughtChunk(text="{}"), *said(cut)[:-1]]}) as at:
        await at.ask("What caused the outage?")
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=1)), 20)
        record = report.boardings[0]
        assert (record.ending, record.merged, record.rejected) == ("merged", 1, 0)
        assert "cut" in (record.reason or "")


async def test_a_bug_in_a_worker_ends_its_own_boarding_only(place: Path) -> None:
    async with bench(place, {A: lambda call: [ZeroDivisionError("oops")], B: three}) as at:
        await at.ask("What caused the outage?")
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=2, route="cheap")), 20)
        assert [(each.boarding.model, each.ending) for each in report.boardings] == [(A, "failed"), (B, "merged")]
        assert "ZeroDivisionError" in (report.boardings[0].reason or "")


async def test_pause_holds_new_boardings_step_lets_one_through_and_finish_ends_the_session(place: Path) -> None:
    async with bench(place, {A: three}) as at:
        for number in range(4):
            await at.ask(f"Question {number}?")
        at.conductor.pause()
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(at.conductor.run(SessionOrder(seats=2)))
            await asyncio.sleep(0.05)
            assert at.graph.total_boardings() == 0
            at.conductor.step()
            await asyncio.sleep(0.2)
            assert at.graph.total_boardings() == 1
            at.conductor.resume()
            while at.graph.total_boardings() < 4:
                await asyncio.sleep(0.01)
            at.conductor.finish()
            report = await asyncio.wait_for(running, 20)
        assert report.ending == "stopped"
        assert all(record.ending == "merged" for record in report.boardings)


async def test_cancel_ends_boardings_at_once_and_keeps_whole_elements(place: Path) -> None:
    start = THREE[: THREE.index("The deploy came") + 20]
    async with bench(place, {A: lambda call: [*said(start)[:-1], 30.0]}) as at:
        await at.ask("What caused the outage?")
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(at.conductor.run(SessionOrder(seats=1)))
            while at.graph.count("interpretation") < 1:
                await asyncio.sleep(0.005)
            at.conductor.cancel()
            report = await asyncio.wait_for(running, 5)
        assert (report.boardings[0].ending, report.boardings[0].merged) == ("cancelled", 1)


async def test_questions_rest_when_nothing_new_comes_and_wake_when_something_does(place: Path) -> None:
    async with bench(place, {A: lambda call: said('{"contributions": []}')}) as at:
        await at.ask("What caused the outage?")
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(at.conductor.run(SessionOrder(seats=2, stagnation_after=2)))
            await asyncio.sleep(0.5)
            assert at.graph.total_boardings() == 2
            await at.observe("A new log line came in.")
            await asyncio.sleep(0.5)
            assert at.graph.total_boardings() > 2
            at.conductor.finish()
            await asyncio.wait_for(running, 20)


async def test_a_store_that_fails_ends_the_session_with_its_own_error(place: Path) -> None:
    async with bench(place, {A: lambda call: [*said(THREE), 30.0]}) as at:
        await at.ask("What caused the outage?")
        running = asyncio.ensure_future(at.conductor.run(SessionOrder(seats=1)))
        while at.graph.count("interpretation") < 1:
            await asyncio.sleep(0.005)
        await at.store.close()
        at.conductor.cancel()
        with pytest.raises(StoreError):
            await asyncio.wait_for(running, 10)
        assert not at.conductor.is_running


async def test_a_session_without_questions_ends_when_it_has_a_number_of_boardings(place: Path) -> None:
    async with bench(place, {A: three}) as at:
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=2, boardings=5)), 20)
        assert report.boardings == ()


async def test_no_model_aboard_is_said(place: Path) -> None:
    async with bench(place, {}) as at:
        with pytest.raises(InputError, match="no model is aboard"):
            await at.conductor.run(SessionOrder(seats=1, boardings=1))


async def test_money_is_held_before_and_settled_after_and_never_over_the_cap(place: Path) -> None:
    usage = Usage(input_tokens=1000, output_tokens=500)

    def script(call: Call) -> list[Step]:
        return said(THREE.replace("q1", call.briefing.question.id), usage=usage)

    dear = card(A, "standard", 2, 10)
    async with bench(place, {A: script}, (dear,), BudgetSettings(session_usd=None)) as at:
        for number in range(8):
            await at.ask(f"Question {number}?")
        order = SessionOrder(seats=4, boardings=40, budget_usd=0.12, stagnation_after=99)
        report = await asyncio.wait_for(at.conductor.run(order), 30)
        spend = await at.store.spend()
        assert report.spent_micro_usd == sum(row.cost_micro_usd for row in spend)
        assert 0 < report.spent_micro_usd <= 120_000
        assert {row.cost_micro_usd for row in spend} == {1000 * 2 + 500 * 10}
        held = 0
        for event in await at.store.events():
            if event.kind == "cost_reserved":
                held += event.what.cost_micro_usd  # type: ignore[union-attr]
            elif event.kind == "cost_settled":
                held += event.what.cost_micro_usd - event.what.reserved_micro_usd  # type: ignore[union-attr]
            assert held <= 120_000


async def test_unknown_usage_is_charged_at_the_reservation(place: Path) -> None:
    async with bench(place, {A: lambda call: said(THREE)[:-1]}, (card(A, "standard", 2, 10),)) as at:
        await at.ask("What caused the outage?")
        report = await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=1)), 20)
        [reserved] = await at.store.events(kinds=["cost_reserved"])
        assert report.spent_micro_usd == reserved.what.cost_micro_usd  # type: ignore[union-attr]


async def test_usage_so_far_is_news_while_a_worker_streams(place: Path) -> None:
    steps: list[Step] = [UsageChunk(usage=Usage(output_tokens=7)), *said(THREE)]
    async with bench(place, {A: lambda call: steps}) as at:
        await at.ask("What caused the outage?")
        listener = at.yard.bus.subscribe()
        await asyncio.wait_for(at.conductor.run(SessionOrder(seats=1, boardings=1)), 20)
        news = listener.drain()
        assert "".join(each.text for each in news) == THREE
        assert {each.phase for each in news} >= {"briefing", "waiting", "streaming", "merging", "empty"}
        assert max(each.merged for each in news) == 3
