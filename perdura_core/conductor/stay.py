"""One boarding, end to end: briefing, reservation, stream, merges, settlement, ending."""

import asyncio
import random
from datetime import timedelta
from functools import lru_cache

from perdura_core.briefing import Reader, assemble, estimate_tokens, render, repair
from perdura_core.clock import Ids
from perdura_core.conductor.conversation import Conversation, Reply
from perdura_core.conductor.crew import Yard
from perdura_core.conductor.order import Departure, Interrupt, SessionOrder, Ticket
from perdura_core.conductor.till import Till
from perdura_core.delta import DELTA_SCHEMA, Aboard
from perdura_core.errors import (
    AccountError,
    ContentError,
    OverBudgetError,
    PerduraError,
    RequestError,
    StoreError,
    TransientError,
)
from perdura_core.graph import Graph
from perdura_core.vocabulary import (
    CONDUCTOR,
    Boarding,
    BoardingEnded,
    BoardingOpened,
    Briefing,
    Call,
    Card,
    Draft,
    Ending,
    ModelCooled,
    ModelDisabled,
    Phase,
    Progress,
    Shown,
    Usage,
)

__all__ = ["LeaseLostError", "Stay"]

_RETRIES = 2
"""Further calls after a transient error, as long as nothing of the boarding has merged."""
_LONGEST_WAIT_S = 20.0
"""A server that asks for a longer pause gets a fall back to another model instead."""
_COOLDOWN_S = 60.0

_NOTHING = Usage(input_tokens=0, output_tokens=0, cache_read_tokens=0, cache_write_tokens=0)


class LeaseLostError(PerduraError):
    """Another process boarded the question first, or it was settled meanwhile: choose again."""


class Stay:
    """One worker's stay on one seat. `run` once; `interrupt` at any time from outside."""

    def __init__(self, yard: Yard, order: SessionOrder, session: str, seat: int, ticket: Ticket, card: Card) -> None:
        self._yard = yard
        self._order = order
        self._session = session
        self._seat = seat
        self._ticket = ticket
        self._card = card
        self._interrupt: Interrupt | None = None
        self._interrupted = asyncio.Event()
        self._talk: Conversation | None = None
        self._boarding: str | None = None
        self._started_s = yard.clock.monotonic_s()
        self._usage: Usage | None = None
        self._unsettled: list[Draft] = []
        """Settlements that go into the journal with what comes next."""
        self._till = Till(yard, card, session, ticket.question)

    def interrupt(self, interrupt: Interrupt) -> None:
        """Cut the stay short; the first interrupt wins. Elements that have arrived whole are still merged."""
        if self._interrupt is None:
            self._interrupt = interrupt
            self._interrupted.set()
            if self._talk is not None:
                self._talk.interrupt()

    @property
    def is_interrupted(self) -> bool:
        """Whether it is being cut short already."""
        return self._interrupt is not None

    @property
    def refused(self) -> int:
        """Elements that were refused so far, while none was merged; 0 as soon as one was."""
        return 0 if self._merged or self._talk is None else self._talk.rejected

    @property
    def ticket(self) -> Ticket:
        """What this stay is for."""
        return self._ticket

    async def run(self) -> Departure:
        """Board, work, disembark.

        Raises LeaseLostError or OverBudgetError if the boarding was not opened, StoreError if the mind cannot be
        written any more. Whatever the worker does ends the boarding and is told in its ending.
        """
        self._tell("briefing")
        briefing = await assemble(
            self._yard.journal.store,
            self._yard.journal.graph,
            self._ticket.question,
            settings=self._yard.settings.briefing,
            max_tokens=min(self._yard.settings.briefing.max_tokens, self._card.briefing_tokens)
            if self._card.is_language_model
            else self._card.briefing_tokens,
            mode=self._ticket.mode,
            masked=self._order.mask_confidence,
            search=self._yard.search,
            reader=self._reader(),
            suspected=self._yard.suspects.to_audit if self._yard.suspects is not None else None,
        )
        call = self._call(briefing)
        await self._open(briefing, call)
        try:
            ending, reason, falls = await self._work(call)
        except StoreError:
            raise
        except asyncio.CancelledError:
            await self._end("cancelled", "the session was cancelled")
            raise
        except Exception as error:  # a worker's bug ends its own boarding and nobody else's
            ending, reason, falls = "failed", f"unexpected {type(error).__name__} in the worker", True
        if self._interrupt is not None and ending != "failed":
            ending, falls = self._interrupt.ending, False
        await self._end(ending, reason)
        return Departure(ending, self._boarding, self._interrupt, falls)

    def _reader(self) -> Reader:
        question = self._ticket.question
        nth = self._yard.journal.graph.boardings_of(question) + 1
        lot = (self._yard.settings.run.seed, int(question[1:]), nth)
        return Reader(self._card.id, self._yard.trails, lot)

    def _call(self, briefing: Briefing) -> Call:
        prompt = render(briefing)
        return Call(
            briefing=briefing,
            prompt=prompt,
            delta_schema=DELTA_SCHEMA,
            max_output_tokens=self._card.max_output_tokens,
            prompt_tokens=_system_tokens(prompt.system) + estimate_tokens(prompt.user),
        )

    # Opening, money, ending

    async def _open(self, briefing: Briefing, call: Call) -> None:
        ticket, clock = self._ticket, self._yard.clock

        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            question = graph.get(ticket.question)
            if question is None or question.question_status != "open" or question.superseded_by is not None:
                raise LeaseLostError(f"question {ticket.question} is no longer open")
            if any(taken == ticket.question for taken, _ in graph.open_boardings().values()):
                raise LeaseLostError(f"question {ticket.question} is being worked on by another process")
            identifier = ids.next("b")
            held = self._till.hold(identifier, call)
            boarding = Boarding(
                id=identifier,
                session=self._session,
                seat=self._seat,
                question=ticket.question,
                model=self._card.id,
                mode=ticket.mode,
                route=ticket.route,
                masked=briefing.masked,
                shown=tuple(Shown(node=node.id, confidence=node.confidence) for node in briefing.nodes),
                briefing_tokens=briefing.tokens,
                opened_at=clock.now(),
            )
            opened = Draft(
                what=BoardingOpened(boarding=boarding, alternatives=ticket.alternatives, breaking=briefing.breaking),
                by=CONDUCTOR,
                boarding=boarding.id,
                session=self._session,
            )
            return [opened, *held]

        events = await self._yard.journal.write(plan)
        opened = events[0].what
        assert isinstance(opened, BoardingOpened)
        self._boarding = opened.boarding.id
        question = self._yard.journal.graph.get(ticket.question)
        aboard = Aboard(
            boarding=opened.boarding.id,
            session=self._session,
            model=self._card.id,
            question=ticket.question,
            domains=question.domains if question is not None else (),
            shown=briefing.ids,
            review=self._order.review,
            is_language_model=self._card.is_language_model,
        )
        self._talk = Conversation(self._yard.journal, aboard, self._tell)
        if self._interrupt is not None:
            self._talk.interrupt()

    async def _end(self, ending: Ending, reason: str | None) -> None:
        boarding = self._boarding or ""
        settled = self._till.settle(boarding, None)
        ended = BoardingEnded(
            boarding=boarding,
            ending=ending,
            reason=reason,
            usage=self._usage,
            cost_micro_usd=self._till.spent_micro_usd,
            seconds=round(self._elapsed_s(), 3),
            merged=self._merged,
            rejected=self._rejected,
        )

        drafts = [
            *self._unsettled,
            *settled,
            Draft(what=ended, by=CONDUCTOR, boarding=boarding, session=self._session),
        ]
        self._unsettled = []
        await self._yard.journal.append(drafts)

    # Work

    async def _work(self, call: Call) -> tuple[Ending, str | None, bool]:
        """Call, retry, repair. Returns the ending, its reason, and whether another model should try."""
        attempt = 0
        while True:
            try:
                reply = await self._converse(call)
                return await self._judge(call, reply)
            except ContentError as error:
                if error.fault in {"refusal", "safety"}:
                    return "refused", error.message, False
                return ("merged", error.message, False) if self._merged else ("failed", error.message, True)
            except TransientError as error:
                wait_s = self._pause_before_retry(error, attempt)
                if wait_s is None:
                    pause = timedelta(seconds=max(error.retry_after_s or 0.0, _COOLDOWN_S))
                    until = self._yard.clock.now() + pause
                    await self._note(ModelCooled(model=self._card.id, until=until, reason=error.message))
                    return "failed", error.message, True
                attempt += 1
                self._tell("waiting")
                if await self._was_interrupted_within(wait_s):
                    return "cancelled", error.message, False
                try:
                    await self._hold_again(call)
                except OverBudgetError as refusal:
                    return "failed", str(refusal), True
            except AccountError as error:
                await self._note(ModelDisabled(model=self._card.id, reason=error.message))
                return "failed", error.message, True
            except RequestError as error:
                if error.fault == "model_missing":
                    await self._note(ModelDisabled(model=self._card.id, reason=error.message))
                return "failed", error.message, True

    def _pause_before_retry(self, error: TransientError, attempt: int) -> float | None:
        """Seconds to wait, with jitter; None when a retry makes no sense."""
        if not error.worth_retrying or attempt >= _RETRIES or self._merged or self._interrupt is not None:
            return None
        asked = error.retry_after_s
        if asked is not None and asked > _LONGEST_WAIT_S:
            return None
        spread = random.uniform(0.5, 1.5)
        first_s = self._order.retry_wait_s
        return first_s * 2.0**attempt * spread if asked is None else asked * max(1.0, spread)

    async def _was_interrupted_within(self, wait_s: float) -> bool:
        try:
            async with asyncio.timeout(wait_s):
                await self._interrupted.wait()
        except TimeoutError:
            return False
        return True

    async def _hold_again(self, call: Call) -> None:
        boarding = self._boarding or ""
        await self._settle()
        await self._yard.journal.write(lambda graph, ids: self._till.hold(boarding, call))

    async def _settle(self) -> None:
        settled, self._unsettled = self._unsettled, []
        if settled:
            await self._yard.journal.append(settled)

    async def _judge(self, call: Call, reply: Reply) -> tuple[Ending, str | None, bool]:
        """What a reply amounts to; an unreadable one is sent back once to be mended."""
        if self._interrupt is not None:
            return self._interrupt.ending, None, False
        if reply.stop in {"refusal", "safety"}:
            return "refused", f"the model declined ({reply.stop})", False
        if not reply.has_delta and reply.stop != "max_tokens" and call.repair_of is None:
            self._tell("repairing")
            fault = "the reply held no delta" if reply.text.strip() else "the reply was empty"
            mended = call.model_copy(
                update={
                    "prompt": repair(call.briefing, reply.text, fault),
                    "repair_of": reply.text,
                    "prompt_tokens": call.prompt_tokens + estimate_tokens(reply.text),
                }
            )
            await self._hold_again(mended)
            return await self._judge(mended, await self._converse(mended))
        if not reply.has_delta:
            reason = "the reply held no delta, also after one repair" if call.repair_of is not None else "no delta"
            return "failed", reason, True
        if reply.stop is None:
            return "merged", "the stream was cut: complete elements were kept", False
        if reply.stop in {"max_tokens", "context_full"}:
            return "merged", "the reply was cut at its token limit: complete elements were kept", False
        return "merged", None, False

    async def _converse(self, call: Call) -> Reply:
        """One call, with its settlement."""
        self._tell("waiting")
        talk = self._talk
        assert talk is not None
        usage: Usage | None = None
        try:
            reply = await talk.hear(await self._yard.crew.worker(self._card), call)
            usage = talk.usage if reply.stop is not None else None
            if reply.stop is None and self._interrupt is None and not talk.merged:
                raise TransientError(self._card.id, "the stream was cut before anything could be merged")
            return reply
        except (AccountError, RequestError):
            usage = _NOTHING
            raise
        except TransientError as error:
            usage = _NOTHING if error.is_unbilled else None
            raise
        finally:
            # Counts of a stream that did not end are partial: only the provider knows what it will bill.
            self._usage = talk.usage
            self._unsettled.extend(self._till.settle(self._boarding or "", usage))

    async def _note(self, what: ModelCooled | ModelDisabled) -> None:
        def plan(graph: Graph, ids: Ids) -> list[Draft]:
            # Seats that failed together tell it once.
            if isinstance(what, ModelDisabled) and self._yard.registry.is_disabled(what.model):
                return []
            return [Draft(what=what, by=CONDUCTOR, boarding=self._boarding, session=self._session)]

        await self._yard.journal.write(plan)

    # News

    def _elapsed_s(self) -> float:
        return self._yard.clock.monotonic_s() - self._started_s

    @property
    def _merged(self) -> int:
        return 0 if self._talk is None else self._talk.merged

    @property
    def _rejected(self) -> int:
        return 0 if self._talk is None else self._talk.rejected

    def _tell(self, phase: Phase, text: str = "", is_thought: bool = False) -> None:
        if not self._yard.bus.is_heard:
            return
        self._yard.bus.publish(
            Progress(
                seat=self._seat,
                phase=phase,
                boarding=self._boarding,
                model=self._card.id,
                question=self._ticket.question,
                mode=self._ticket.mode,
                reason=self._ticket.route.reason,
                text=text,
                is_thought=is_thought,
                elapsed_s=self._elapsed_s(),
                output_tokens=(self._talk.output_tokens or None) if self._talk is not None else None,
                cost_micro_usd=self._till.spent_micro_usd + self._till.held_micro_usd,
                merged=self._merged,
                rejected=self._rejected,
            )
        )


@lru_cache(maxsize=16)
def _system_tokens(text: str) -> int:
    """Estimated once for each mode: the system part is the same from boarding to boarding."""
    return estimate_tokens(text)
