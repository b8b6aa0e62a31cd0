"""Which mind, with which settings: what every verb settles before it works."""

import os
from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from perdura_core.config import Providers, Settings, config_file, default_mind, load_settings, system_keyring
from perdura_core.errors import InputError
from perdura_core.mind import Mind
from perdura_tui.command import UsageError

__all__ = ["config_path", "mind_path", "named_mind", "opened", "settings_of", "wants_json"]


def wants_json(given: Namespace) -> bool:
    """Whether `--json` was given."""
    return bool(getattr(given, "json", False))


def config_path(given: Namespace) -> Path:
    """The configuration file in force. Raises UsageError when one was named and is not there."""
    named = getattr(given, "config", None)
    if named is None:
        return config_file()
    path = Path(named)
    if not path.is_file():
        raise UsageError(f"--config {named!r}: there is no such file; leave the option away to use {config_file()}")
    return path


def settings_of(given: Namespace) -> Settings:
    """The settings in force, `--expansion` in place of the one in the file. Raises ConfigError."""
    settings = load_settings(config_path(given))
    expansion = getattr(given, "expansion", None)
    if expansion is None:
        return settings
    briefing = settings.briefing.model_copy(update={"expansion": expansion})
    return settings.model_copy(update={"briefing": briefing})


def named_mind(name: str) -> Path:
    """The file that a mind's name stands for.

    A path, an existing file or a name with a suffix stands for itself; a bare word for WORD.mind here if there is one,
    else for WORD.mind in the user's data directory.
    """
    if not name:
        raise UsageError("the name of a mind is empty: give a file, or leave the option away to use your own mind")
    path = Path(name).expanduser()
    if os.sep in name or path.suffix or path.exists():
        return path
    here = Path(f"{name}.mind")
    return here if here.exists() else default_mind({}).with_name(f"{name}.mind")


def mind_path(given: Namespace) -> Path:
    """The file of the mind to work on."""
    named = getattr(given, "mind", None)
    return default_mind() if named is None else named_mind(named)


@asynccontextmanager
async def opened(
    given: Namespace, *, readonly: bool = False, may_create: bool = False, looks_for_models: bool = False
) -> AsyncIterator[Mind]:
    """The mind of this command line, open. Raises InputError when it is not there and may not be created.

    `looks_for_models`: providers are looked for, which may take a second; otherwise only readers are aboard.
    """
    path = mind_path(given)
    if not path.exists():
        if not may_create:
            raise InputError(
                f"there is no mind at {str(path)!r}: `perdura ask` and `perdura read` start one, --mind names another"
            )
        if path.parent == default_mind({}).parent:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    providers = Providers.from_environment(os.environ, system_keyring) if looks_for_models else None
    async with Mind.open(path, settings_of(given), providers, readonly=readonly) as mind:
        yield mind
