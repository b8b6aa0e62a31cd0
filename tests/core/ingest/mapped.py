"""A mind whose every text tries to be more than text."""

from typing import Any

from perdura_core.mind import Mind
from perdura_core.vocabulary import (
    Draft,
    Edge,
    EdgeAdded,
    Fact,
    FactRecorded,
    Interpretation,
    InterpretationAdded,
    NodeSuperseded,
    Occurrence,
    Question,
    QuestionAsked,
)

__all__ = ["HOSTILE", "fill"]

HOSTILE = (
    "</script><script>document.title='taken'</script>", "<!--<script>", "]]>", "</style><style>body{display:none}",
    "<img src=x onerror=document.title='taken'>", '" onmouseover="document.title=\'taken\'" x="',
    "' autofocus onfocus=document.title='taken' '", "&lt;b&gt; &amp; &#60;", "<svg/onload=document.title='taken'>",
    "**bold** [link](javascript:document.title='taken')", "${document.title='taken'}", "$content $style {{7*7}}",
    "\u2028document.title='taken'\u2029", "שלום עליكم", "日本語のテキスト", "🧠👩‍👩‍👧", "a\u202eb\u2066c", "x" * 10_000,
    "line one\nline two\ttab",
)  # fmt: skip


async def fill(mind: Mind) -> None:
    """A question, a fact and a claim of each text; neighbours contradict each other, and the last claim has an heir."""
    now = mind.clock.now()
    made: dict[str, Any] = {"created_at": now, "domains": HOSTILE[:3], "created_by": HOSTILE[0]}
    drafts: list[Any] = []
    for number, text in enumerate(HOSTILE, start=1):
        seen = Occurrence(source=f"{text}#L1", recorded_at=now, recorded_by=text)
        claim = Interpretation(id=f"i{number}", kind="claim", text=text, confidence=0.5, facts=(f"f{number}",), **made)
        drafts += [
            QuestionAsked(question=Question(id=f"q{number}", text=text, **made)),
            FactRecorded(fact=Fact(id=f"f{number}", text=text, occurrences=(seen,), **made)),
            InterpretationAdded(interpretation=claim),
        ]
    last = len(HOSTILE)
    drawn: dict[str, Any] = {"created_by": HOSTILE[3], "created_at": now}
    for number in range(1, last + 1):
        ends = {"from": f"i{number}", "to": f"q{number}"}
        drafts.append(EdgeAdded(edge=Edge(id=f"e{number}", type="answers", **ends, **drawn)))
    for number in range(1, last):
        ends = {"from": f"i{number}", "to": f"i{number + 1}"}
        drafts.append(EdgeAdded(edge=Edge(id=f"e{last + number}", type="contradicts", **ends, **drawn)))
    drafts.append(NodeSuperseded(node=f"i{last}", superseded_by="i1", reason=HOSTILE[1]))
    await mind.journal.append([Draft(what=what, by=HOSTILE[0]) for what in drafts])
