"""A rule learnt by running a recipe thousands of times links no more than what is proven, whatever the recipe is.

For files of a few records all that a release can look like comes up again and again. So the best of all rules needs no
likelihood: for each look of the whole release it names the original that was most often behind a record of such a look.
It knows all that an intruder may: the columns, what is missing and by which code, who lives with whom, and the order of
the original.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.contracts import Knowledge, MaskingMethod
from sfumato.errors import SfumatoError
from sfumato.intruder import Runs, model_by_runs, posterior_of, reasons_without_bound
from sfumato.intruder.bounds import link_bound
from sfumato.intruder.bounds.link_bound import proven_bounds

RUNS, FILES = 500, 8  # of a recipe from which a rule is learnt and on which it is tried; of which bounds are told
STANDARD_ERRORS = 4.5
KINDS = {"sex": "nominal", "area": "nominal", "age": "continuous", "size": "continuous"}
NUMBERS = st.sampled_from([("age",), ("size",), ("age", "size")])
CATEGORIES = st.sampled_from([("sex",), ("area",), ("sex", "area")])
STRATA = st.sampled_from([(), (), ("sex",)])

STEPS = st.one_of(
    st.builds(sf.Pram, columns=CATEGORIES, stay=st.sampled_from([40.0, 60.0, 85.0])),
    st.builds(sf.InvariantPram, columns=CATEGORIES),
    st.builds(sf.AdditiveNoise, columns=NUMBERS, scale=st.sampled_from([0.3, 1.0]), within=STRATA),
    st.builds(sf.CorrelatedNoise, columns=st.just(("age", "size")), variance_ratio=st.just(0.5)),
    st.builds(sf.Rounding, columns=NUMBERS, base=st.sampled_from([2.0, 3.0])),
    st.builds(sf.TopCoding, columns=NUMBERS, percent=st.just(30.0), within=STRATA),
    st.builds(sf.RankSwapping, columns=NUMBERS, window=st.just(40.0)),
    st.builds(sf.Resampling, columns=NUMBERS),
    st.builds(sf.Mdav, columns=st.just(("age", "size")), k=st.just(2)),
    st.builds(sf.LocalSuppression, columns=st.just(("sex", "area")), k=st.just(2)),
    st.builds(sf.MicroaggregatedHybrid, columns=st.just(("age", "size")), k=st.just(3)),
    st.builds(sf.Sampling, percent=st.sampled_from([50.0, 70.0])),
    st.builds(sf.DropIdentifiers, columns=st.just(("home",))),
)


@st.composite
def files(draw: st.DrawFn) -> sf.Microdata:
    """Return four to six records with few values, gaps and codes for missing, in households or not."""
    count = draw(st.integers(4, 6))
    values = {
        "sex": st.sampled_from(["f", "m", None]),
        "area": st.sampled_from(["n", "s", "w", "refused", "unknown"]),
        "age": st.sampled_from([1.0, 2.0, 4.0, 5.0]),
        "size": st.sampled_from([0, 1, 3, 98, 99]),
        "home": st.sampled_from(["A", "B", "C"]),
    }
    columns = {name: draw(st.lists(one, min_size=count, max_size=count)) for name, one in values.items()}
    schema = sf.Schema.from_yaml(
        "variables: {sex: {kind: nominal}, area: {kind: nominal, missing_codes: [refused, unknown]}, "
        "age: {kind: continuous}, size: {kind: continuous, missing_codes: [98, 99]}, "
        "home: {kind: nominal, role: household}}"
    )
    data = sf.Microdata(pl.DataFrame(columns), schema)
    return data if draw(st.booleans()) else data.without_columns(("home",))


@dataclass(frozen=True)
class Release:
    """What a release looks like as a whole, each of its records, and whose they are."""

    whole: Hashable
    records: tuple[Hashable, ...]
    rows: tuple[int, ...]

    @classmethod
    def of(cls, data: sf.Microdata, masked: sf.Microdata, names: Sequence[str]) -> "Release":
        """Return what some columns show, and the household number where there is one."""
        cells = [
            tuple(round(cell) if isinstance(cell, float) else cell for cell in row)
            for row in masked.frame.select(names).rows()
        ]
        looks: list[Hashable] = list(cells)
        if "home" in masked.schema:
            homes = masked.frame["home"].to_list()
            mates = [tuple(sorted(map(repr, _of_home(cells, homes, home)))) for home in homes]
            looks = list(zip(cells, mates, strict=True))
        return cls(tuple(sorted(map(repr, looks))), tuple(looks), tuple(data.rows_of(masked.row_ids).tolist()))


def _of_home(cells: list[tuple[object, ...]], homes: list[str], home: str) -> Iterator[tuple[object, ...]]:
    return (cell for cell, other in zip(cells, homes, strict=True) if other == home)


def learnt_share(releases: Sequence[Release]) -> tuple[float, float]:
    """Return the share of right links in half of the releases of a rule learnt from the others, and its error."""
    owners: dict[Hashable, Counter[int]] = defaultdict(Counter)
    for release in releases[::2]:
        for look, row in zip(release.records, release.rows, strict=True):
            owners[release.whole, look][row] += 1
            owners[look][row] += 1  # for a whole that did not come up
    shares = []
    for release in releases[1::2]:
        guesses = (owners.get((release.whole, look)) or owners.get(look) or Counter() for look in release.records)
        right = [
            bool(found) and found.most_common(1)[0][0] == row for found, row in zip(guesses, release.rows, strict=True)
        ]
        shares.append(np.mean(right))
    return float(np.mean(shares)), float(np.std(shares) / np.sqrt(len(shares)))


def bounds_of(
    data: sf.Microdata, run: Callable[[], sf.Microdata], steps: Sequence[MaskingMethod], names: tuple[str, ...]
) -> np.ndarray:
    """Return all bounds of several releases (releases x bounds), 1 for none."""
    found = []
    for number in range(FILES):
        masked = run()
        runs = Runs.of(data, masked, steps, number)
        model = model_by_runs(runs, masked, names)
        posterior = posterior_of(model, 64)
        if reasons_without_bound(data, masked, names):
            assert link_bound(runs, masked, names, model, posterior) is None
            found.append([1.0])
        else:
            found.append([min(bound.share, 1.0) for bound in proven_bounds(runs, masked, names, model, posterior)])
    width = max(map(len, found))
    return np.array([[*shares, *[1.0] * (width - len(shares))] for shares in found])


def runner(data: sf.Microdata, steps: Sequence[MaskingMethod], seed: int) -> Callable[[], sf.Microdata]:
    """Return what masks the file anew each time."""
    rng = np.random.default_rng(seed)

    def run() -> sf.Microdata:
        masked = data
        for step in steps:
            masked = step.mask_beside(data, masked, rng)
        return masked

    return run


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(files(), st.lists(STEPS, min_size=1, max_size=3), st.sets(st.sampled_from(list(KINDS)), min_size=1, max_size=2))
def test_no_rule_links_more_than_a_bound_says(data: sf.Microdata, parts: list[MaskingMethod], known: set[str]) -> None:
    names = tuple(sorted(known))
    try:
        steps = Knowledge.of(parts, data).steps
        run = runner(data, steps, 1)
        releases = [Release.of(data, run(), names) for _ in range(RUNS)]
        bounds = bounds_of(data, run, steps, names)
    except SfumatoError:  # of a step that refuses such a file
        assume(False)
    linked, error = learnt_share(releases)
    errors = np.sqrt(error**2 + bounds.var(axis=0) / FILES + 1e-4)
    assert (linked <= bounds.mean(axis=0) + STANDARD_ERRORS * errors).all()


def test_the_rule_shows_a_bound_that_forgets_who_lives_with_whom() -> None:
    """So the test above can fail: households of another size give their members away."""
    frame = pl.DataFrame(
        {"sex": ["f"] * 6, "home": ["A", "B", "B", "C", "C", "C"], "age": [1.0, 2.0, 4.0, 5.0, 7.0, 8.0]}
    )
    schema = sf.Schema.from_yaml(
        "variables: {sex: {kind: nominal}, home: {kind: nominal, role: household}, age: {kind: continuous}}"
    )
    data, steps = sf.Microdata(frame, schema), (sf.AdditiveNoise(columns=("age",), scale=3.0),)
    run = runner(data, steps, 2)
    linked, error = learnt_share([Release.of(data, run(), ("sex",)) for _ in range(RUNS)])
    alone = data.without_columns(("home",))
    forgetful = bounds_of(alone, runner(alone, steps, 3), steps, ("sex",)).min(axis=1).mean()
    assert linked == pytest.approx(0.5, abs=5 * error + 1e-9)  # one of each household
    assert forgetful == pytest.approx(1 / 6)
    assert bounds_of(data, run, steps, ("sex",)).min(axis=1).mean() == pytest.approx(0.5)
