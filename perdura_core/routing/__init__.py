"""Who boards what, and what it may cost: cards, registry, purse, policies, schedule and track records."""

from perdura_core.routing.budget import BUDGET_KINDS, AccountKind, Purse, settlement
from perdura_core.routing.cards import LOCAL_PROVIDERS, shipped_cards
from perdura_core.routing.consensus import CONSENSUS_KINDS, Consensus, Quiet
from perdura_core.routing.history import Comparison, PastRecords, compare, history
from perdura_core.routing.ledger import (
    LEDGER_KINDS,
    Entry,
    Forecast,
    Ledger,
    alternatives,
    instead_of,
    preview,
    within_budget,
)
from perdura_core.routing.policies import POLICIES, Choice, Policy, RouteState, fallback, rank, route
from perdura_core.routing.prices import cost_of, list_price, worst_case
from perdura_core.routing.records import RECORD_KINDS, Records
from perdura_core.routing.registry import REGISTRY_KINDS, Registry
from perdura_core.routing.schedule import STAKE_WEIGHTS, Pick, choose_mode, choose_question
from perdura_core.routing.state import route_state
from perdura_core.routing.triggers import swap_of

__all__ = [
    "BUDGET_KINDS",
    "CONSENSUS_KINDS",
    "LEDGER_KINDS",
    "LOCAL_PROVIDERS",
    "POLICIES",
    "RECORD_KINDS",
    "REGISTRY_KINDS",
    "STAKE_WEIGHTS",
    "AccountKind",
    "Choice",
    "Comparison",
    "Consensus",
    "Entry",
    "Forecast",
    "Ledger",
    "PastRecords",
    "Pick",
    "Policy",
    "Purse",
    "Quiet",
    "Records",
    "Registry",
    "RouteState",
    "alternatives",
    "choose_mode",
    "choose_question",
    "compare",
    "cost_of",
    "fallback",
    "history",
    "instead_of",
    "list_price",
    "preview",
    "rank",
    "route",
    "route_state",
    "settlement",
    "shipped_cards",
    "swap_of",
    "within_budget",
    "worst_case",
]
