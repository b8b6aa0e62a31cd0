"""What happened, in words."""

from datetime import UTC, datetime

from perdura_core.vocabulary import ElementMerged, Event
from perdura_tui.phrases import sentence


def test_what_repeats_a_node_is_said_of_that_node() -> None:
    merged = ElementMerged(boarding="b1", index=0, fingerprint="x", element="claim", node="i16", note="restates i16")
    event = Event(seq=1, at=datetime(2026, 11, 30, tzinfo=UTC), by="reader:doubt", boarding="b1", what=merged)
    assert sentence(event) == "i16 restated · reader:doubt"
