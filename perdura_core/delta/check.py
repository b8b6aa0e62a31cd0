"""What the present graph says to the elements of a group: which names stand for what, and what is not allowed."""

from collections.abc import Iterable, Iterator, Mapping, Set

from perdura_core.delta.ontology import edge_fault, supersede_fault
from perdura_core.delta.piece import Aboard, End, Piece, kind_of_end, layer_of_end
from perdura_core.delta.validate import Refusal, reads_like_id
from perdura_core.graph import Graph
from perdura_core.vocabulary import EdgeType, Layer, Link, NodeId

__all__ = ["check", "sole_answer"]


def check(pieces: list[Piece], graph: Graph, aboard: Aboard, made: Mapping[str, NodeId] | None) -> None:
    """Resolve names and refuse what cannot be merged, in place; refusals reach those who refer to the refused.

    made: only for elements that the operator accepted: names of proposals and what they became. Then any node of the
    mind may be named, since the names were checked when the element was held.
    """
    for piece in _standing(pieces):
        piece.place(graph)
    members = _members(pieces, graph.refs(aboard.boarding) if made is None else {})
    for piece in _standing(pieces):
        piece.standing = _same_words(piece, graph)
        _let_rest(piece, graph)
    for piece in _standing(pieces):
        _resolve(piece, members, graph, aboard, made)
    for piece in _standing(pieces):
        _make_way(piece, graph.moved(aboard.boarding))
    for piece in _standing(pieces):
        fault = _fault(piece, graph)
        if fault is not None:
            piece.refuse(fault)
    _cascade(pieces)


def _standing(pieces: Iterable[Piece]) -> Iterator[Piece]:
    return (piece for piece in pieces if piece.refusal is None)


def _members(pieces: list[Piece], taken: Mapping[str, NodeId]) -> dict[str, Piece]:
    """Refs that the group defines. The first to use a ref has it."""
    members: dict[str, Piece] = {}
    for piece in _standing(pieces):
        ref = piece.said.ref
        if ref is None:
            continue
        if ref in taken or ref in members:
            piece.refuse(Refusal("ref_taken", f"the ref {ref!r} already names another element of this delta"))
        else:
            members[ref] = piece
    return members


def _same_words(piece: Piece, graph: Graph) -> NodeId | None:
    """The live node that has the words of this one. A decision says more than the claim that it settles."""
    if not piece.is_node:
        return None
    if layer_of_end(piece) == "fact":
        return graph.known_fact(piece.digest)
    node = graph.same_text(layer_of_end(piece), piece.digest)
    if node is None or layer_of_end(piece) != "interpretation":
        return node
    kinds = (piece.said.kind, kind_of_end(node, graph))
    return node if kinds[0] == kinds[1] or kinds == ("claim", "decision") else None


def _let_rest(piece: Piece, graph: Graph) -> None:
    """A fact that gave way and is seen again gains an occurrence and no edges: what it gave way to has those."""
    vertex = graph.get(piece.standing or "")
    if vertex is not None and vertex.superseded_by is not None:
        piece.left_out += [f"{link.type} {link.to}, since {vertex.id} gave way" for link in piece.said.links]
        piece.element = piece.said.model_copy(update={"links": ()})


def _resolve(
    piece: Piece, members: Mapping[str, Piece], graph: Graph, aboard: Aboard, made: Mapping[str, NodeId] | None
) -> None:
    said = piece.said
    names = ([said.origin] if said.origin is not None else []) + [link.to for link in said.links] + list(said.facts)
    refs: Mapping[str, NodeId] = graph.refs(aboard.boarding) if made is None else made
    waiting = graph.held(aboard.boarding)
    for name in names:
        if name in refs:
            end: End = refs[name]
        elif name in members:
            end = members[name]
        elif graph.get(name) is not None and (name in aboard.shown or made is not None):
            end = name
        elif made is None and name in waiting:
            end, piece.follows = waiting[name], waiting[name]
        else:
            what = "an id that the briefing showed" if reads_like_id(name) else "an id or a ref of this delta"
            piece.refuse(Refusal("unknown_id", f"{name[:60]!r} is not {what}"))
            return
        piece.ends[name] = end if isinstance(end, str) or end.standing is None else end.standing


def _make_way(piece: Piece, moved: Set[NodeId]) -> None:
    """Mend what an element says of one that was put in the other layer: its sender could not know.

    A judgement that was to be a fact is what others depend on. A link that a fact cannot be at the end of is left out.
    """
    said = piece.said
    there = {name: layer_of_end(end) for name, end in piece.ends.items() if _was_moved(end, moved)}
    if not there and piece.sent_kind is None:
        return
    leaned = [name for name in said.facts if there.get(name) == "interpretation"]
    links = [*said.links, *(Link(type="depends_on", to=name) for name in leaned)]
    kept = [link for link in links if not _breaks(piece, link, there)]
    piece.left_out += [f"{link.type} {link.to}" for link in links if link not in kept]
    if kept or said.kind != "link":
        facts = tuple(name for name in said.facts if name not in leaned)
        piece.element = said.model_copy(update={"links": tuple(kept), "facts": facts})


def _was_moved(end: End, moved: Set[NodeId]) -> bool:
    return end in moved if isinstance(end, str) else end.sent_kind is not None


def _breaks(piece: Piece, link: Link, there: Mapping[str, Layer]) -> bool:
    if link.type in ("supersedes", "resolved_by") or (link.to not in there and piece.sent_kind is None):
        return False
    src = piece.ends[piece.said.origin] if piece.said.origin is not None else piece
    type_: EdgeType = link.type  # type: ignore[assignment]  # validation left only edges
    return edge_fault(type_, layer_of_end(src), layer_of_end(piece.ends[link.to])) is not None


def _fault(piece: Piece, graph: Graph) -> Refusal | None:
    if piece.follows is not None:  # judged when the operator accepts it
        return None
    if piece.said.kind == "supersede" and (circle := _circle(piece, graph)) is not None:
        return circle
    for name, end in piece.ends.items():
        if isinstance(end, str) and (gone := _gone(end, graph)) is not None:
            return gone if name == end else Refusal(gone.reason, f"{name!r} is {gone.detail}")
    said = piece.said
    match said.kind:
        case "confidence":
            return _confidence_fault(piece)
        case "supersede":
            return _supersede_fault(piece)
        case "resolve":
            return _resolve_fault(piece, graph)
        case "link":
            return _edges_fault(piece, piece.ends[said.origin or ""], graph)
        case _:
            return _words_fault(piece, graph) or _facts_fault(piece) or _edges_fault(piece, _itself(piece), graph)


def _itself(piece: Piece) -> End:
    return piece if piece.standing is None else piece.standing


def _gone(node: NodeId, graph: Graph) -> Refusal | None:
    vertex = graph.get(node)
    if vertex is None:
        return Refusal("unknown_id", f"{node!r} is no node of this mind")
    if vertex.superseded_by is not None:
        return Refusal("not_live", f"{node!r} was superseded by {vertex.superseded_by!r}")
    if vertex.status == "deleted":
        return Refusal("not_live", f"{node!r} was deleted")
    return None


def _words_fault(piece: Piece, graph: Graph) -> Refusal | None:
    """A judgement or observation in the very words of a question answers nothing."""
    if layer_of_end(piece) == "question":
        return None
    question = graph.same_text("question", piece.digest)
    if question is None:
        return None
    return Refusal("repeated_node", f"{(piece.said.text or '')[:60]!r} only repeats the question {question!r}")


def _facts_fault(piece: Piece) -> Refusal | None:
    for name in piece.said.facts:
        layer = layer_of_end(piece.ends[name])
        if layer != "fact":
            return Refusal("not_allowed", f"`facts` names {name!r}, which is a {layer}")
    return None


def _edges_fault(piece: Piece, src: End, graph: Graph) -> Refusal | None:
    seen: set[tuple[EdgeType, End]] = set()
    for link in piece.said.links:
        type_: EdgeType = link.type  # type: ignore[assignment]  # validation left only edges
        dst = piece.ends[link.to]
        if dst == src:
            return Refusal("self_loop", f"the {type_!r} link to {link.to!r} leads back to its own node")
        fault = edge_fault(type_, layer_of_end(src), layer_of_end(dst))
        if fault is not None:
            return Refusal("not_allowed", f"{fault} ({link.to!r})")
        is_there = (
            piece.said.kind == "link"
            and isinstance(src, str)
            and isinstance(dst, str)
            and graph.edge_between(type_, src, dst) is not None
        )
        if is_there or (type_, dst) in seen:
            return Refusal("repeated_edge", f"there already is a {type_!r} edge to {link.to!r}")
        seen.add((type_, dst))
    return None


def _confidence_fault(piece: Piece) -> Refusal | None:
    origin = piece.said.origin or ""
    layer: Layer = layer_of_end(piece.ends[origin])
    if layer == "interpretation":
        return None
    return Refusal("not_allowed", f"{origin!r} is a {layer}: only interpretations have a confidence")


def _supersede_fault(piece: Piece) -> Refusal | None:
    old_name, new_name = piece.said.origin or "", piece.said.links[0].to
    old, new = piece.ends[old_name], piece.ends[new_name]
    if old == new:
        return Refusal("self_loop", f"{old_name!r} cannot give way to itself")
    fault = supersede_fault(layer_of_end(old), layer_of_end(new))
    return None if fault is None else Refusal("not_allowed", f"{fault} ({old_name!r} to {new_name!r})")


def _circle(piece: Piece, graph: Graph) -> Refusal | None:
    old, new = (piece.ends[name] for name in (piece.said.origin or "", piece.said.links[0].to))
    at = new if isinstance(new, str) and new != old else None
    while at is not None and (vertex := graph.get(at)) is not None:
        at = vertex.superseded_by
        if at == old:
            return Refusal("supersede_cycle", f"{new!r} gave way to {old!r}, which cannot give way to it in turn")
    return None


def _resolve_fault(piece: Piece, graph: Graph) -> Refusal | None:
    name = piece.said.origin or ""
    question = piece.ends[name]
    if layer_of_end(question) != "question":
        return Refusal("not_allowed", f"{name!r} is a {layer_of_end(question)}: only questions are resolved")
    vertex = graph.get(question) if isinstance(question, str) else None
    if vertex is not None and vertex.question_status == "resolved":
        return Refusal("not_allowed", f"{name!r} is resolved already")
    if not piece.said.links:
        if isinstance(question, str) and sole_answer(question, graph) is not None:
            return None
        return Refusal("missing_field", f"nothing says which interpretation resolves {name!r}")
    answer = piece.said.links[0].to
    if layer_of_end(piece.ends[answer]) != "interpretation" or kind_of_end(piece.ends[answer], graph) == "rejected":
        return Refusal("not_allowed", f"{name!r} is resolved by a claim or a decision, which {answer!r} is not")
    return None


def sole_answer(question: NodeId, graph: Graph) -> NodeId | None:
    """The one live interpretation that answers the question; None when there are none or several."""
    answers = {
        link.src
        for link in graph.links(question)
        if link.type == "answers" and link.dst == question and link.src[0] == "i" and _is_live(link.src, graph)
    }
    return answers.pop() if len(answers) == 1 else None


def _is_live(node: NodeId, graph: Graph) -> bool:
    vertex = graph.get(node)
    return vertex is not None and vertex.is_live


def _cascade(pieces: list[Piece]) -> None:
    """Refuse who refers to a refused element of the group."""
    users: dict[Piece, list[tuple[str, Piece]]] = {}
    for piece in _standing(pieces):
        for name, end in piece.ends.items():
            if isinstance(end, Piece):
                users.setdefault(end, []).append((name, piece))
    rim = [piece for piece in pieces if piece.refusal is not None]
    while rim:
        for name, user in users.get(rim.pop(), ()):
            if user.refusal is None:
                user.refuse(Refusal("unknown_id", f"{name!r} names an element that was refused"))
                rim.append(user)
