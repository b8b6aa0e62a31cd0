"""What real small models said, sent through the OpenAI-compatible wire in random pieces."""

import gzip
import json
import random
from pathlib import Path

import pytest

from perdura_core.delta import DeltaParser, RawElement
from perdura_core.vocabulary import TextChunk
from tests.core.workers.calls import a_call, hear
from tests.core.workers.conftest import Bench
from tests.servers.fault import FaultServer
from tests.servers.scenario import Scenario

REPLIES = Path(__file__).parents[4] / "shared" / "data" / "raw-replies.jsonl.gz"


def elements(pieces: list[str]) -> list[RawElement]:
    parser = DeltaParser()
    return [element for piece in pieces for element in parser.feed(piece)] + parser.close()


@pytest.mark.skipif(not REPLIES.is_file(), reason="the recorded replies are not beside the repository")
async def test_any_chunking_on_the_wire_gives_the_same_elements(server: FaultServer, worker: Bench) -> None:
    with gzip.open(REPLIES, "rt", encoding="utf-8") as lines:
        replies = [json.loads(line)["reply"] for line in lines]
    dice = random.Random(11)
    working = worker("openai")
    read = 0
    for reply in replies:
        server.choose = Scenario(text=reply, pieces=dice.randint(1, 40))

        heard = [chunk.text for chunk in await hear(working, a_call()) if isinstance(chunk, TextChunk)]

        assert "".join(heard) == reply
        assert elements(heard) == elements([reply])
        read += len(elements(heard))
    assert read > 100
