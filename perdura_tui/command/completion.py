"""Shell completion, made from the parser itself."""

from argparse import ArgumentParser

import shtab

from perdura_tui.command import UsageError

__all__ = ["script"]


def script(parser: ArgumentParser, shell: str) -> str:
    """The completion script for this shell. Raises UsageError for a shell that there is none for."""
    if shell not in shtab.SUPPORTED_SHELLS:
        raise UsageError(f"no completion for {shell!r}: choose one of {', '.join(shtab.SUPPORTED_SHELLS)}")
    completion: str = shtab.complete(parser, shell)
    return completion
