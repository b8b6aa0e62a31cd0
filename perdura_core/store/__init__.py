"""The database side of the world: the Store protocol, its SQLite implementation and the journal that writes it."""

from perdura_core.store.journal import Journal, Plan
from perdura_core.store.kept import HistoryBlock, Kept, KeptLayer, PackedLayer, Side, StepRow
from perdura_core.store.protocol import Hit, SpendRow, StatusFlow, Store, StoredVectors
from perdura_core.store.sqlite import open_sqlite
from perdura_core.store.tail import Tail

__all__ = [
    "HistoryBlock",
    "Hit",
    "Journal",
    "Kept",
    "KeptLayer",
    "PackedLayer",
    "Plan",
    "Side",
    "SpendRow",
    "StatusFlow",
    "StepRow",
    "Store",
    "StoredVectors",
    "Tail",
    "open_sqlite",
]
