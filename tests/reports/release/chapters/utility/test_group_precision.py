"""How precise means of groups are, against group-bys, the formula of the textbook and the jackknife."""

from statistics import median

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata
from sfumato.reports.release.chapters.utility.compared_statistics import ComparedMean, GroupMean, compare_group_means
from sfumato.reports.release.chapters.utility.group_precision import measure_precision
from tests.reports.release.surveys import RECIPE, made, released, survey


def weighted_file(n: int = 300, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    columns = {"pay": rng.lognormal(3, 0.5, n), "place": rng.choice(["a", "b"], n).tolist(), "w": rng.uniform(1, 9, n)}
    data = Microdata(pl.DataFrame(columns))
    schema = data.schema.with_kinds(continuous=["pay", "w"], nominal=["place"]).with_roles(weight=["w"])
    return data.with_schema(schema)


def test_the_error_of_a_group_mean_is_that_of_the_textbook() -> None:
    found = [one for one in compare_group_means(survey(), released()) if one.by == "ill" and one.number == "rent"]
    wanted = [
        (len(values), np.std(values, ddof=1) / len(values) ** 0.5)
        for values in (survey().frame.filter(pl.col("ill") == ill)["rent"].to_list() for ill in ("no", "yes"))
    ]
    assert sorted((one.records, one.error_before) for one in found) == [pytest.approx(one) for one in sorted(wanted)]


def test_the_error_of_a_weighted_mean_is_about_that_of_the_jackknife() -> None:
    data = weighted_file()
    for one in compare_group_means(data, data):
        assert one.mean is not None
        before = one.mean.before
        group = min(("a", "b"), key=lambda place: abs(mean_of(data.frame, place) - before))
        rows = data.frame.filter(pl.col("place") == group)
        pay, weights = rows["pay"].to_numpy(), rows["w"].to_numpy()
        without = (pay @ weights - pay * weights) / (weights.sum() - weights)
        jackknife = np.sqrt((len(pay) - 1) / len(pay) * ((without - without.mean()) ** 2).sum())
        assert one.error_before == pytest.approx(jackknife, rel=0.02)


def mean_of(frame: pl.DataFrame, place: str) -> float:
    rows = frame.filter(pl.col("place") == place)
    return float(np.average(rows["pay"].to_numpy(), weights=rows["w"].to_numpy()))


def group_mean(records: int, before: float, after: float | None, error: float) -> GroupMean:
    mean = None if after is None else ComparedMean("pay", before, after, 1.0, 1.0, 1.0, 1.0)
    return GroupMean("pay", "place", mean, records, error, error)


def test_each_size_tells_the_middle_error_and_what_nine_in_ten_do_not_exceed() -> None:
    changes = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 40.0]
    means = [group_mean(20 + place, 100.0, 100.0 + moved, 3.5) for place, moved in enumerate(changes)]
    gone = [group_mean(30, 100.0, None, 3.5), group_mean(40, 0.0, 1.0, 3.5)]
    (found,) = measure_precision([*means, *gone])
    assert (found.low, found.high, found.means, found.within) == (20, 49, 10, 4)
    assert (found.sampling, found.moved, found.most) == pytest.approx((3.5, median(changes), 8.0))
    assert found.together == pytest.approx(median((3.5**2 + moved**2) ** 0.5 for moved in changes))
    assert found.shown == pytest.approx(median(100 * 3.5 / (100 + moved) for moved in changes))


def test_sizes_do_not_overlap_and_the_last_has_no_end() -> None:
    means = [group_mean(records, 1.0, 1.0, 0.1) for records in (20, 49, 50, 999, 1000, 50_000)]
    found = measure_precision(means)
    assert [(one.low, one.means) for one in found] == [(20, 2), (50, 1), (500, 1), (1000, 2)]
    assert found[-1].size == "1,000 records and more"


def test_figures_of_the_report_are_those_of_a_group_by() -> None:
    sizes = [one for one in measure_precision(compare_group_means(survey(), released())) if one.low == 100]
    rows = []
    for by in ("sex", "ill"):
        after = released().frame.drop_nulls(by)
        for group in survey().frame[by].unique():
            some = survey().frame.filter(pl.col(by) == group)
            rows += [
                abs(after.filter(pl.col(by) == group)[name].mean() / some[name].mean() - 1)
                for name in ("age", "income", "rent")
                if 100 <= some.height < 200
            ]
    assert made()["utility/groups/100/moved"].value == pytest.approx(100 * median(rows))
    assert made()["utility/groups/100/means"].value == len(rows) == sizes[0].means


def test_everybody_reads_errors_in_steps_and_of_no_size_with_few_means() -> None:
    data = survey(2_000)
    both = [sf.report(data, RECIPE.run(data), recipe=RECIPE, edition=edition) for edition in ("internal", "public")]
    inside, public = ({one.path: one for one in report.figures if "/groups/" in one.path} for report in both)
    assert len({path.rpartition("/")[0] for path in inside if inside[path].label}) > 1
    for path, one in public.items():
        if path.endswith(("sampling", "moved", "most", "together")) and inside[path].value:
            assert one.value is None
            assert one.text.startswith("up to ")
            assert float(one.text.split()[2]) >= (inside[path].value or 0.0)
    counts = {path: one.value or 0.0 for path, one in inside.items() if path.endswith("/means")}
    assert {path for path in public if path.endswith("/means")} == {path for path, many in counts.items() if many >= 10}
