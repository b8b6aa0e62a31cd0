"""What the operator does to a mind, as pure plans: every act is attributed, told in words, and can be undone."""

from perdura_core.acts.act import Act, acted
from perdura_core.acts.curation import (
    ask,
    change,
    damp,
    disable,
    enable,
    grade,
    pin,
    redact,
    reopen,
    resolve,
    revive,
    supersede,
)
from perdura_core.acts.domains import DomainStanding, domain_standings, profile, profiles, unsettled
from perdura_core.acts.placing import move, relayered
from perdura_core.acts.promotion import promote, refuse_promotion
from perdura_core.acts.review import REVIEW_KINDS, accept, edited, refuse, waiting
from perdura_core.acts.suspicion import contradict, dismiss
from perdura_core.acts.triage import merge_as_same, prefer, stand_both
from perdura_core.acts.undo import ACT_KINDS, last_act, undo

__all__ = [
    "ACT_KINDS",
    "REVIEW_KINDS",
    "Act",
    "DomainStanding",
    "accept",
    "acted",
    "ask",
    "change",
    "contradict",
    "damp",
    "disable",
    "dismiss",
    "domain_standings",
    "edited",
    "enable",
    "grade",
    "last_act",
    "merge_as_same",
    "move",
    "pin",
    "prefer",
    "profile",
    "profiles",
    "promote",
    "redact",
    "refuse",
    "refuse_promotion",
    "relayered",
    "reopen",
    "resolve",
    "revive",
    "stand_both",
    "supersede",
    "undo",
    "unsettled",
    "waiting",
]
