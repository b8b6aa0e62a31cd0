"""The recorded data, where it is there; small subsets keep the tests quick."""

import gzip
import json
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the recorded data."""
    if not DATA.is_dir():
        pytest.skip(f"the recorded data is not there: {DATA}")
    return DATA


@pytest.fixture(scope="session")
def mmlu_pro(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every fifth question of MMLU-Pro, with the prices beside it."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "model-prices.json").write_bytes((data / "model-prices.json").read_bytes())
    with gzip.open(data / "model-answers-mmlu-pro.jsonl.gz", "rt", encoding="utf-8") as lines:
        chosen = [line for number, line in enumerate(lines) if number % 5 == 0]
    assert "domain" in json.loads(chosen[0])
    path = folder / "answers.jsonl"
    path.write_text("".join(chosen), encoding="utf-8")
    return path
