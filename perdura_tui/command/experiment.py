"""`experiment`: claims of the design put to the proof on recorded answers of real models."""

import asyncio
import inspect
import json
from argparse import ArgumentParser, Namespace
from math import isnan
from pathlib import Path

from perdura_core.errors import InputError
from perdura_core.experiments.catalogue import EXPERIMENTS, Experiment
from perdura_core.experiments.drawing import as_svg, as_text
from perdura_core.experiments.report import Finding, Report, Table
from perdura_tui.command import UsageError, Verb
from perdura_tui.command.minds import wants_json
from perdura_tui.command.output import Column, heading, line, print_json, print_table, say
from perdura_tui.command.values import count, positive

__all__ = ["VERBS"]

_FOLDERS = (Path("data"), Path("../shared/data"))
"""Where a data file is looked for when `--data` names none."""


async def _experiment(given: Namespace) -> int:
    experiment = EXPERIMENTS[given.name]
    data = _data(given, experiment)
    say(f"{given.name}: {experiment.question}")
    if given.fit is not None:
        await _fit(given, experiment, data)
        return 0
    if given.svg:
        _check_folder(given.svg)
    report = await _run(given, experiment, data)
    if wants_json(given):
        print_json(_document(report))
    else:
        _print(report)
    if given.svg and report.chart is not None:
        await _write(given.svg, as_svg(report.chart))
    return 0


def _check_folder(path: str) -> None:
    """Better said now than after minutes of work."""
    if not Path(path).absolute().parent.is_dir():
        raise InputError(f"the folder of {path!r} is not there: make it, or name another file")


async def _write(path: str, text: str) -> None:
    try:
        await asyncio.to_thread(Path(path).write_text, text, "utf-8")
    except OSError as error:
        raise InputError(f"{path!r} cannot be written ({error.strerror}): name another file") from None


async def _fit(given: Namespace, experiment: Experiment, data: Path) -> None:
    if experiment.fit is None:
        able = ", ".join(name for name, one in EXPERIMENTS.items() if one.fit is not None)
        raise UsageError(f"{given.name} has no weights that come with the program: --fit is for {able}")
    weights = await asyncio.to_thread(experiment.fit, data)
    text = json.dumps(weights, separators=(",", ":")) + "\n"
    await _write(given.fit, text)
    if wants_json(given):
        print_json({"experiment": given.name, "data": data.name, "weights": given.fit})
    else:
        line(f"weights written to {given.fit}")


async def _run(given: Namespace, experiment: Experiment, data: Path) -> Report:
    if given.model is not None:
        if experiment.live is None:
            able = ", ".join(name for name, one in EXPERIMENTS.items() if one.live is not None)
            raise UsageError(f"{given.name} runs on recorded answers alone: --model is for {able}")
        return await experiment.live(data, given.seed, given.model, given.questions)
    answer = await asyncio.to_thread(experiment.run, data, given.seed)
    return await answer if inspect.isawaitable(answer) else answer


def _data(given: Namespace, experiment: Experiment) -> Path:
    if given.data is not None:
        named = Path(given.data)
        if not named.exists():
            raise InputError(f"there is no {given.data!r}: --data names a file of recorded data")
        return named
    for folder in _FOLDERS:
        if (folder / experiment.data).exists():
            return folder / experiment.data
    raise InputError(
        f"{experiment.data or 'recorded data'} was found neither in data nor in ../shared/data: name it with --data"
    )


def _document(report: Report) -> dict[str, object]:
    return {
        "experiment": report.experiment,
        "data": report.data,
        "seed": report.seed,
        "figures": _plain(report.figures),
        "notes": list(report.notes),
    }


def _plain(figure: object) -> object:
    """Findings as documents, and what is no number as null."""
    match figure:
        case Finding():
            return _plain(figure.document())
        case dict():
            return {str(name): _plain(part) for name, part in figure.items()}
        case float() if isnan(figure):
            return None
        case _:
            return figure


def _print(report: Report) -> None:
    line(f"{report.experiment} on {report.data}, seed {report.seed}")
    for table in report.tables:
        heading(table.title)
        print_table(_columns(table), (tuple(map(_cell, row)) for row in table.rows), empty="nothing")
    if report.chart is not None:
        line()
        for text in as_text(report.chart):
            line(text)
    if report.notes:
        line()
    for note in report.notes:
        line(note, style="dim")


def _columns(table: Table) -> list[Column]:
    first = table.rows[0] if table.rows else ()
    numeric = [not isinstance(cell, str) for cell in first] or [False] * len(table.columns)
    return [Column(title, is_number=is_number) for title, is_number in zip(table.columns, numeric, strict=True)]


def _cell(cell: object) -> object:
    match cell:
        case Finding(value=value, low=None):
            return f"{value:.4f}"
        case Finding(value=value, low=low, high=high):
            return f"{value:.4f} ({low:.4f} to {high:.4f})"
        case float():
            return f"{cell:.4f}"
        case _:
            return cell


def _arguments(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("name", choices=tuple(EXPERIMENTS), help="; ".join(f"{n}: {e.question}" for n, e in EXPERIMENTS.items()))
    add("--data", metavar="FILE", help="recorded answers to run on, JSONL or JSONL.gz")
    add("--seed", metavar="N", type=count, default=0, help="of every draw (default: 0)")
    add("--model", metavar="ID", help="have this model take part, live: contribution, briefing")
    add("--questions", metavar="N", type=positive, default=40, help="with --model: on so many questions (default: 40)")
    add("--fit", metavar="FILE", help="fit the weights that the program comes with again, and write them there")
    add("--svg", metavar="FILE", help="write the chart there too")


VERBS = {"experiment": Verb(_arguments, _experiment)}
