"""Each format gives whole statements with their lines, and nothing torn."""

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.errors import DocumentError
from perdura_core.ingest.formats import read_passages
from perdura_core.ingest.formats.statements import statements_of
from tests.core.ingest.papers import HTML, MARKDOWN, RESTRUCTURED, portable


def statements(text: str | bytes, name: str) -> dict[str, int]:
    data = text.encode() if isinstance(text, str) else text
    return {sentence.text: sentence.line for sentence in statements_of(read_passages(data, name))}


def test_markdown_gives_prose_lists_and_tables_and_no_code() -> None:
    assert statements(MARKDOWN, "notes.md") == {
        "The worker pool was doubled to 80 on 3 May, see v1.2.3 in deploy/config.yaml.": 7,
        "It took 3.5 s, i.e. twice as long.": 8,
        "Dr. Lee approved it.": 8,
        "The cache is cold after each deploy.": 10,
        "The queue keeps messages for 14 days.": 13,
        "Nested items are whole sentences too.": 14,
        "The limits are as follows: 40 connections; 12 threads.": 16,
        "api: p95 120 ms, note fine.": 23,
        "db: p95 3 ms.": 24,
        "Term has a note.": 30,
    }


def test_restructured_text_gives_readable_roles_and_includes_nothing() -> None:
    found = statements(RESTRUCTURED, "notes.rst")
    assert found == {
        "The join function joins paths, and PEP 8 is a style guide.": 9,
        "The eval() call is slow.": 10,
        "A note may hold a whole sentence.": 12,
        "alpha: size 3 GB.": 17,
        "Footnotes are dropped without a trace.": 20,
        "The definition explains the term well.": 25,
    }


def test_html_gives_text_without_scripts_navigation_and_code() -> None:
    assert statements(HTML, "page.html") == {
        "The site was slow on Monday.": 4,
        "It recovered on Tuesday.": 5,
        "The disk was full.": 6,
        "The costs of that day were: 40 EUR for disks; 10 EUR for cables.": 7,
        "sda: used 90%.": 8,
        "Loose text in a div is read too.": 10,
        "And it goes on after a break.": 10,
    }


def test_pdf_gives_pages_without_running_heads_and_joins_hyphens() -> None:
    data = portable(
        [
            [
                "Yearly report",
                "Page 1",
                "The plant produced 40 units in the first quarter, which is con-",
                "siderably more than the year before.",
            ],
            ["Yearly report", "Page 2", "The second plant was closed in May."],
        ]
    )
    assert statements(data, "report.pdf") == {
        "The plant produced 40 units in the first quarter, which is considerably more than the year before.": 1,
        "The second plant was closed in May.": 2,
    }


def test_a_log_a_chat_and_labels_in_plain_text() -> None:
    text = (
        "From: a@b.example\nTo: c@d.example\nSubject: The pool is full\n\n"
        "2026-03-14T02:11:04Z ERROR checkout pool exhausted, 40 of 40 in use\n"
        "2026-03-14T02:12:00Z INFO checkout pool drained by hand\n\n"
        "[02:26] mara: The pool is full since midnight. Is anyone there?\n[02:27] tomasz: on it\n\n"
        "Duration: 47 minutes\nOwner: nobody\n\n"
        "The following were seen in the\nroom that night:\n\n- a cat\n- a dog\n"
    )
    assert statements(text, "night.txt") == {
        "2026-03-14T02:11:04Z ERROR checkout pool exhausted, 40 of 40 in use": 5,
        "2026-03-14T02:12:00Z INFO checkout pool drained by hand": 6,
        "mara at 02:26: The pool is full since midnight.": 8,
        "Duration: 47 minutes": 11,
        "The following were seen in the room that night: a cat; a dog.": 14,
    }


def test_provenance_on_top_is_no_fact() -> None:
    text = "Source: https://a.example/b at 12\nLicense: CC BY\n----\nClaim: [Ice] is growing in most of the south.\n"
    assert statements(text, "claim.txt") == {"Ice is growing in most of the south.": 4}


def test_a_text_in_restructured_text_is_read_as_such() -> None:
    head = "PEP: 1\nTitle: A title\nStatus: Final\nCreated: 1-Jan-2020\n\nAbstract\n========\n\n"
    text = head + "The :pep:`8` guide is\nfollowed by ``ruff``. The\nline ``after`` it ends here.\n"
    assert statements(text, "pep-0001.txt") == {
        "The PEP 8 guide is followed by ruff.": 9,
        "The line after it ends here.": 10,
    }


def test_a_question_file_gives_no_nonsense() -> None:
    text = (
        "# When should it be evaluated: early or late?\n\nSources: PEP 563, PEP 649; each argues for its own answer.\n"
    )
    assert statements(text, "QUESTION.md") == {}


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + "Das Café blieb bis Montag zu.".encode(),
        "Das Café blieb bis Montag zu.".encode("utf-16"),
        "Das Café blieb bis Montag zu.".encode("utf-16-le"),
        "Das Café blieb bis Montag zu.".encode("cp1252"),
        "Das Café blieb bis Montag zu.\r\n".encode(),
    ],
)
def test_encodings_are_found_out(data: bytes) -> None:
    assert list(statements(data, "a.txt")) == ["Das Café blieb bis Montag zu."]


def test_another_alphabet_is_found_out() -> None:
    text = "Сервер был перезапущен в полдень. База данных не пострадала от этого. Очередь сообщений была пуста."
    assert len(statements(text.encode("cp1251"), "a.txt")) == 3
    assert "База данных не пострадала от этого." in statements(text.encode("cp1251"), "a.txt")


@pytest.mark.parametrize(
    ("data", "name", "says"),
    [
        (b"", "a.txt", "empty"),
        (b" \n\n", "a.md", "empty"),
        (bytes(range(256)) * 8, "a.txt", "binary"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a.png", "binary"),
        (b"%PDF-1.4 nothing", "a.pdf", "no PDF"),
        (codecs.BOM_UTF8 + b"\xff\xfe\xff", "a.txt", "save it as UTF-8"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_that_names_the_file(data: bytes, name: str, says: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_passages(data, name)
    assert says in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=300), st.sampled_from(["a.md", "a.rst", "a.txt", "a.html", "a.pdf", "a.log"]))
def test_any_bytes_are_read_or_refused(data: bytes, name: str) -> None:
    try:
        found = statements_of(read_passages(data, name))
    except DocumentError:
        return
    assert all(sentence.text.strip() and sentence.line >= 1 for sentence in found)


@given(
    st.text(alphabet=st.sampled_from(list("ab .:|-*#`=_<>[]()\n\"'1!?—\t&;/\\")), max_size=200),
    st.sampled_from(["a.md", "a.rst", "a.txt", "a.html"]),
)
def test_any_markup_is_read_and_lines_exist(text: str, name: str) -> None:
    try:
        found = statements_of(read_passages(text.encode(), name))
    except DocumentError:
        return
    assert all(1 <= sentence.line <= text.count("\n") + 1 for sentence in found)


def test_nothing_is_fetched_from_the_disk(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("The secret is known to nobody here.")
    text = f"Head\n====\n\n.. include:: {secret}\n\n.. csv-table::\n   :file: {secret}\n\nThe rest is read as usual.\n"
    assert list(statements(text, "a.rst")) == ["The rest is read as usual."]
