"""Which edges and changes the graph allows between which layers."""

from perdura_core.vocabulary import EdgeType, Layer

__all__ = ["edge_fault", "supersede_fault"]

_ENDS: dict[EdgeType, frozenset[tuple[Layer, Layer]]] = {
    "answers": frozenset({("fact", "question"), ("interpretation", "question")}),
    "supports": frozenset({("fact", "interpretation"), ("interpretation", "interpretation")}),
    "contradicts": frozenset({("interpretation", "interpretation")}),
    "refines": frozenset({("interpretation", "interpretation"), ("question", "question")}),
    "depends_on": frozenset(
        {
            ("interpretation", "interpretation"),
            ("interpretation", "fact"),
            ("question", "question"),
        }
    ),
}
_ARTICLES: dict[Layer, str] = {"question": "a question", "fact": "a fact", "interpretation": "an interpretation"}


def edge_fault(type_: EdgeType, src: Layer, dst: Layer) -> str | None:
    """Why an edge of this type cannot join these layers; None when it can."""
    if (src, dst) in _ENDS[type_]:
        return None
    return f"{_ARTICLES[src]} cannot have a {type_!r} edge to {_ARTICLES[dst]}"


def supersede_fault(old: Layer, new: Layer) -> str | None:
    """Why a node of one layer cannot give way to one of the other; None when it can."""
    if old == new:
        return None
    return f"{_ARTICLES[old]} cannot give way to {_ARTICLES[new]}: only to another of its layer"
