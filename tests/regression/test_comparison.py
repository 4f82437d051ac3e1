"""The same regression on an original and on its copies."""

import numpy as np
import polars
import pytest

from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.regression import (
    FullSynthesisRule,
    LargeSampleRule,
    LinearRegression,
    LogisticRegression,
    PartialSynthesisRule,
    compare_fits,
)

RNG = np.random.default_rng(3)


def people(n: int, slope: float = 0.5) -> Microdata:
    age = RNG.normal(45, 12, n)
    return Microdata(polars.DataFrame({"age": age, "pay": 10 + slope * age + RNG.normal(0, 6, n)}))


ORIGINAL = people(400)
REGRESSION = LinearRegression("pay ~ age")


def test_a_copy_of_the_file_overlaps_wholly() -> None:
    found = compare_fits(REGRESSION, ORIGINAL, [ORIGINAL, ORIGINAL], rule=PartialSynthesisRule())
    assert [one.standardised_difference for one in found.coefficients] == pytest.approx([0, 0])
    assert found.mean_overlap == pytest.approx(100, abs=0.2)  # the normal distribution for one, Student's for the other


def test_files_of_the_same_population_differ_no_more_than_synthesis_explains() -> None:
    fitted = REGRESSION.fit(ORIGINAL)
    left = ORIGINAL.values("pay") - fitted.estimates @ [np.ones(400), ORIGINAL.values("age")]
    copies = []
    for _ in range(3):
        age = RNG.choice(ORIGINAL.values("age"), 400)
        pay = fitted.estimates[0] + fitted.estimates[1] * age + RNG.normal(0, left.std(), 400)
        copies.append(Microdata(polars.DataFrame({"age": age, "pay": pay})))
    found = compare_fits(REGRESSION, ORIGINAL, copies)
    assert found.lack_of_fit is not None
    assert found.lack_of_fit > 0.01
    assert found.mean_overlap > 60


def test_a_file_of_another_population_is_told() -> None:
    found = compare_fits(REGRESSION, ORIGINAL, [people(400, slope=0.9)])
    assert found.lack_of_fit is not None
    assert found.lack_of_fit < 0.001
    assert found.coefficients[1].overlap < 0
    assert "differ by more than synthesis explains (p < 0.001)" in str(found)


def test_overlap_is_the_mean_share_that_both_intervals_have_in_common() -> None:
    found = compare_fits(REGRESSION, ORIGINAL, [people(100)], confidence=90.0)
    (a, b), (c, d) = found.original_intervals[1], found.synthetic_intervals[1]
    common = min(b, d) - max(a, c)
    assert found.coefficients[1].overlap == pytest.approx(50 * (common / (b - a) + common / (d - c)))


def test_too_few_copies_for_the_test_are_said() -> None:
    found = compare_fits(REGRESSION, ORIGINAL, [people(400), people(400)], rule=PartialSynthesisRule())
    assert found.lack_of_fit is None
    assert "too few copies" in str(found)


def test_it_shows_itself_as_table_page_figure_and_plain_values() -> None:
    found = compare_fits(REGRESSION, ORIGINAL, [people(300)])
    assert "1 copy of 300 records" in found.sentences[0]
    assert "2 copies of 200 to 300 records" in " ".join(
        compare_fits(REGRESSION, ORIGINAL, [people(300), people(200)]).sentences
    )
    assert "age" in found._repr_html_()
    assert found.to_dict()["coefficients"][1]["name"] == "age"
    assert len(found.figure().axes[0].get_yticklabels()) == 2


@pytest.mark.parametrize("confidence", [0.0, 100.0, 950.0])
def test_a_confidence_out_of_range_is_refused(confidence: float) -> None:
    with pytest.raises(ParameterError, match="confidence must be in"):
        compare_fits(REGRESSION, ORIGINAL, [ORIGINAL], confidence=confidence)


def test_no_copy_is_refused() -> None:
    with pytest.raises(ParameterError, match="at least one synthetic copy"):
        compare_fits(REGRESSION, ORIGINAL, [])


def test_negative_variances_of_the_full_rule_and_its_degrees_of_freedom_are_told() -> None:
    found = compare_fits(REGRESSION, ORIGINAL, [ORIGINAL] * 5, rule=FullSynthesisRule())
    assert any("NEGATIVE for 2 of 2 coefficients" in remark for remark in found.remarks)
    assert "Intervals of the copies are those of Student's t with 4 degrees of freedom." in found.sentences
    assert not compare_fits(REGRESSION, ORIGINAL, [ORIGINAL] * 5).remarks


def test_the_partial_rule_says_that_errors_of_larger_copies_are_too_small() -> None:
    copies = [people(900), people(900)]
    found = compare_fits(REGRESSION, ORIGINAL, copies, rule=PartialSynthesisRule())
    assert any("2.25 times its records" in one and "TOO SMALL by about 33 %" in one for one in found.remarks)
    for rule, sizes in ((PartialSynthesisRule(), 400), (LargeSampleRule(), 900)):
        found = compare_fits(REGRESSION, ORIGINAL, [people(sizes), people(sizes)], rule=rule)
        assert not any("TOO SMALL" in one for one in found.remarks)


def test_records_that_were_kept_back_are_left_out_of_the_original() -> None:
    twice = Microdata(polars.concat([ORIGINAL.frame, ORIGINAL.frame.head(50)]))  # 50 persons have a double
    control, members = twice.take_rows(np.arange(100)), twice.take_rows(np.arange(100, 450))
    copies = [people(350), people(350)]
    found = compare_fits(REGRESSION, twice, copies, control=control)
    assert found.to_dict() == compare_fits(REGRESSION, members, copies).to_dict()
    assert found.records == 350
    assert "350 records of the original, which the copies are taken to be made from" in found.sentences[0]


def test_a_control_that_is_not_in_the_original_is_refused() -> None:
    with pytest.raises(DataError, match="10 records of the control, of 10, cannot be found in the original"):
        compare_fits(REGRESSION, ORIGINAL, [people(300)], control=people(10))
    with pytest.raises(DataError, match="no column of the original"):
        compare_fits(
            REGRESSION, ORIGINAL, [people(300)], control=Microdata(polars.DataFrame({"height": [1.0, 2.0, 3.0]}))
        )


def test_the_file_and_the_category_that_separate_are_named() -> None:
    mixed = {"ill": ["yes", "no", "yes", "no"] * 5, "town": ["A", "A", "B", "B"] * 5}
    apart = {**mixed, "ill": ["yes", "no", "no", "no"] * 5}
    files = [Microdata(polars.DataFrame(one)) for one in (mixed, mixed, apart)]
    model = LogisticRegression("ill ~ town")
    with pytest.raises(DataError, match=r"^copy 2: .*all records of town=B have the same response"):
        compare_fits(model, files[0], files[1:])
    with pytest.raises(DataError, match=r"^the original: "):
        compare_fits(model, files[2], files[:2])
    with pytest.raises(DataError, match=r"^file 2: "):
        model.fit_all([files[0], files[2]])
