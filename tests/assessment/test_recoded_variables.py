"""Categories that were recoded count as changed, everywhere by one rule, and the figures without them stand beside."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable

WIDER = {"a": "north", "b": "north", "c": "south", "d": "south"}


def survey() -> Microdata:
    rng = np.random.default_rng(11)
    frame = pl.DataFrame({name: rng.choice([*"abcd"], 200).tolist() for name in ("town", "work", "sex")})
    return Microdata(frame, Schema(variables=tuple(Variable(name=name, kind="nominal") for name in frame.columns)))


def release(*recoded: str, changed: int = 0) -> Microdata:
    frame = survey().frame.with_columns(pl.col(name).replace_strict(WIDER) for name in recoded)
    sex = frame["sex"].to_list()
    others = [{"a": "b"}.get(one, "a") for one in sex[:changed]]
    frame = frame.with_columns(pl.Series("sex", [*others, *sex[changed:]]))
    variables = tuple(Variable(name=name, kind="nominal") for name in frame.columns)
    return Microdata(frame, Schema(variables=variables), survey().row_ids)


def test_a_recoded_variable_counts_as_changed_and_the_figure_without_it_is_told_beside() -> None:
    found = sf.assess(survey(), release("town", changed=20), worst_case=False)
    assert found.values["CD"] == pytest.approx(100 * (200 + 20) / 600)
    told = next(one for one in found.remarks if one.startswith("Categories in other classes"))
    assert "town." in told
    assert "of the 2 variables in the same classes alone CD is 5 %" in told
    assert told in " ".join(str(found).split())
    assert told in found.to_dict()["remarks"]


def test_where_all_variables_were_recoded_nothing_is_called_unchanged() -> None:
    found = sf.assess(survey(), release("town", "work", "sex"), worst_case=False)
    assert found.values["CD"] == 100
    assert "no variable that is compared kept its classes" in str(found).replace("\n", " ")


def test_nothing_is_said_where_all_variables_kept_their_classes() -> None:
    found = sf.assess(survey(), release(changed=20), worst_case=False)
    assert not any(one.startswith("Categories in other classes") for one in found.remarks)


@pytest.mark.parametrize("recoded", [("town",), ("town", "work", "sex")])
def test_the_report_tells_the_same_figures_as_the_assessment(recoded: tuple[str, ...]) -> None:
    masked = release(*recoded, changed=0 if "sex" in recoded else 20)
    found = sf.assess(survey(), masked, worst_case=False)
    report = sf.report(survey(), masked)
    for symbol in ("CD", "CTL"):
        figure = report[f"utility/measures/{symbol}"]
        assert figure.value == pytest.approx(found.values[symbol])
        assert f"Of these {len(recoded)} " in figure.sentence
    paths = {figure.path for figure in report.figures}
    assert ("utility/measures/CD/same_classes" in paths) == ("sex" not in recoded)
    if "sex" not in recoded:
        assert report["utility/measures/CD/same_classes"].value == pytest.approx(5)
        assert "in the same classes only" in str(report)
