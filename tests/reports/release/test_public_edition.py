"""The public edition: nothing that helps an intruder, whatever the file holds."""

import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata
from sfumato.parameters.public_parameters import PUBLIC_PARAMETERS
from sfumato.parameters.vocabulary import WORDS
from sfumato.reports.release.figure import CHANCE, format_value, round_as_shown
from sfumato.reports.release.public_edition import _without_secrets
from sfumato.reports.release.sections import Subheading, WordTable
from tests.reports.release.surveys import RECIPE, made, released, survey

SECRET_WORDS = ("window", "scale", "seed", "matrices", "variance_ratio", "stay", "spread", "shifts", "map")


def random_release(seed: int) -> tuple[Microdata, Microdata, sf.Recipe]:
    """Return a file in which every value can be recognised, and a release of it."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, 120))
    rare = [f"rare{rng.integers(10**9)}" for _ in range(2)]
    frame = pl.DataFrame(
        {
            "id": [f"id{number}" for number in rng.choice(10**9, n, replace=False)],
            "place": [*rare, *rng.choice([f"place{rng.integers(10**6)}" for _ in range(3)], n - 2).tolist()],
            "sex": rng.choice(["female", "male"], n).tolist(),
            "pay": np.round(rng.lognormal(8, 0.5, n), 7),
            "tax": np.round(rng.lognormal(5, 0.5, n), 7),
        }
    )
    data = Microdata(frame)
    roles = {"identifier": ["id"], "key": ["place", "sex"], "confidential": ["pay", "tax"]}
    data = data.with_schema(data.schema.with_kinds(nominal=["id", "place", "sex"]).with_roles(**roles))
    recipe = sf.Recipe(
        steps=[
            sf.DropIdentifiers(columns=("id",)),
            sf.LocalSuppression(columns=("place", "sex"), k=3),
            sf.RankSwapping(columns=("pay", "tax"), window=float(np.round(rng.uniform(3, 9), 5))),
        ],
        seed=int(rng.integers(10**12, 10**15)),
    )
    return data, recipe.run(data), recipe


@pytest.mark.parametrize("seed", range(3))
def test_no_record_value_seed_id_or_parameter_is_told(seed: int) -> None:
    data, released, recipe = random_release(seed)
    report = sf.report(data, released, recipe=recipe, edition="public", standards=("wp216",))
    told = report.to_json() + (report.to_html() if seed == 0 else "") + str(report) + report._repr_html_()
    counts = data.frame["place"].value_counts()
    secrets = [
        *data.frame["id"].to_list(),
        *counts.filter(pl.col("count") < 3)["place"].to_list(),
        *(str(value) for value in [*data.frame["pay"], *data.frame["tax"]]),
        str(recipe.seed),
        str(recipe.steps[2].window),  # type: ignore[attr-defined]
        *(str(row_id) for row_id in data.row_ids if row_id > 10**6),
    ]
    assert [secret for secret in secrets if secret in told] == []


def test_no_count_below_k_is_told() -> None:
    for figure in made("public").figures:
        if figure.unit in ("records", "persons") and figure.value is not None:
            assert figure.value == 0 or figure.value >= 3
        if figure.value is None:
            assert re.search(r"fewer than 3|below", figure.text)
            assert figure.text in figure.sentence


def test_a_share_that_stands_for_fewer_than_k_records_is_hidden() -> None:
    n = 240
    for figure in made("public").figures:
        if figure.unit == "%" and figure.value and figure.origin.part != CHANCE:  # one in n tells of nobody
            assert figure.value * n / 100 >= 3 - 1e-9


def test_nothing_of_the_original_is_told_but_what_the_release_shows() -> None:
    content = made("public").to_dict()
    assert not [figure["path"] for figure in content["figures"] if figure["made_by"]["files"] == "original"]
    assert "before" not in {key for section in content["sections"] for part in section["parts"] for key in part}
    assert content["request"] == {}
    assert "Dell" not in made("public").to_json()


def test_what_parameters_may_be_published_is_listed_and_no_secret_is_among_them() -> None:
    assert set(WORDS) >= PUBLIC_PARAMETERS
    assert PUBLIC_PARAMETERS.isdisjoint(SECRET_WORDS)
    for figure in made("public").figures:
        assert set(figure.origin.parameters) <= PUBLIC_PARAMETERS
    assert "window" in RECIPE.to_yaml()


def test_each_heading_that_is_left_out_is_named_with_the_reason() -> None:
    inside = [part.text for one in made().sections for part in one.parts if isinstance(part, Subheading)]
    public = made("public")
    shown = [part.text for one in public.sections for part in one.parts if isinstance(part, Subheading)]
    left_out = next(one for one in public.sections if one.key == "left_out")
    tables = [part for part in left_out.parts if isinstance(part, WordTable)]
    rows = {name.lower(): row[1] for part in tables for row in part.rows for name in row[0].split("; ")}
    assert {text.lower() for text in {*inside} - {*shown}} <= rows.keys()
    assert "means and totals" in rows
    assert all(rows.values())
    reasons = [row[1] for part in tables for row in part.rows]
    assert len(reasons) == len({*reasons})  # each reason is told once


def test_limits_and_standards_that_nobody_asked_for_are_named() -> None:
    data, released, recipe = random_release(1)
    told = str(sf.report(data, released, recipe=recipe, edition="public", limits=["k>=3"]).to_dict()["sections"])
    assert "HIPAA: expert determination" in told


def test_no_bound_is_looser_than_the_limit_that_it_shows_to_be_met() -> None:
    found = sf.report(survey(), released(), recipe=RECIPE, limits=["global_risk<=4"], k=10, edition="public")
    assert found.meets_limits
    for path in ("verdict/limits/global_risk", "risk/keys/global_risk/after"):
        assert found[path].text == "at most 4 %"
        assert "probability of at most 4 %" in found[path].sentence
    assert "below 4.17 %" not in str(found.sections[0])


def test_copies_that_are_all_of_few_persons_are_not_counted() -> None:
    data = survey()
    rows = np.concatenate([np.arange(200), np.zeros(40, dtype=np.int64)])  # one person's record, 40 times
    rent = [2.0] * 200 + [data.frame["rent"][0]] * 40
    masked = Microdata(data.frame[rows.tolist()].with_columns(pl.Series("rent", rent)), data.schema)
    inside, outside = (sf.report(data, masked, same_order=True, edition=one) for one in ("internal", "public"))
    assert inside["risk/measures/SR"].value == pytest.approx(100 * 40 / 240)
    assert outside["risk/measures/SR"].value is None
    assert outside["risk/measures/SR"].text == "some"
    assert "16.67 %" not in outside.to_json()


def test_no_figure_has_more_digits_than_the_page_shows() -> None:
    for figure in made("public").figures:
        if figure.value is not None:
            assert figure.value == round_as_shown(figure.value, figure.unit)
            assert all(end == round(end, 2) for end in figure.interval or ())
            assert figure.text == format_value(figure.value, figure.unit)
    assert any(one.value != round_as_shown(one.value, one.unit) for one in made().figures if one.value is not None)


def test_rates_of_few_persons_and_intervals_around_them_are_not_told() -> None:
    figure = replace(
        made()["risk/measures/LINK"],
        value=40.0,
        sentence="It is 40 %. In the file it is 75 %, in the control 1.42 %. 95 % confidence interval, so: 30 to 52 %.",
        interval=(30.0, 52.0),
    )
    few, many = (_without_secrets(replace(figure, fewest=count), 505, 3) for count in (2.0, 30.0))
    assert few.sentence == "It is 40 %. With 95 % confidence it is at most 60 %."
    assert few.interval is None
    assert "1.42 %" in many.sentence


def test_a_share_of_a_small_control_is_hidden_by_the_size_of_the_control() -> None:
    figure = replace(made()["risk/measures/LINK"], value=4.26, sentence="It is 4.26 %.", interval=None)
    assert _without_secrets(replace(figure, base=141), 505, 10).text == "below 7.1 %"
    assert _without_secrets(figure, 505, 10).text == "4.26 %"


def test_that_some_variables_were_not_compared_is_told_without_names() -> None:
    data = survey()
    masked = released().without_columns(("rent",))
    inside, outside = (sf.report(data, masked, same_order=True, edition=one) for one in ("internal", "public"))
    told = [str(next(one for one in report.sections if one.key == "untested")) for report in (inside, outside)]
    assert "Variables that no measure could compare: rent" in told[0]
    assert "Some variables of the original, which no measure could compare." in told[1]
    assert "rent" not in told[1]


def test_what_hipaa_asks_for_is_told_to_everybody_in_general_words() -> None:
    public = {one.key: str(one) for one in made("public").sections}
    assert "not counted as known: age" in public["standards"]
    (strict,) = [one for one in made().figures if one.path == "risk/keys/strict_violations/after"]
    count = strict.value or 0
    told = f"{count:.0f} records" if count >= 3 else "fewer than 3 records"
    assert (f"where a gap is read as a value, {told} fit fewer than 3" in public["standards"]) == (count > 0)


def test_the_most_that_is_found_is_told_where_it_stands_for_enough_records() -> None:
    figure = replace(made()["risk/measures/DLD"], value=1.0, sentence="It is 1 %. Where most is found it is 2.27 %.")
    assert _without_secrets(figure, 500, 10).sentence == "It is below 2 %. Where most is found it is 2.27 %."
    assert _without_secrets(figure, 400, 10).sentence == "It is below 2.5 %."


def test_a_bound_in_place_of_a_small_share_is_no_looser_than_its_interval() -> None:
    figure = replace(made()["risk/measures/LINK"], value=0.2, sentence="It is 0.2 %.", interval=(0.0, 0.75))
    assert _without_secrets(figure, 500, 10).text == "at most 1 %"
    assert _without_secrets(replace(figure, interval=(0.0, 3.47)), 500, 10).text == "below 2 %"


def test_only_what_the_internal_edition_holds_is_said_to_be_left_out() -> None:
    told = str(next(one for one in made("public").sections if one.key == "left_out"))
    assert "alternatives" not in told  # no study was given
    assert "not released" not in told  # everything is
    assert "Every limit that was set for this page stands in the verdict" in told
    dropped = sf.Recipe(steps=[sf.DropIdentifiers(columns=("rent",))], seed=2)
    fewer = sf.report(survey(), dropped.run(survey()), recipe=dropped, edition="public")
    assert "Variables and records that are not released" in str(fewer.sections)
    assert "decided have" not in made("public").to_html()


def test_other_releases_and_outliers_are_said_to_be_left_out() -> None:
    told = str(next(one for one in made("public").sections if one.key == "left_out"))
    assert "Other releases of the same original, if any" in told
    assert ("Figures of outliers" in told) == any(one.path.endswith("/outliers") for one in made().figures)
