"""The way of a worker's words into the graph: parse, validate, plan a merge. Pure."""

from perdura_core.delta.decode import Unreadable
from perdura_core.delta.fingerprint import fingerprint
from perdura_core.delta.intake import Intake
from perdura_core.delta.ontology import edge_fault
from perdura_core.delta.parser import DeltaParser, RawElement
from perdura_core.delta.piece import Aboard
from perdura_core.delta.plan import plan_accept, plan_elements, plan_refuse
from perdura_core.delta.schema import DELTA_SCHEMA
from perdura_core.delta.validate import MAX_LINKS, MAX_TEXT_CHARACTERS, Refusal, validate
from perdura_core.delta.votes import UNASSERTED

__all__ = [
    "DELTA_SCHEMA",
    "MAX_LINKS",
    "MAX_TEXT_CHARACTERS",
    "UNASSERTED",
    "Aboard",
    "DeltaParser",
    "Intake",
    "RawElement",
    "Refusal",
    "Unreadable",
    "edge_fault",
    "fingerprint",
    "plan_accept",
    "plan_elements",
    "plan_refuse",
    "validate",
]
