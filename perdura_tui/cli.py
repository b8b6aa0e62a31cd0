"""The command line: finds the verb, loads the one module that knows it, and turns every error into one sentence."""

import argparse
import asyncio
import importlib
import os
import sys
import traceback
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from perdura_core import __version__
from perdura_core.errors import PerduraError
from perdura_tui.command import UsageError, Verb
from perdura_tui.visible import visible

__all__ = ["VERBS", "Entry", "main", "parser_for"]


class Entry(NamedTuple):
    """Where a verb lives and what the overview says of it."""

    module: str
    help: str


VERBS: Mapping[str, Entry] = {
    "demo": Entry("desk", "the desk on a sample mind with the embedded readers, working at once"),
    "desk": Entry("desk", "the desk on a mind: the same as `perdura [MIND]`"),
    "serve": Entry("serve", "the desk in a browser, on this machine only unless told otherwise"),
    "ask": Entry("ask", "add a question"),
    "read": Entry("ask", "take documents apart into facts, with source and line"),
    "run": Entry("run", "let workers board, without the desk"),
    "show": Entry("show", "the whole mind, or one node with its edges, history and boarding"),
    "questions": Entry("show", "what drives the work"),
    "facts": Entry("show", "what was observed"),
    "claims": Entry("show", "what was judged: claims, decisions and rejections"),
    "search": Entry("search", "find by words and by meaning, with filters: type:claim domain:x by:model conf>0.6"),
    "contention": Entry("show", "where the mind disagrees with itself"),
    "domains": Entry("domains", "how fast each domain is, by the pace of its facts or by your word"),
    "place": Entry("domains", "put a fact among the interpretations, or an interpretation among the facts"),
    "upkeep": Entry("upkeep", "the day's work on the memory: confidence, forgetting, promotions"),
    "memory": Entry("upkeep", "what upkeep knows: factors, forgetting, wisdom, echo chambers, promotions, last runs"),
    "models": Entry("accounts", "the registry: who can board, and why somebody cannot"),
    "track": Entry("track", "what became of each model's contributions; two models compared; records over time"),
    "grade": Entry("track", "say whether an answer is right or wrong: it counts in its author's record"),
    "routes": Entry("routes", "every decision of the router: who, why, and whom other policies would have sent"),
    "spend": Entry("accounts", "where the money went"),
    "sessions": Entry("accounts", "when a conductor ran, and with what result"),
    "events": Entry("events", "the journal; with --follow as it grows"),
    "export": Entry("exchange", "write the mind to a file: .json (nodes and edges) or .jsonl (the journal)"),
    "import": Entry("exchange", "take in such a file"),
    "viz": Entry("viz", "draw the mind as one HTML page: a map to search, with details and disputes"),
    "redact": Entry("exchange", "destroy a text for good; the structure stays"),
    "doctor": Entry("doctor", "what was found of models, database, terminal and configuration, and what to do"),
    "info": Entry("doctor", "where everything lies"),
    "experiment": Entry("experiment", "put a claim to the proof on recorded answers of real models"),
    "bench": Entry("bench", "measure this machine: merge, brief, search, upkeep, boarding"),
}

_FRONT_DESK = frozenset(["-h", "--help", "--version"])
_WITH_VALUE = ("--mind", "--config", "--print-completion")
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 done, 1 failed, 2 usage, 130 interrupted."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words == ["--version"]:
        print(f"perdura {__version__}")
        return 0
    try:
        return _run(words)
    except SystemExit as leaving:  # argparse has said why
        return leaving.code if isinstance(leaving.code, int) else 1
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has left: nothing more can be said, not even by the interpreter's flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except UsageError as error:
        return _say(str(error), 2)
    except PerduraError as error:
        return _say(str(error), 1)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _say(f"{place}{error.strerror or error}", 1)
    except Exception as error:  # the edge of the program: a fault of ours must not look like one of the terminal
        if os.environ.get("PERDURA_TRACEBACK"):
            traceback.print_exc()
        kind = type(error).__name__
        return _say(f"a fault of this program ({kind}: {error}); PERDURA_TRACEBACK=1 shows where: please report it", 1)


def _say(sentence: str, code: int) -> int:
    print(f"perdura: {visible(sentence, one_line=True)}", file=sys.stderr)
    return code


def _run(words: list[str]) -> int:
    place = _first_word(words)
    if place is None:
        name = "desk" if _FRONT_DESK.isdisjoint(words) else ""
        words = [*words, *filter(None, [name])]
    elif words[place] in VERBS:
        name = words[place]
    else:
        name = "desk"
        _refuse_misspelt(words[place])
        words = [*words[:place], name, *words[place:]]
    is_completion = any(word.startswith("--print-completion") for word in words)
    parser = parser_for(VERBS if is_completion else [name])
    given = parser.parse_args(words)
    if is_completion:
        print(importlib.import_module("perdura_tui.command.completion").script(parser, given.print_completion))
        return 0
    code: int = asyncio.run(given.run(given))
    sys.stdout.flush()
    return code


def _first_word(words: Sequence[str]) -> int | None:
    """The place of the first word that is neither an option nor an option's value."""
    is_value = False
    for place, word in enumerate(words):
        if is_value:
            is_value = False
        elif word.startswith("-"):
            is_value = word in _WITH_VALUE
        else:
            return place
    return None


def _refuse_misspelt(word: str) -> None:
    if os.sep in word or "." in word or os.path.exists(word):
        return
    for verb in get_close_matches(word, VERBS, n=1, cutoff=0.7):
        raise UsageError(
            f"{word!r} is no verb: did you mean {verb!r}? (`perdura desk {word}` opens a mind of that name)"
        )


def parser_for(loaded: Collection[str]) -> argparse.ArgumentParser:
    """The whole command line, of which only the verbs in `loaded` know their arguments."""
    parser = argparse.ArgumentParser(
        prog="perdura",
        parents=[_common()],
        description="The mind that outlives its models. `perdura [MIND]` opens the desk on a mind.",
        epilog="`perdura VERB -h` explains a verb. Exit codes: 0 done, 1 failed, 2 usage, 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"perdura {__version__}")
    parser.add_argument("--print-completion", metavar="SHELL", help="a completion script: bash, zsh, fish, tcsh")
    verbs = parser.add_subparsers(metavar="VERB", title="verbs")
    for name, entry in VERBS.items():
        summary = f"{entry.help[0].upper()}{entry.help[1:]}."
        verb_parser = verbs.add_parser(name, help=entry.help, description=summary, parents=[_common()])
        if name in loaded:
            verb: Verb = importlib.import_module(f"perdura_tui.command.{entry.module}").VERBS[name]
            verb.arguments(verb_parser)
            verb_parser.set_defaults(run=verb.run)
    return parser


def _common() -> argparse.ArgumentParser:
    # Suppressed defaults: what stands before the verb must survive the verb's own parser.
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--mind", metavar="FILE", help="the mind to work on (default: $PERDURA_MIND, or your own)")
    common.add_argument("--config", metavar="FILE", help="settings to use instead of your own")
    common.add_argument("--json", action="store_true", help="one JSON document on standard output")
    return common
