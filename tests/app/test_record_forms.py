"""What a form on the page makes of its fields."""

from functools import partial

import pytest

import sfumato as sf
from sfumato.app.fields.written_values import read_value
from sfumato.app.forms import RecordForm
from sfumato.catalogue import describe
from sfumato.catalogue.parameters import Parameter
from sfumato.errors import ParameterError


def form(**held: object) -> RecordForm:
    return RecordForm(sf.Mdav, {}, {name: partial(held.get, name) for name in held}, {"k": "3"})


def test_a_field_that_was_emptied_does_not_take_its_default_unseen() -> None:
    with pytest.raises(ParameterError, match=r"Mdav\.k is empty: give it a value; the usual one is 3"):
        form(columns=["tax"], k=None).make()


def test_fields_that_may_be_empty_are_left_out_and_what_is_given_elsewhere_may_be() -> None:
    assert form(columns=["tax"], k=4, columns_at_a_time=None).make() == sf.Mdav(columns=("tax",), k=4)
    assert form(columns=["tax"], k=None).values(["k"]) == {"columns": ["tax"]}


def test_classes_and_numbers_by_name_are_written_without_brackets_or_quotes() -> None:
    described = {one.name: one.range for one in (*describe(sf.Discretisation).parameters, *importances())}
    assert read_value("breaks", described["breaks"], "18, 30, 65") == [18, 30, 65]
    assert read_value("labels", described["labels"], "young, grown up") == ["young", "grown up"]
    assert read_value("importance", described["importance"], "region: 3, sex: 2") == {"region": 3, "sex": 2}
    assert read_value("combinations", described["combinations"], "3") == 3
    with pytest.raises(ParameterError, match="breaks: must be written as in 18, 45, 65"):
        read_value("breaks", described["breaks"], "18, {")


def importances() -> tuple[Parameter, ...]:
    return describe(sf.LocalSuppression).parameters
