"""`export`, `import` and `redact`: what leaves a mind, what enters it whole, and what is destroyed."""

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import get_args

from perdura_core.errors import InputError, UnknownNodeError
from perdura_core.ingest.interchange import ImportReport, export_mind, import_mind
from perdura_core.ingest.lines import export_journal, import_journal
from perdura_core.vocabulary import Layer, layer_of
from perdura_tui.command import UsageError, Verb
from perdura_tui.command.minds import mind_path, opened, wants_json
from perdura_tui.command.output import line, print_json, prose

__all__ = ["VERBS"]

_FORMATS = ("json", "jsonl")


def _format_of(given: Namespace) -> str:
    format_ = given.format or Path(given.file).suffix.removeprefix(".").lower()
    if format_ not in _FORMATS:
        raise UsageError(f"{given.file!r} does not tell its format: name it .json or .jsonl, or give --format")
    return str(format_)


async def _export(given: Namespace) -> int:
    format_, path = _format_of(given), Path(given.file)
    async with opened(given, readonly=True) as mind:
        report = await (export_journal if format_ == "jsonl" else export_mind)(mind, path)
    if wants_json(given):
        print_json(report.model_dump(mode="json"))
        return 0
    what = f"{report.events} events" if format_ == "jsonl" else f"{report.nodes} nodes and {report.edges} edges"
    line(f"{what} written to {report.path}")
    for sentence in report.not_kept:
        line(f"  {sentence}", style="dim")
    return 0


async def _import(given: Namespace) -> int:
    source = Path(given.file)
    if _format_of(given) == "jsonl":
        path = mind_path(given)
        events = await import_journal(path, source)
        if wants_json(given):
            print_json({"path": str(source), "events": events})
        else:
            line(f"{events} events of {source} are the mind {path} now")
        return 0
    async with opened(given, may_create=True) as mind:
        report = await import_mind(mind, source)
    if wants_json(given):
        print_json(report.model_dump(mode="json"))
    else:
        _print_import(report)
    return 0


def _print_import(report: ImportReport) -> None:
    line(
        f"{report.path}: {report.questions} questions, {report.facts} facts, {report.interpretations} interpretations "
        f"and {report.edges} edges added"
    )
    if report.not_kept:
        line("What has no place here:")
    for sentence in report.not_kept:
        line(f"  {sentence}", style="dim")


async def _redact(given: Namespace) -> int:
    if given.id[:1] not in ("q", "f", "i") or not given.id[1:].isdigit():
        layers = ", ".join(get_args(Layer))
        raise UsageError(f"{given.id!r} is no node: redact takes the id of a {layers}, such as f1042")
    async with opened(given) as mind:
        node = (await mind.store.nodes([given.id])).get(given.id)
        if node is None:
            raise UnknownNodeError(given.id)
        if not given.yes:
            _confirm(given.id, layer_of(given.id), node.text)
        await mind.redact(given.id)
    if wants_json(given):
        print_json({"redacted": given.id})
    else:
        line(f"{given.id} redacted: its text is gone from this mind and its journal, its links stay")
    return 0


def _confirm(identifier: str, layer: Layer, text: str) -> None:
    """Have the id typed again. Raises UsageError without a terminal, InputError when something else was typed."""
    if not sys.stdin.isatty():
        raise UsageError(f"redacting {identifier} cannot be undone: confirm with --yes")
    prose(text)
    sys.stdout.write(f"The text of this {layer} will be destroyed for good. Type {identifier} to confirm: ")
    sys.stdout.flush()
    if sys.stdin.readline().strip() != identifier:
        raise InputError(f"{identifier} was not confirmed: nothing was changed")


def _file_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help=".json: nodes and edges; .jsonl: the journal, every event")
    parser.add_argument("--format", choices=_FORMATS, help="when the file's name does not tell")


def _redact_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the node whose text is to be destroyed")
    parser.add_argument("--yes", action="store_true", help="do not ask")


VERBS = {
    "export": Verb(_file_arguments, _export),
    "import": Verb(_file_arguments, _import),
    "redact": Verb(_redact_arguments, _redact),
}
