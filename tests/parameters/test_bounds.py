"""Whole numbers that say how much work is done have an upper bound, so that a slip of the hand is refused at once."""

from collections.abc import Iterator

import pytest

from sfumato.documents.record import Record
from sfumato.errors import ParameterError
from sfumato.improve import IMPROVERS, PostMaskingOptimisation
from sfumato.loss import LOSSES
from sfumato.masking import METHODS
from sfumato.risk import RISKS
from sfumato.tables import PROTECTIONS

BOUND_BY_THE_FILE = {"k", "l", "columns_at_a_time", "depth", "donors", "min_leaf", "size", "max_keys", "max_size"} | {
    "max_dimensions",
    "min_records",
    "min_count",
}
"""What more records or columns than the file has make impossible, or the same as all of them."""
NO_WORK = {"seed", "others"}


def unbounded() -> Iterator[str]:
    for table in (METHODS, RISKS, LOSSES, IMPROVERS, PROTECTIONS):
        for name, record in table.items():
            assert issubclass(record, Record)
            for field, entry in record.model_json_schema()["properties"].items():
                for choice in (entry, *entry.get("anyOf", ())):
                    if choice.get("type") == "integer" and "maximum" not in choice:
                        yield f"{name}.{field}"


def test_every_number_that_sets_the_work_has_an_upper_bound() -> None:
    fine = BOUND_BY_THE_FILE | NO_WORK
    assert [one for one in unbounded() if one.partition(".")[2] not in fine] == []


def test_a_number_beyond_it_is_refused_with_the_bound() -> None:
    with pytest.raises(ParameterError, match=r"max_steps must be in \[1, 100000000\]; got 1000000000"):
        PostMaskingOptimisation(columns=("income",), max_steps=10**9)
