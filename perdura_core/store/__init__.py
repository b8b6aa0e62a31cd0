"""The database side of the world: the Store protocol, its SQLite implementation and the journal that writes it."""

from perdura_core.store.journal import Journal, Plan
from perdura_core.store.protocol import Hit, SpendRow, Store, StoredVectors
from perdura_core.store.sqlite import open_sqlite

__all__ = ["Hit", "Journal", "Plan", "SpendRow", "Store", "StoredVectors", "open_sqlite"]
