"""The page itself: a template, a style and a script of ours, and the mind as data that is never read as markup."""

import asyncio
import base64
import hashlib
import html
import json
from contextlib import suppress
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

from perdura_core import __version__
from perdura_core.ingest.files import ExportReport, replacing
from perdura_core.ingest.mindmap.content import columns, ties_of
from perdura_core.mind import Mind
from perdura_core.vocabulary import Node

__all__ = ["page_of", "write_mindmap"]

_SCRIPTS = ("content.js", "canvas.js", "sidebar.js", "start.js")
"""In this order they are one script."""
_ESCAPES = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}
"""Inside JSON these mean the same, and no browser takes them for the end of a script or the start of a comment."""

_PATIENCE_S = 10.0
"""How long to wait for the claims of the mind to be compared."""


async def write_mindmap(mind: Mind, path: Path) -> ExportReport:
    """Write the mind as one HTML file, which opens in any browser and asks no network for anything.

    The file takes its place when it is whole, and not before. Raises InputError when it cannot be written.
    """
    # Edges first, so that what they join is in every later snapshot.
    edges = await mind.store.edges()
    nodes: list[Node] = [*await mind.store.questions(), *await mind.store.facts(), *await mind.store.interpretations()]
    with suppress(TimeoutError):
        await asyncio.wait_for(mind.suspects.caught_up(), _PATIENCE_S)
    near, suspected = mind.suspects.near(), mind.suspects.suspected()
    about = {
        "name": mind.name,
        "head": mind.graph.head,
        "made": f"{mind.clock.now():%Y-%m-%d %H:%M} UTC",
        "version": __version__,
    }

    def write() -> int:
        ties = ties_of(nodes, edges, near, suspected)
        page = page_of({"about": about, **columns(nodes, ties)})
        with replacing(path) as file:
            file.write(page)
        return len(ties)

    count = await asyncio.to_thread(write)
    return ExportReport(path=str(path), nodes=len(nodes), edges=count)


def page_of(content: dict[str, Any]) -> str:
    """The HTML of the page. Its policy allows this style and this script by their digests, and nothing else."""
    folder = resources.files(__package__)
    style = (folder / "page.css").read_text(encoding="utf-8")
    parts = [(folder / name).read_text(encoding="utf-8") for name in _SCRIPTS]
    script = f'"use strict";\n{{\n{"".join(parts)}}}\n'
    policy = f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}; base-uri 'none'"
    return Template((folder / "page.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(f"{content['about']['name']} · Perdura"),
        policy=html.escape(policy, quote=False),
        style=style,
        script=script,
        content=json.dumps(content, ensure_ascii=True, separators=(",", ":")).translate(_ESCAPES),
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
