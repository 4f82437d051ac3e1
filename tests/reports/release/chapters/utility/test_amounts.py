"""Totals are told of amounts: what adds up over persons."""

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.reports.release.chapters.utility.amounts import amounts_of
from tests.reports.release.surveys import made


def number(name: str, role: str = "confidential", **about: str) -> Variable:
    return Variable(name=name, kind="continuous", role=role, **about)


def numbers(*variables: Variable) -> Microdata:
    rng = np.random.default_rng(5)
    return Microdata(pl.DataFrame({one.name: rng.uniform(1, 90, 50) for one in variables}), Schema(variables=variables))


def test_ages_bodies_weights_and_rates_have_no_total() -> None:
    data = numbers(
        number("income"),
        number("dette", unit="EUR"),
        number("age"),
        number("v7", label="Age at death"),
        number("height"),
        number("pressure", unit="mmHg"),
        number("since", unit="years"),
        number("household_weights", "other"),
        number("rooms", "key"),
    )
    assert amounts_of(data, data, data.schema.names) == ("income", "dette")


def test_parts_of_a_sum_are_amounts_whatever_they_are_called() -> None:
    data = numbers(number("a", "other"), number("b", "other"), number("d", "other"))
    frame = data.frame.with_columns(c=pl.col("a") + pl.col("b"))
    variables = (*data.schema.variables, number("c", "other"))
    summed = Microdata(frame, Schema(variables=variables))
    assert amounts_of(summed, summed, summed.schema.names) == ("a", "b", "c")


def test_the_report_has_means_of_ages_and_totals_of_incomes_only() -> None:
    paths = {figure.path for figure in made().figures}
    assert "utility/means/age/mean/after" in paths
    assert "utility/means/income/total/after" in paths
    assert not [path for path in paths if path.startswith("utility/means/age/total")]


def test_a_file_without_amounts_says_so_in_place_of_totals() -> None:
    data = sf.datasets.demo(200, seed=1).take_columns(("age", "sex", "region"))
    found = str(sf.report(data, data, same_order=True).to_dict()["sections"])
    assert "No number is taken for an amount" in found
    assert "Totals of the records" not in found
