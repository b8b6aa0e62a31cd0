"""The estimate is a bound, it grows with the text, and lines add up."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.briefing import estimate_tokens
from perdura_core.retrieval.embedders.wordllama import is_installed, load_table

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"

MEASURED = [
    # text, the most tokens that cl100k, o200k, Anthropic's published or DeepSeek's tokenizer make of it
    ("金曜日の夜にディスクがいっぱいになり、サービスが停止した。翌朝まで誰も気づかなかった。", 50),
    ("🙂🙁👍🏽👩\u200d💻🔥🚀✅❌⚠️🇯🇵🎉💾📈📉🧪👨\u200d👩\u200d👧\u200d👦", 70),
    ("금요일 밤에 디스크가 가득 차서 서비스가 중단되었고 아무도 눈치채지 못했습니다.", 49),
    ("توقفت الخدمة ليلة الجمعة لأن القرص امتلأ ولم يلاحظ أحد ذلك حتى صباح السبت. استغرق النشر ثلاث دقائق.", 94),
    ("Dịch vụ đã ngừng vào tối thứ Sáu vì đĩa đầy và không ai nhận ra cho đến sáng thứ Bảy.", 63),
    ("https://example.org/wiki/Some_Page?query=abc&x=1#L20-L44 /usr/lib/python3.11/foo_bar/__init__.py", 42),
    ("∀x∈ℝ: ∃ε>0 ⇒ |f(x)−f(a)|<δ ∧ ∑ᵢ αᵢ² ≤ ∞ ≠ ⊥", 44),
]


@pytest.mark.parametrize(("text", "measured"), MEASURED)
def test_is_not_below_what_tokenizers_make_of_it(text: str, measured: int) -> None:
    assert measured <= estimate_tokens(text) <= 4 * measured


def test_english_is_not_counted_twice() -> None:
    text = "The service stopped on Friday night because the disk was full, and nobody noticed until the morning. " * 20
    assert 20 * 20 <= estimate_tokens(text) <= 2 * 20 * 20


@given(st.text(alphabet=st.characters(min_codepoint=0x3041, max_codepoint=0x9FFF), max_size=200))
def test_japanese_takes_at_least_a_token_a_character(text: str) -> None:
    assert estimate_tokens(text) >= len(text)


@given(st.text(max_size=200), st.text(max_size=200))
def test_grows_with_the_text_and_never_beyond_its_parts(one: str, other: str) -> None:
    whole = estimate_tokens(one + other)
    assert whole >= max(estimate_tokens(one), estimate_tokens(other))
    assert whole <= estimate_tokens(one) + estimate_tokens(other) + 1


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\n"), max_size=60), max_size=8))
def test_lines_add_up(lines: list[str]) -> None:
    assert estimate_tokens("".join(line + "\n" for line in lines)) == sum(estimate_tokens(line) + 1 for line in lines)


@pytest.mark.skipif(not is_installed(), reason="wordllama, whose tokenizer counts, is not installed")
@pytest.mark.parametrize("name", ["fever-symmetric", "climate-fever", "perspectrum"])
def test_no_page_of_recorded_texts_takes_more_tokens_than_estimated(name: str) -> None:
    path = DATA / f"contradictions-{name}.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"the recorded data is not there: {path}")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["evidence"] for line in lines]
    tokenizer = load_table().tokenizer
    for start in range(0, 4_000, 40):
        page = "\n".join(texts[start : start + 40])
        assert len(tokenizer.encode(page, add_special_tokens=False).ids) <= estimate_tokens(page)


@pytest.mark.skipif(not is_installed(), reason="wordllama, whose tokenizer counts, is not installed")
@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5), min_size=1, max_size=80))
def test_no_chinese_takes_more_than_three_tokens_a_character(text: str) -> None:
    """That tokenizer falls back to bytes; those that providers use take two at most."""
    assert len(load_table().tokenizer.encode(text, add_special_tokens=False).ids) <= 1.5 * estimate_tokens(text) + 1
