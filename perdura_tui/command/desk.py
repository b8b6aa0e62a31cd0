"""`perdura [MIND]` and `demo`: opening the desk. The one module of the command line that loads Textual."""

import importlib
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from perdura_core.conductor import order_from
from perdura_core.config import Providers, default_mind, system_keyring
from perdura_core.mind import Mind
from perdura_tui.app import show_desk
from perdura_tui.command import UsageError, Verb, no_arguments
from perdura_tui.command.minds import config_path, mind_path, named_mind, settings_of, wants_json

__all__ = ["VERBS"]


async def _desk(given: Namespace) -> int:
    _need_terminal(given)
    path = mind_path(given)
    if given.name is not None:
        if getattr(given, "mind", None) is not None:
            raise UsageError(f"--mind {given.mind!r} and {given.name!r} name two minds: give one of them")
        path = named_mind(given.name)
        if not path.exists() and not Path(given.name).suffix:
            raise UsageError(
                f"{given.name!r} is neither a verb nor a mind: `perdura -h` lists the verbs, "
                f"`perdura {given.name}.mind` starts a mind of that name"
            )
    settings = settings_of(given)
    if path.parent == default_mind({}).parent:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    providers = Providers.from_environment(os.environ, system_keyring)
    async with Mind.open(path, settings, providers, readonly=given.readonly) as mind:
        return await show_desk(mind, order_from(settings), config_path(given))


async def _demo(given: Namespace) -> int:
    _need_terminal(given)
    settings = settings_of(given)
    providers = Providers.from_environment(os.environ, system_keyring)
    # Whatever is there is aboard, and what costs money boards only by the operator's hand.
    order = order_from(settings).model_copy(update={"route": "cheap"})
    async with (
        _sample_place(given) as path,
        Mind.open(path, settings, providers, pace=settings.demo.characters_per_s) as mind,
    ):
        if not await mind.store.questions():
            # Loaded by name: whoever opens a mind of their own has no use for readers of documents.
            await importlib.import_module("perdura_core.ingest.demo").fill_demo(mind)
        return await show_desk(mind, order, config_path(given), starts=True)


@asynccontextmanager
async def _sample_place(given: Namespace) -> AsyncIterator[Path]:
    """Where the sample mind lies: where `--mind` says, to be kept, else in a folder that goes when the desk closes."""
    if getattr(given, "mind", None) is not None:
        yield mind_path(given)
        return
    with TemporaryDirectory(prefix="perdura-demo-") as folder:
        yield Path(folder) / "demo.mind"


def _need_terminal(given: Namespace) -> None:
    if wants_json(given):
        raise UsageError("the desk prints no JSON: `perdura show --json` does")
    is_driven = "TEXTUAL_DRIVER" in os.environ  # a browser stands in for the terminal
    if not is_driven and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the desk needs a terminal: use a verb such as `perdura show`, listed by `perdura -h`")


def _desk_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="MIND", help="a file, or the name of a mind in your data directory")
    parser.add_argument("--readonly", action="store_true", help="watch, without being able to change anything")


VERBS = {"desk": Verb(_desk_arguments, _desk), "demo": Verb(no_arguments, _demo)}
