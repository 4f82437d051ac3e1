"""Declared missing codes are for every method what empty cells are, and come back as they were."""

from typing import Any

import polars as pl
import pytest

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.errors import DataError
from tests.masking.examples import EXAMPLES
from tests.masking.survey import SCHEMA, keeps_missing, run, survey

REFUSALS: dict[str, Any] = {"region": "refused", "health": "refused", "income": -99.0, "tax": -9}


def refused(*, as_codes: bool) -> Microdata:
    """Return the survey with some answers refused in every column, as declared codes or as empty cells."""
    place = pl.int_range(pl.len())
    frame = survey().with_columns(tax=pl.when(pl.col("tax") != -9).then("tax"))
    coded = frame.with_columns(
        pl.when((place % 23 == number) | pl.col(name).is_null())
        .then(pl.lit(code) if as_codes else None)
        .otherwise(pl.col(name))
        .alias(name)
        for number, (name, code) in enumerate(REFUSALS.items())
    )
    declared = [SCHEMA[name].replace(missing_codes=(code,)) for name, code in REFUSALS.items()]
    return Microdata(coded, SCHEMA.with_variables(*declared))


def attempt(method: MaskingMethod, data: Microdata) -> Microdata | str:
    """Return the masked data, or the message of what was refused."""
    try:
        return run(method, data)
    except DataError as error:
        return str(error)


@pytest.mark.parametrize(
    "method", [method for method in EXAMPLES if method.keeps_shape and keeps_missing(method)], ids=repr
)
def test_answers_are_masked_as_if_the_codes_were_empty_cells(
    method: MaskingMethod, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SFUMATO_TEST_KEY", "the key of the examples")
    coded = refused(as_codes=True)
    masked, expected = attempt(method, coded), attempt(method, refused(as_codes=False))
    if isinstance(masked, str) or isinstance(expected, str):  # a code that would stay visible may be refused
        assert masked == expected or "missing" in str(masked)
        return
    for name in REFUSALS:
        observed = masked.observed(name)
        assert (observed == expected.observed(name)).all()
        values, wanted = masked.table[name].to_list(), expected.table[name].to_list()
        assert [value for value, there in zip(values, observed, strict=True) if there] == [
            value for value, there in zip(wanted, observed, strict=True) if there
        ]
        code, before = REFUSALS[name], coded.table[name].to_list()
        kept = [value for was, value, there in zip(before, values, observed, strict=True) if was == code and not there]
        assert {str(value).removesuffix(".0") for value in kept} == {str(code).removesuffix(".0")}
