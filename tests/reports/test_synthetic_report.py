"""The report on a synthetic file."""

import numpy as np
import polars as pl
import pytest

from sfumato.assessment import assess
from sfumato.data import Microdata, Schema
from sfumato.errors import DataError, UnknownColumnError
from sfumato.loss import PairwiseDistance
from sfumato.masking import SequentialSynthesis
from sfumato.reports.column_groups import check_groups, group_column
from sfumato.reports.synthetic_report import SyntheticReport, synthetic_report

RNG = np.random.default_rng(6)


def people(n: int) -> Microdata:
    age = RNG.integers(18, 80, n)
    frame = pl.DataFrame(
        {"person": np.arange(n), "age": age, "sex": RNG.choice(["f", "m"], n), "pay": age * 2.5 + RNG.normal(0, 9, n)}
    )
    return Microdata(frame, Schema.infer(frame).with_roles(identifier=["person"]))


def report() -> SyntheticReport:
    original, synthetic = people(300), people(200).without_columns(("person",))
    return SyntheticReport(original, synthetic, assess(original, synthetic, [PairwiseDistance(columns=("age", "pay"))]))


def test_identifiers_are_not_compared() -> None:
    assert report().columns == ("age", "sex", "pay")


def test_the_page_stands_alone_and_says_that_it_is_confidential() -> None:
    page = report().to_page("Synthetic people")
    assert page.count("<svg") == 4  # three columns and the map
    assert "it is not for publication" in page
    assert "http" not in page.replace("http://www.w3.org", "").replace("http://purl.org", "").replace(
        "http://creativecommons.org", ""
    )


def test_a_report_prints_as_its_verdict_and_tables() -> None:
    found = report()
    parts = ["Whether the file leaks was not tested", str(found.assessment), found.worst_pairs().to_text()]
    places = [str(found).index(part) for part in parts]
    assert places == sorted(places)
    assert "Microdata" not in str(found)


def test_the_page_says_how_many_copies_the_records_are() -> None:
    original = people(300).without_columns(("person",))
    made = SequentialSynthesis(columns=original.schema.names, size=200, releases=2).mask(original, RNG)
    assessment = assess(original, made, [PairwiseDistance(columns=("age", "pay"))])
    page = SyntheticReport(original, made, assessment).to_page("Synthetic people")
    assert "400 synthetic records in 2 copies beside 300 records of the original" in page


@pytest.mark.parametrize("bootstrap", [False, True])
def test_the_table_of_pairs_says_what_chance_explains_of_copies_by_the_bootstrap(bootstrap: bool) -> None:
    original = people(100).without_columns(("person",))
    method = SequentialSynthesis(columns=original.schema.names, size=100, releases=2, bootstrap=bootstrap)
    found = synthetic_report(original, method.mask(original, RNG), methods=[method])
    [note] = found.worst_pairs().notes
    assert "chance explains about 2" in note
    assert ("as here" in note) is bootstrap
    assert found.to_page("Synthetic people").count(note) == 2  # below the map and below the table


def test_a_column_is_shown_within_the_groups_of_others_but_not_of_few_people() -> None:
    original, synthetic = people(300), people(200)
    few = pl.when(pl.col("person") < 9).then(pl.lit("x")).otherwise(pl.col("sex")).alias("sex")
    original = original.with_frame(original.frame.with_columns(few))
    found = group_column(original, synthetic, "pay", ("sex",))
    assert sorted(group.name for group in found.groups) == ["f", "m"]
    assert found.left_out == 1
    men = next(group for group in found.groups if group.name == "m")
    for file, shares in ((original, men.original), (synthetic, men.synthetic)):
        pay = np.clip(file.frame.filter(sex="m")["pay"].to_numpy(), men.edges[0], men.edges[-1])
        assert shares == pytest.approx(100 * np.histogram(pay, men.edges)[0] / pay.size)
    one = SyntheticReport(original, synthetic, report().assessment, within_groups={"pay": ("sex",)})
    assert "1 smaller group not shown" in one.to_page("Groups")
    for within, problem in ((("age",), "'age' has no categories"), (("sexe",), "did you mean 'sex'")):
        with pytest.raises((DataError, UnknownColumnError), match=problem):
            check_groups(original, synthetic, {"pay": within})


def test_pairs_are_listed_the_worst_first() -> None:
    ratios = [float(str(row[1])) for row in report().worst_pairs().rows]
    assert len(ratios) == 3
    assert ratios == sorted(ratios, reverse=True)


def test_files_without_a_common_column_are_refused() -> None:
    original = people(50)
    other = Microdata(pl.DataFrame({"height": RNG.normal(170, 9, 50)}))
    with pytest.raises(DataError, match="no column of the original"):
        SyntheticReport(original, other, report().assessment).to_page("Nothing")


def test_a_column_without_a_value_is_left_out_of_the_pictures() -> None:
    original, synthetic = (people(60) for _ in range(2))
    empty = original.with_column(original.schema["pay"], pl.Series("pay", [None] * 60, dtype=pl.Float64))
    found = SyntheticReport(empty, synthetic, report().assessment)
    assert found.columns == ("age", "sex")
    assert found.to_page("Synthetic people").count("<svg") == 3


def test_the_page_begins_with_whether_a_leak_was_found() -> None:
    page = report().to_page("Synthetic people")
    assert page.index("Whether the file leaks was not tested") < page.index("What it gives away")
    original, others = people(150), people(150)
    copies = Microdata(original.frame.head(100).reverse().drop("person"))
    leaky = synthetic_report(original, copies, control=others)
    page = leaky.to_page("Copied people")
    assert page.index("LEAK FOUND by") < page.index("What it gives away")
    assert leaky.assessment.shows_leak


def test_a_page_on_synthetic_records_calls_them_so() -> None:
    original, names = people(150).without_columns(("person",)), ("age", "sex", "pay")
    method = SequentialSynthesis(columns=names, size=120)
    page = synthetic_report(original, method.mask(original, np.random.default_rng(1)), methods=[method]).to_page("Made")
    assert "Assessment of 120 synthetic records" in page
    assert "masked records" not in page
