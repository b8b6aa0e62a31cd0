"""`events`: the journal, and with `--follow` what is still to come, of whichever process."""

import asyncio
import select
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Collection

from perdura_core.mind import Mind
from perdura_core.vocabulary import Event
from perdura_tui.command import UsageError, Verb
from perdura_tui.command.documents import event_document
from perdura_tui.command.minds import opened, wants_json
from perdura_tui.command.output import line, moment, print_json
from perdura_tui.command.values import count, positive
from perdura_tui.phrases import sentence

__all__ = ["VERBS"]

_PAGE = 1_000
_LOOK_S = 0.25
"""How often to look for what other processes wrote."""


async def _events(given: Namespace) -> int:
    if given.follow and given.limit is not None:
        raise UsageError("--follow shows every event and --limit only some: give one of them")
    as_json = wants_json(given)
    async with opened(given, readonly=True) as mind:
        if given.follow:
            async for event in _coming(mind, given.after, given.kind):
                _print(event, as_json)
                sys.stdout.flush()
        elif given.limit is not None:
            newest = await mind.store.events(given.after, kinds=given.kind, limit=given.limit, newest=True)
            _print_all(newest, as_json)
        else:
            _print_all([event async for event in _past(mind, given.after, given.kind)], as_json)
    return 0


async def _past(mind: Mind, after: int, kinds: Collection[str] | None) -> AsyncIterator[Event]:
    while page := await mind.store.events(after, kinds=kinds, limit=_PAGE):
        for event in page:
            yield event
        after = page[-1].seq


async def _coming(mind: Mind, after: int, kinds: Collection[str] | None) -> AsyncIterator[Event]:
    while True:
        async for event in _past(mind, after, kinds):
            yield event
            after = event.seq
        if _reader_has_left():
            raise BrokenPipeError
        await asyncio.sleep(_LOOK_S)


def _reader_has_left() -> bool:
    """Whether standard output is a pipe that nobody reads any more: a quiet journal would never find out by writing."""
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), select.POLLERR)
    except (OSError, ValueError):  # not a file of the system
        return False
    return bool(poll.poll(0))


def _print_all(events: Collection[Event], as_json: bool) -> None:
    if as_json:
        print_json([event_document(event) for event in events])
        return
    for event in events:
        _print(event, as_json)


def _print(event: Event, as_json: bool) -> None:
    if as_json:
        print_json(event_document(event))
    else:
        line(f"{event.seq:>6}  {moment(event.at)}  {event.boarding or '-':>5}  {sentence(event)}")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--follow", action="store_true", help="go on with what is still to come, one event a line")
    parser.add_argument("--after", metavar="SEQ", type=count, default=0, help="only events after this number")
    parser.add_argument("--limit", metavar="N", type=positive, help="only the last so many")
    parser.add_argument(
        "--kind", metavar="KIND", action="append", help="only this kind, such as edge_added; may repeat"
    )


VERBS = {"events": Verb(_arguments, _events)}
