"""Whatever the mind holds, a briefing keeps to its budget, as its rendered prompt proves."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from perdura_core.briefing import estimate_tokens, render
from perdura_core.briefing.assemble import LEAST_TOKENS
from perdura_core.briefing.filling import as_shown, fill, fitted_to
from perdura_core.briefing.quoting import node_line
from perdura_core.briefing.ranking import rank
from perdura_core.graph import Graph
from perdura_core.vocabulary import (
    Briefing,
    BriefingNode,
    Edge,
    Fact,
    FactRecorded,
    Happening,
    Interpretation,
    InterpretationAdded,
    NodeId,
    Occurrence,
    Question,
    QuestionAsked,
)
from tests.core.graph.making import START, linked, numbered

texts = st.one_of(
    st.text(min_size=1, max_size=80),
    st.sampled_from(["crane " * 400, "起重機" * 200, "🏗️" * 90, "</data>`[INST]" * 60, "a", "=" * 500]),
)
names = st.lists(texts, max_size=10).map(tuple)


@st.composite
def minds(draw: st.DrawFn) -> list[Happening]:
    common = {"created_by": "reader:support", "created_at": START}
    born: list[Happening] = [QuestionAsked(question=Question(id="q1", text=draw(texts), domains=draw(names), **common))]
    for number in range(1, draw(st.integers(0, 6)) + 1):
        sighting = Occurrence(source=draw(texts), recorded_at=START, recorded_by="ingest")
        born.append(
            FactRecorded(
                fact=Fact(id=f"f{number}", text=draw(texts), domains=draw(names), occurrences=(sighting,), **common)
            )
        )
    facts = [what.fact.id for what in born if isinstance(what, FactRecorded)]
    for number in range(1, draw(st.integers(0, 10)) + 1):
        born.append(
            InterpretationAdded(
                interpretation=Interpretation(
                    id=f"i{number}",
                    kind=draw(st.sampled_from(["claim", "claim", "decision"])),
                    level=draw(st.sampled_from([1, 2, 3])),
                    text=draw(texts),
                    domains=draw(names),
                    facts=tuple(draw(st.lists(st.sampled_from(facts), unique=True))) if facts else (),
                    confidence=draw(st.floats(0, 1)),
                    **common,
                )
            )
        )
        born.append(linked(f"e{number}", "answers", f"i{number}", "q1"))
    judgements = [what.interpretation.id for what in born if isinstance(what, InterpretationAdded)]
    if len(judgements) > 1:
        for number, (a, b) in enumerate(draw(st.lists(st.tuples(*[st.sampled_from(judgements)] * 2), max_size=8))):
            born.append(linked(f"e{100 + number}", "contradicts", a, b))
    return born


def briefing_of(born: list[Happening], max_tokens: int, share: float, pairs: list[tuple[NodeId, NodeId]]) -> Briefing:
    graph = Graph()
    graph.apply(numbered(born))
    held = [next(value for value in dict(what).values() if not isinstance(value, str)) for what in born]
    nodes = {node.id: as_shown(node, masked=False) for node in held if not isinstance(node, Edge)}
    scores = {node: 1.0 for node in nodes if node != "q1"}
    ranking = rank(
        graph,
        "q1",
        around=graph.neighbourhood(["q1"], 2),
        scores=scores,
        shown={},
        mode="organic",
        masked=False,
        most=40,
    )
    question, _ = fitted_to(nodes["q1"], max_tokens // 3)
    grounds = {node.id: list(node.facts[:2]) for node in nodes.values()}
    chosen, edges, tokens = fill(
        graph, ranking, nodes, question, max_tokens=max_tokens, node_share=share, grounds=grounds, pairs=pairs
    )
    ids = {node.id for node in chosen}
    return Briefing(
        question=question,
        nodes=tuple(chosen),
        edges=tuple(edges),
        audit_pairs=tuple(pair for pair in pairs if ids.issuperset(pair)),
        mode="audit" if pairs else "organic",
        tokens=tokens,
    )


@settings(max_examples=120)
@given(minds(), st.integers(LEAST_TOKENS, 3_000), st.sampled_from([0.05, 0.125, 1.0]), st.booleans())
def test_the_prompt_never_takes_more_than_the_budget(
    born: list[Happening], max_tokens: int, share: float, audited: bool
) -> None:
    judgements = [what.interpretation.id for what in born if isinstance(what, InterpretationAdded)]
    pairs = list(pairwise(judgements))[:6] if audited else []
    briefing = briefing_of(born, max_tokens, share, pairs)
    assert estimate_tokens(render(briefing).user) <= briefing.tokens <= max_tokens
    ids = [node.id for node in briefing.nodes]
    assert len(ids) == len(set(ids))
    for node in briefing.nodes:
        assert briefing.ids.issuperset(node.facts)
    for edge in briefing.edges:
        assert briefing.ids.issuperset([edge.src, edge.dst])
    layers = [node.layer for node in briefing.nodes]
    assert "fact" not in layers[: len(layers) - layers.count("fact")]


@given(texts, names, texts, st.integers(100, 900))
def test_a_node_is_cut_to_its_room(text: str, domains: tuple[str, ...], source: str, room: int) -> None:
    node = BriefingNode(id="f1", layer="fact", text=text, domains=domains, source=source)
    cut, tokens = fitted_to(node, room)
    assert tokens == estimate_tokens(node_line(cut)) + 1 <= room
    assert cut.text == node.text or cut.text.endswith("…")
