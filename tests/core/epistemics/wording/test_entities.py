"""Names, identifiers and nouns that a statement is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdura_core.epistemics import entities_of, entity_key


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Yesterday Guido van Rossum met Ada Lovelace.", ("Guido van Rossum", "Ada Lovelace")),
        (
            "The checkout-service calls get_user() in app.config.yaml.",
            ("checkout-service", "get_user()", "app.config.yaml"),
        ),
        ("PEP 563 and the UTC clock use 40 MB.", ("PEP 563",)),
        ("It was slow at 12 o'clock.", ()),
        (
            "The cache of Larkspur Shop dropped v2.3 requests.",
            ("cache", "Larkspur Shop", "v2.3", "requests"),
        ),
        ("The connection pool of cache-7 was exhausted at 14:02.", ("connection pool", "cache-7")),
        ("CO2 concentrations reached 417 ppm in 2022.", ("CO2", "concentrations")),
        ('The "thundering herd" hit the database.', ("thundering herd", "database")),
        ("Metformin lowers blood glucose in patients.", ("blood glucose", "patients")),
        ("As of May 2013 the beetle lives in Canada.", ("beetle", "Canada")),
        ("The error rate was 2 % at that time.", ("error rate",)),
        ("It became slower and rarely failed quickly.", ()),
        ("東京のサーバーが停止した。", ("東京", "サーバー", "停止")),
        ("서버가 14시에 멈췄다.", ("서버가", "시에", "멈췄다")),
        ("", ()),
    ],
)
def test_what_a_statement_is_about(text: str, names: tuple[str, ...]) -> None:
    assert entities_of(text) == names


@pytest.mark.parametrize(
    "names",
    [
        ("the Cache", "cache", "Caches", "a cache", "“Cache”", "the cache's", "cache."),
        ("PostgreSQL", "postgresql", "POSTGRESQL"),
        ("Connection  Pool", "the connection pools"),
        ("Marie Curie", "Marie Curie’s"),
        ("slow query", "slow queries"),
        ("class", "classes"),
        ("box", "boxes"),
        ("status", "Status"),
    ],
)
def test_spellings_of_one_entity_meet(names: tuple[str, ...]) -> None:
    assert len({entity_key(name) for name in names}) == 1


@pytest.mark.parametrize(("one", "other"), [("cache-7", "cache-8"), ("v2.3", "v2.4"), ("pool", "connection pool")])
def test_different_things_stay_apart(one: str, other: str) -> None:
    assert entity_key(one) != entity_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Cache dropped requests.", "Two caches were restarted."),
        ("Kafka lost a message.", "After that Kafka recovered."),
        ("Postgres was upgraded to v16.2.", "In v16.2 the planner is faster."),
    ],
)
def test_statements_about_one_thing_share_a_key(one: str, other: str) -> None:
    assert set(map(entity_key, entities_of(one))) & set(map(entity_key, entities_of(other)))


@given(st.text(max_size=200))
def test_any_text_has_few_entities_each_once(text: str) -> None:
    found = entities_of(text)
    keys = list(map(entity_key, found))
    assert len(found) <= 12
    assert len(set(keys)) == len(keys)
    assert all(keys)
