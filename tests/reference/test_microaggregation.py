"""Losses of microaggregation, 100 SSE/SST of the standardised columns, on the reference files of the field.

MDAV's are those of the R package sdcMicro and of the literature on these files, such as Domingo-Ferrer,
Martinez-Balleste, Mateo-Sanz and Sebe (2006), Efficient multivariate data-oriented microaggregation.
"""

import numpy as np
import pytest

from sfumato.assessment import assess
from sfumato.contracts import Correspondence, MaskingMethod
from sfumato.data import Microdata, numeric
from sfumato.datasets import reference
from sfumato.loss import InformationLoss
from sfumato.masking import Mdav, VariableSizeMdav
from sfumato.masking.microaggregation.variable_size_mdav import variable_size_groups
from sfumato.numerics.arrays import FloatMatrix
from sfumato.numerics.standardisation import z_scores
from sfumato.risk import DistanceLinkage, IntervalDisclosure

SIZES = (3, 4, 5, 10)
RNG = np.random.default_rng(0)  # nothing is drawn
NEAREST = Correspondence.NEAREST_RECORD


def files() -> dict[str, Microdata]:
    eia = reference("eia")
    with_utility = eia.with_schema(eia.schema.with_kinds(continuous=["UTILITYID"]))
    money = eia.select(numeric)
    return {
        "census": reference("census"),
        "eia": eia.take_columns(money),
        "eia and utility": with_utility.take_columns(("UTILITYID", *money)),
    }


def lost(data: Microdata, method: MaskingMethod) -> float:
    names = data.schema.names
    before, after = data.matrix(names), method.mask(data, RNG).matrix(names)
    return float(100 * np.mean(((after - before) ** 2).mean(axis=0) / before.var(axis=0)))


@pytest.mark.reference
@pytest.mark.parametrize(
    ("file", "figures"),
    [
        ("census", (5.6922, 7.4947, 9.0884, 14.1559)),
        ("eia", (0.5919, 0.8120, 1.5877, 3.2699)),
        ("eia and utility", (0.4829, 0.6713, 1.6667, 3.8397)),
    ],
)
def test_mdav_loses_what_other_software_loses(file: str, figures: tuple[float, ...]) -> None:
    data = files()[file]
    found = [lost(data, Mdav(columns=data.schema.names, k=k)) for k in SIZES]
    assert found == pytest.approx(figures, abs=5e-5)


def plain_variable_size_groups(points: FloatMatrix, k: int, gamma: float) -> list[set[int]]:
    """V-MDAV with a table of all distances, without the records left at the end."""
    table = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    outlying = ((points - points.mean(axis=0)) ** 2).sum(axis=1)
    free, groups = np.ones(len(points), dtype=bool), []
    while free.sum() >= k:
        far = np.argmax(np.where(free, outlying, -1.0))
        members = np.argsort(np.where(free, table[far], np.inf), kind="stable")[:k].tolist()
        free[members] = False
        while len(members) < 2 * k - 1 and free.sum() > 1:
            inside = np.where(free, table[members].min(axis=0), np.inf)
            near = int(np.argmin(inside))
            outside = np.delete(np.where(free, table[near], np.inf), near).min()
            if inside[near] >= gamma * outside:
                break
            members.append(near)
            free[near] = False
        groups.append(set(members))
    return groups


@pytest.mark.reference
@pytest.mark.parametrize("gamma", [0.2, 1.1])
def test_variable_size_mdav_makes_the_groups_of_its_definition_on_census(gamma: float) -> None:
    data = reference("census")
    points = z_scores(data.matrix(data.schema.names))
    expected = plain_variable_size_groups(points, 4, gamma)
    found = variable_size_groups(points, 4, gamma)
    for number, group in enumerate(expected):
        assert group <= set(np.flatnonzero(found == number).tolist())


@pytest.mark.reference
def test_variable_size_mdav_loses_less_where_records_are_clustered() -> None:
    data = files()["eia"]
    for k in (5, 10):
        fixed = lost(data, Mdav(columns=numeric, k=k))
        assert lost(data, VariableSizeMdav(columns=numeric, k=k, gamma=1.1)) < fixed


@pytest.mark.reference
def test_census_four_columns_at_a_time_has_the_score_of_the_post_masking_paper() -> None:
    """Sebé, Domingo-Ferrer, Mateo-Sanz and Torra (2002), Post-masking optimization, table 2, first row."""
    data = reference("census")
    names = data.schema.names
    masked = Mdav(columns=names, k=10, columns_at_a_time=4).mask(data, RNG)
    measures = [
        InformationLoss(columns=names, correspondence=NEAREST),
        DistanceLinkage(columns=names, correspondence=NEAREST),
        IntervalDisclosure(columns=names, ties="mid", correspondence=NEAREST),
    ]
    assert assess(data, masked, measures).values["score"] == pytest.approx(31.86, abs=0.5)
