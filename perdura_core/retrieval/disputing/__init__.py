"""Which texts may contradict each other. A suspicion is no edge: it says where to look."""

from perdura_core.retrieval.disputing.inference import NliModel, load_nli
from perdura_core.retrieval.disputing.scorer import Judgement, Scorer

__all__ = ["Judgement", "NliModel", "Scorer", "load_nli"]
