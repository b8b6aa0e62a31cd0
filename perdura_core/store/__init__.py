"""The database side of the world: the Store protocol, its SQLite implementation and the journal that writes it."""

from perdura_core.store.protocol import Hit, SpendRow, Store

__all__ = ["Hit", "SpendRow", "Store"]
