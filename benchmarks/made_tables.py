"""Tables of made firms and people, for measuring what protecting large tables takes."""

from functools import cache

import numpy as np
import polars as pl

from sfumato.data import Category, Hierarchy
from sfumato.numerics.arrays import FloatColumn
from sfumato.tables import MinUnits, PPercent
from sfumato.tables.cells.linked_tables import link
from sfumato.tables.cells.table import Table
from sfumato.tables.problem.build_problem import build_problem
from sfumato.tables.problem.problem import Problem
from sfumato.tables.suppression._unavoidable_disclosure import spare_unavoidable


@cache
def made(*, insiders: bool = False) -> Problem:
    """Return industry by size by region of made firms, seed 0: 100 528 cells, 29 391 unsafe by p %, p = 10.

    Insiders are 13 220: the firms that are alone in some cell.
    """
    rng = np.random.default_rng(0)
    firms = 500_000
    industries = Hierarchy.from_levels(
        [(f"i{a}{b}{c}", f"i{a}{b}", f"i{a}", "Total") for a in range(8) for b in range(6) for c in range(8)]
    )
    regions = Hierarchy.from_levels([(f"r{a}{b}", f"r{a}", "Total") for a in range(5) for b in range(6)])
    shares = [rng.gamma(0.7, 1, count) for count in (384, 30)]
    places = [rng.choice(share.size, firms, p=share / share.sum()) for share in shares]
    sizes = rng.choice(8, firms, p=[0.3, 0.22, 0.16, 0.12, 0.08, 0.06, 0.04, 0.02])
    frame = pl.DataFrame(
        {
            "industry": np.array(industries.leaves)[places[0]],
            "size": np.array([f"s{size}" for size in range(8)])[sizes],
            "region": np.array(regions.leaves)[places[1]],
            "turnover": np.round(np.exp(rng.normal(2 + 0.8 * sizes, 1.2)), 1),
        }
    )
    table = Table.from_records(frame, {"industry": industries, "size": None, "region": regions}, "turnover")
    return build_problem(link([table]), [PPercent(p=10.0).find(table)], insiders=insiders)


@cache
def made_in_four_dimensions(*, is_large: bool) -> Problem:
    """Return industry by size by region by form of made firms, seed 0: 46 349 or 225 220 cells, p %, p = 10."""
    rng = np.random.default_rng(0)
    firms = 600_000 if is_large else 150_000
    tops, middles, lows = (6, 5, 6) if is_large else (5, 4, 5)
    lands, towns = (4, 5) if is_large else (3, 4)
    size_count, form_count = (5, 8) if is_large else (4, 5)
    industries = Hierarchy.from_levels(
        [
            (f"i{a}.{b}.{c}", f"i{a}.{b}", f"i{a}", "Total")
            for a in range(tops)
            for b in range(middles)
            for c in range(lows)
        ]
    )
    regions = Hierarchy.from_levels([(f"r{a}.{b}", f"r{a}", "Total") for a in range(lands) for b in range(towns)])

    def draw(labels: FloatColumn, shape: float) -> FloatColumn:
        shares = rng.gamma(shape, 1, labels.size) + 0.02
        return labels[rng.choice(labels.size, firms, p=shares / shares.sum())]

    industry, region = (draw(np.array(one.leaves), 0.7) for one in (industries, regions))
    sizes = np.minimum(rng.geometric(0.35, firms) - 1, size_count - 1)
    frame = pl.DataFrame(
        {
            "industry": industry,
            "size": np.array([f"s{size}" for size in range(size_count)])[sizes],
            "region": region,
            "form": draw(np.array([f"f{form}" for form in range(form_count)]), 1.5),
            "turnover": np.round(np.exp(rng.normal(2 + 0.8 * sizes, 1.2)), 1),
        }
    )
    dimensions = {"industry": industries, "size": None, "region": regions, "form": None}
    table = Table.from_records(frame, dimensions, "turnover")
    return build_problem(link([table]), [PPercent(p=10.0).find(table)], insiders=False)


def small_in_four_dimensions() -> Problem:
    """Return a table of made firms in four dimensions, seed 4, with all insiders: 212 cells, 39 unsafe."""
    rng = np.random.default_rng(4)
    sizes = {"a": 2, "b": 3, "c": 2}
    shares = [0.4, 0.25, 0.15, 0.12, 0.08]
    frame = pl.DataFrame(
        {
            **{name: rng.choice([f"{name}{code}" for code in range(1, size + 1)], 230) for name, size in sizes.items()},
            "d": rng.choice([f"d{code}" for code in range(5)], 230, p=shares),
            "turnover": rng.lognormal(3, 1.3, 230).round(1),
        }
    )
    table = Table.from_records(frame, [*sizes, "d"], "turnover")
    rule = PPercent(p=15.0) | MinUnits(units=3)
    return spare_unavoidable(build_problem(link([table]), [rule.find(table)]))[0]


def small_counts() -> Problem:
    """Return counts of made people by region, occupation and age, seed 1, with all insiders: 1 743 cells."""
    rng = np.random.default_rng(1)
    regions = Hierarchy.from_levels([(f"r{a}.{b}", f"r{a}", "Total") for a in range(3) for b in range(4)])
    occupations = Hierarchy.from_levels([(f"o{a}.{b}", f"o{a}", "Total") for a in range(3) for b in range(5)])

    def draw(labels: tuple[Category, ...], shape: float) -> FloatColumn:
        shares = rng.gamma(shape, 1, len(labels)) + 0.02
        return np.array(labels)[rng.choice(len(labels), 1500, p=shares / shares.sum())]

    frame = pl.DataFrame(
        {
            "region": draw(regions.leaves, 1.0),
            "occupation": draw(occupations.leaves, 0.8),
            "age": draw(tuple(f"a{age:02d}" for age in range(9)), 3.0),
        }
    )
    table = Table.from_records(frame, {"region": regions, "occupation": occupations, "age": None})
    return spare_unavoidable(build_problem(link([table]), [MinUnits(units=3).find(table)]))[0]


def many_counts() -> Problem:
    """Return counts of made people in four dimensions, seed 3, with all insiders: 14 175 cells, many of them empty."""
    rng = np.random.default_rng(3)
    regions = Hierarchy.from_levels([(f"r{a}.{b}", f"r{a}", "Total") for a in range(4) for b in range(4)])
    occupations = Hierarchy.from_levels([(f"o{a}.{b}", f"o{a}", "Total") for a in range(4) for b in range(5)])

    def draw(labels: tuple[Category, ...], shape: float) -> FloatColumn:
        shares = rng.gamma(shape, 1, len(labels)) + 0.02
        return np.array(labels)[rng.choice(len(labels), 15_000, p=shares / shares.sum())]

    frame = pl.DataFrame(
        {
            "region": draw(regions.leaves, 0.7),
            "occupation": draw(occupations.leaves, 0.5),
            "age": draw(tuple(f"a{age:02d}" for age in range(8)), 2.0),
            "sex": draw(("f", "m"), 5.0),
        }
    )
    dimensions = {"region": regions, "occupation": occupations, "age": None, "sex": None}
    table = Table.from_records(frame, dimensions, zeros=True)
    return build_problem(link([table]), [MinUnits(units=3).find(table)])
