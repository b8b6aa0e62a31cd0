"""What a worker gets to see, and the words in which a language model reads it."""

from perdura_core.briefing.assemble import assemble
from perdura_core.briefing.prompt import render, repair
from perdura_core.briefing.recall import recall
from perdura_core.briefing.tokens import estimate_tokens
from perdura_core.briefing.trails import Reader, Trails

__all__ = ["Reader", "Trails", "assemble", "estimate_tokens", "recall", "render", "repair"]
