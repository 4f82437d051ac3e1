"""What a report says of the variables: codes that nobody can read are named."""

import polars as pl

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.reports.release.chapters.contents import unlabelled_codes


def coded() -> Microdata:
    frame = pl.DataFrame(
        {
            "roof": [1, 2, 3] * 10,
            "walls": [1, 2, 3] * 10,
            "water": [1, 2, 3] * 10,
            "town": ["Aston", "Brill", "Corby"] * 10,
            "rooms": [1, 2, 3] * 10,
            "hid": [*range(15)] * 2,
        }
    )
    variables = (
        Variable(name="roof", kind="nominal", role="key"),
        Variable(name="walls", kind="nominal", value_labels={1: "mud", 2: "brick", 3: "stone"}),
        Variable(name="water", kind="nominal", value_labels={1: "river"}),
        Variable(name="town", kind="nominal"),
        Variable(name="rooms", kind="ordinal", unit="rooms"),
        Variable(name="hid", kind="nominal", role="household"),
    )
    return Microdata(frame, Schema(variables=variables))


def test_codes_without_labels_are_found() -> None:
    assert unlabelled_codes(coded()) == {"roof": (3, 3), "water": (2, 3)}


def test_both_editions_name_the_variables_whose_codes_have_no_labels() -> None:
    for edition in ("internal", "public"):
        told = str(sf.report(coded(), coded(), same_order=True, edition=edition).to_dict()["sections"])
        assert "nobody can read them from the file: roof, water." in told
        assert "categories, codes without labels; key" in told
        assert "categories, 2 of 3 codes without labels; other" in told
