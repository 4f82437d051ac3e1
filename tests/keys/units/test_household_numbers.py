"""Numbers of files that members of a household share are found by what they hold, whatever they are called."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import HOUSEHOLDS_FOUND, HOUSEHOLDS_TOLD
from sfumato.keys.units.household_numbers import undeclared_households
from sfumato.keys.units.told_households import household_columns

KEYS = ["sex", "age", "religion"]


def taxpayers(name: str, *, as_text: bool = True) -> pl.DataFrame:
    """Return couples and singles, whose two records share the number of a file, a state and the number of children."""
    rng = np.random.default_rng(5)
    home = np.repeat(np.arange(300), [2] * 160 + [1] * 140)
    number = rng.permutation(300)[home] * 7 + 100_000
    return pl.DataFrame(
        {
            name: [f"13/{100 + one % 40}/{one:05d}" for one in number] if as_text else number,
            "state": rng.choice([*"ABCDE"], 300)[home],
            "children": rng.integers(0, 4, 300)[home],
            "sex": rng.choice(["f", "m"], home.size),
            "age": rng.integers(20, 88, home.size),
            "religion": rng.choice([*"pqrs"], home.size, p=[0.5, 0.3, 0.19, 0.01]),
            "wages": rng.lognormal(10, 0.6, home.size).round(2),
        }
    )


def taxes(frame: pl.DataFrame, **roles: list[str]) -> sf.Microdata:
    schema = sf.Schema.infer(frame).with_kinds(continuous=["age", "wages"])
    return sf.Microdata(frame, schema.with_roles(key=KEYS, **{"confidential": ["wages"], **roles}))


@pytest.mark.parametrize("name", ["tax_file", "dossier", "x", "salary_slip", "Krankenakte"])
@pytest.mark.parametrize("as_text", [True, False])
def test_a_number_that_couples_share_is_found_whatever_its_name_and_role(name: str, as_text: bool) -> None:
    frame = taxpayers(name, as_text=as_text)
    for role in ("other", "confidential"):
        data = taxes(frame, **{role: [name, "wages"] if role == "confidential" else [name]})
        assert undeclared_households(data) == household_columns(data) == (name,)


def test_protect_drops_the_number_of_a_file_and_judges_k_by_who_lives_together() -> None:
    found = sf.protect(taxes(taxpayers("tax_file"), confidential=["tax_file", "wages"]), k=3, limits=["k=3"], seed=1)
    assert "tax_file" not in found.data.schema
    assert any("by what they hold, so dropped: tax_file" in remark for remark in found.remarks)
    kept = sf.protect(taxes(taxpayers("tax_file")), k=3, limits=["k=3"], seed=1, keep=["tax_file"])
    assert "tax_file" in kept.data.schema
    assert HOUSEHOLDS_TOLD in kept.alarms or HOUSEHOLDS_FOUND in kept.alarms
    assert not kept.after.meets_limits


def test_codes_with_their_wording_and_their_chapter_number_no_households() -> None:
    rng = np.random.default_rng(2)
    ill = rng.integers(0, 150, 600)
    frame = pl.DataFrame(
        {
            "reason": [f"{chr(65 + one // 10)}{one % 10}" for one in ill],
            "wording": [f"illness {one * 7 % 151}" for one in ill],
            "chapter": [chr(65 + one // 10) for one in ill],
            "sex": rng.choice(["f", "m"], 600),
        }
    )
    assert undeclared_households(sf.Microdata(frame)) == ()


def test_cells_of_a_map_and_shared_addresses_tell_no_households() -> None:
    rng = np.random.default_rng(2)
    north, east = rng.integers(0, 40, (2, 600))
    frame = pl.DataFrame(
        {
            "grid": [f"{2600 + a}N{4300 + b}E" for a, b in zip(north, east, strict=True)],
            "district": [f"D{a // 20}{b // 20}" for a, b in zip(north, east, strict=True)],
            "address": [f"Oak Street {one}" for one in rng.integers(1, 400, 600)],
            "cows": rng.poisson(30, 600),
        }
    )
    for name in ("grid", "address"):
        data = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(identifier=[name], household=[]))
        assert household_columns(data) == ()
