"""The verbs of the command line. Each module is loaded when one of its verbs is asked for, and not before."""

from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from perdura_core.errors import InputError

__all__ = ["UsageError", "Verb", "no_arguments"]


class UsageError(InputError):
    """The command line itself is wrong. Exit code 2."""


class Verb(NamedTuple):
    """What a verb takes and what it does. `run` returns the exit code."""

    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], Awaitable[int]]


def no_arguments(parser: ArgumentParser) -> None:
    """For a verb that takes the common options only."""
