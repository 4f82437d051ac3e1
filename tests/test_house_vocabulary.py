"""One vocabulary: every field of every record is a word of it, with one meaning and one unit."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import sfumato
from sfumato.documents.record import Record
from sfumato.parameters.vocabulary import WORDS, preferred_word


def records_of(base: type[Record]) -> Iterator[type[Record]]:
    for record in base.__subclasses__():
        yield record
        yield from records_of(record)


def all_records() -> list[type[Record]]:
    """Return every record that Sfumato has, whatever room it is in."""
    for module in pkgutil.walk_packages(sfumato.__path__, "sfumato."):
        importlib.import_module(module.name)
    found = {record for record in records_of(Record) if record.__module__.startswith("sfumato.")}
    return sorted(found, key=lambda record: (record.__module__, record.__name__))


RECORDS = all_records()
FIELDS = sorted({name for record in RECORDS for name in record.model_fields})


def test_there_are_records_of_all_rooms() -> None:
    rooms = {record.__module__.split(".")[1] for record in RECORDS}
    assert {"masking", "risk", "loss", "improve", "scores", "recipe", "tables", "data"} <= rooms


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_is_a_word_of_the_vocabulary(name: str) -> None:
    owners = [record.__name__ for record in RECORDS if name in record.model_fields]
    instead = preferred_word(name)
    assert not instead, f"{', '.join(owners)}: write {instead} instead of '{name}'"
    assert name in WORDS, (
        f"{', '.join(owners)}: '{name}' is a new word. Is there one for the same thing in "
        f"sfumato/parameters/vocabulary.py? If not, add a line there."
    )


def test_no_word_is_left_that_no_record_has() -> None:
    assert sorted(set(WORDS) - set(FIELDS)) == []


def test_no_word_of_the_vocabulary_is_one_that_is_not_used() -> None:
    assert {name: preferred_word(name) for name in WORDS if preferred_word(name)} == {}


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("group_size", "k"),
        ("least_records", "min_*"),
        ("most_steps", "max_*"),
        ("sampling_fraction", "*_percent, in percent"),
        ("timeout", "time_limit, in seconds"),
        ("by", "household for the column of households, within for strata"),
    ],
)
def test_a_word_that_is_not_used_is_refused_with_what_to_write(name: str, instead: str) -> None:
    assert preferred_word(name) == instead


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_a_number_up_to_a_hundred_is_in_percent(record: type[Record]) -> None:
    for name, entry in (
        record.model_json_schema(by_alias=False).get("properties", {}).items() if is_plain(record) else ()
    ):
        choices = entry.get("anyOf", [entry])
        items = [choice.get("items", choice) if isinstance(choice.get("items"), dict) else choice for choice in choices]
        if any(item.get("type") == "number" and item.get("maximum") == 100 for item in items):
            assert name not in WORDS or "percent" in WORDS[name].unit, (
                f"{record.__name__}.{name} is in percent; say so in the vocabulary"
            )
        if name in WORDS and WORDS[name].unit == "percent":
            assert all(item.get("type") != "number" or item.get("maximum", 100) != 1 for item in items)


def is_plain(record: type[Record]) -> bool:
    """Tell whether a record can be written as a JSON schema: some hold tables or paths."""
    try:
        record.model_json_schema()
    except Exception:
        return False
    return True
