"""One vocabulary: every field of every record is a word of it, with one meaning and one unit."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import sfumato
from sfumato.documents.record import Record
from sfumato.parameters.preferred_words import preferred_word
from sfumato.parameters.vocabulary import WORDS


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


def test_every_field_is_a_word_of_the_vocabulary() -> None:
    """A new word needs a line in sfumato/parameters/vocabulary.py, unless there is one for the same thing already."""
    unknown = {name: owners(name) for name in FIELDS if name not in WORDS and not preferred_word(name)}
    assert unknown == {}


def test_no_field_has_a_name_that_is_not_used() -> None:
    found = {name: preferred_word(name) for name in FIELDS if preferred_word(name)}
    assert [f"{owners(name)}: write {instead} instead of '{name}'" for name, instead in found.items()] == []


def owners(name: str) -> str:
    return ", ".join(record.__name__ for record in RECORDS if name in record.model_fields)


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


def test_a_number_up_to_a_hundred_is_in_percent() -> None:
    for record in filter(is_plain, RECORDS):
        for name, entry in record.model_json_schema(by_alias=False).get("properties", {}).items():
            choices = entry.get("anyOf", [entry])
            items = [choice["items"] if isinstance(choice.get("items"), dict) else choice for choice in choices]
            numbers = [item for item in items if item.get("type") == "number"]
            if any(number.get("maximum") == 100 for number in numbers):
                assert "percent" in WORDS[name].unit, (
                    f"{record.__name__}.{name} is in percent; say so in the vocabulary"
                )
            if WORDS[name].unit == "percent":
                assert all(number.get("maximum") != 1 for number in numbers), f"{record.__name__}.{name} is a share"


def is_plain(record: type[Record]) -> bool:
    """Tell whether a record can be written as a JSON schema: some hold tables or paths."""
    try:
        record.model_json_schema()
    except Exception:
        return False
    return True
