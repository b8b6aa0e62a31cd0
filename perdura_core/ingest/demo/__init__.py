"""The sample mind: a checkout outage that nine documents tell in nine ways."""

from importlib.resources import as_file, files
from typing import Any

from perdura_core.ingest.documents import read_named
from perdura_core.mind import Mind
from perdura_core.vocabulary import Stake

__all__ = ["DOCUMENTS", "QUESTIONS", "fill_demo"]

DOCUMENTS: dict[str, tuple[str, ...]] = {
    "status-page.md": ("reliability",),
    "postmortem-platform.md": ("reliability",),
    "postmortem-payments.md": ("reliability", "payments"),
    "vendor-mail.txt": ("payments",),
    "incident-chat.txt": ("reliability",),
    "checkout.log": ("reliability",),
    "metrics.html": ("reliability",),
    "finance-memo.md": ("finance", "payments"),
    "runbook.rst": ("operations",),
}
"""The documents with their domains."""

QUESTIONS: tuple[tuple[str, tuple[str, ...], Stake], ...] = (
    ("What was the root cause of the checkout outage on 14 March?", ("reliability",), "high"),
    ("When did the checkout outage begin, and how many minutes did it last?", ("reliability",), "normal"),
    ("How many orders did the outage cost, and were customers charged twice?", ("finance",), "high"),
    ("Should the shop stay with the Northgate gateway or move to Tidewater?", ("payments",), "normal"),
    ("Is the runbook right about the connection pool and the database failover?", ("operations",), "low"),
)
"""What the sample mind asks: text, domains, stake."""


async def fill_demo(mind: Mind) -> None:
    """Read the documents into the mind and ask the questions. Raises StoreError when the mind cannot be written."""
    folder: Any = files(__package__) / "outage"
    for name, domains in DOCUMENTS.items():
        with as_file(folder / name) as path:
            await read_named(mind.journal, mind.clock, [(path, f"outage/{name}")], domains)
    for text, domains, stake in QUESTIONS:
        await mind.ask(text, domains, stake)
