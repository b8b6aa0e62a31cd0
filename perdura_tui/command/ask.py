"""`ask` and `read`: what a mind is fed with."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import get_args

from perdura_core.errors import InputError
from perdura_core.ingest.documents import DocumentReport, read_documents
from perdura_core.vocabulary import Stake
from perdura_tui.command import UsageError, Verb
from perdura_tui.command.documents import node_document
from perdura_tui.command.minds import opened, wants_json
from perdura_tui.command.output import Column, line, print_json, print_table, say

__all__ = ["VERBS"]


async def _ask(given: Namespace) -> int:
    text = " ".join(given.text).strip()
    if not text:
        raise UsageError("the question is empty: `perdura ask 'What caused the outage?'`")
    async with opened(given, may_create=True) as mind:
        question = await mind.ask(text, domains=tuple(given.domain), stake=given.stake)
    if wants_json(given):
        print_json(node_document(question))
    else:
        line(f"{question.id} asked: {question.text}")
    return 0


async def _read(given: Namespace) -> int:
    paths = [Path(path) for path in given.path]
    async with opened(given, may_create=True) as mind:

        def tell(report: DocumentReport) -> None:
            say(f"read {report.path}")

        reports = await read_documents(mind, paths, domains=tuple(given.domain), on_progress=tell)
    if not reports:
        raise InputError(f"no document under {', '.join(map(repr, given.path))}: name files, or folders that hold some")
    if wants_json(given):
        print_json({"documents": [report._asdict() for report in reports]})
    else:
        rows = ((report.path, report.facts, report.seen_again, report.error or "read") for report in reports)
        columns = [Column("document", style="cyan"), Column("new facts", is_number=True)]
        columns += [Column("seen again", is_number=True), Column("result", is_text=True)]
        print_table(columns, rows, empty="")
    return 1 if any(report.error for report in reports) else 0


def _ask_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("text", nargs="+", metavar="TEXT", help="the question")
    parser.add_argument("--domain", metavar="D", action="append", default=[], help="a domain it belongs to; may repeat")
    parser.add_argument("--stake", choices=get_args(Stake), default="normal", help="how much hangs on it")


def _read_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="+", metavar="PATH", help="documents, or folders of documents")
    parser.add_argument("--domain", metavar="D", action="append", default=[], help="a domain of all facts; may repeat")


VERBS = {"ask": Verb(_ask_arguments, _ask), "read": Verb(_read_arguments, _read)}
