"""The reference files of the field: read, with their schemas, from a folder of the user's own."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sfumato.data import Kind, Microdata, Role, Schema, Variable
from sfumato.documents import format_value
from sfumato.errors import FileError, ParameterError, did_you_mean

FOLDER_VARIABLE = "SFUMATO_DATA"

EIA_IDENTIFIERS = ("UTILITYID", "UTILNAME")
EIA_CODES = ("STATE", "YEAR", "MONTH")
SURVEY_CODES = ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex", "hhcivil")
SURVEY_WEIGHTS = ("sampling_weight", "household_weights")
CENSUS_KEYS = 7


@dataclass(frozen=True)
class Reference:
    """A reference file.

    Parameters
    ----------
    source
        Where the file is published.
    variable
        Describes a column, given its position and its name.
    """

    source: str
    variable: Callable[[int, str], Variable]


def reference(name: str, folder: Path | str | None = None) -> Microdata:
    """Return one of the reference files of the field, with its schema.

    Continuous columns come as floats, so that masking does not round them.

    Parameters
    ----------
    name
        One of `REFERENCES`: census, eia, household_survey, francdat.
    folder
        Where the file `NAME.csv` is; when not given, the folder that the environment variable `SFUMATO_DATA` names.
    """
    if name not in REFERENCES:
        near = did_you_mean(name, REFERENCES)
        raise ParameterError([f"reference must be one of {', '.join(REFERENCES)}; got {name!r}{near}"])
    import polars as pl

    frame = pl.read_csv(_file(name, folder), infer_schema_length=None)
    variables = tuple(REFERENCES[name].variable(place, column) for place, column in enumerate(frame.columns))
    numbers = [variable.name for variable in variables if variable.kind is Kind.CONTINUOUS]
    return Microdata(frame.with_columns(pl.col(numbers).cast(pl.Float64)), Schema(variables=variables))


def reference_folder() -> Path:
    """Return the folder of the reference files, which the environment variable `SFUMATO_DATA` names."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if not folder:
        raise FileError(
            f"{FOLDER_VARIABLE} is not set; set it to the folder that holds the reference files, or name that folder "
            f"(the option data; in Python folder)"
        )
    return Path(folder)


def _file(name: str, given: Path | str | None) -> Path:
    """Return the path of a reference file, or say what is missing."""
    if given is not None and not isinstance(given, Path | str):
        raise ParameterError([f"reference.folder must be a path; got {format_value(given)}"])
    folder = reference_folder() if given is None else Path(given)
    if (folder / f"{name}.csv").is_file():
        return folder / f"{name}.csv"
    cure = f"set {FOLDER_VARIABLE} to a folder" if given is None else "name a folder"
    raise FileError(
        f"the reference file {name}.csv is not in {folder}; {cure} that holds it. "
        f"It is published with {REFERENCES[name].source}"
    )


def _census(place: int, name: str) -> Variable:
    return Variable(name=name, kind=Kind.CONTINUOUS, role=Role.KEY if place < CENSUS_KEYS else Role.CONFIDENTIAL)


def _eia(_: int, name: str) -> Variable:
    if name in EIA_IDENTIFIERS:
        return Variable(name=name, kind=Kind.NOMINAL, role=Role.IDENTIFIER)
    if name in EIA_CODES:
        return Variable(name=name, kind=Kind.NOMINAL, role=Role.KEY if name == "STATE" else Role.OTHER)
    return Variable(name=name, kind=Kind.CONTINUOUS, role=Role.CONFIDENTIAL)


def _household_survey(_: int, name: str) -> Variable:
    if name == "ori_hid":
        return Variable(name=name, kind=Kind.NOMINAL, role=Role.HOUSEHOLD)
    if name in SURVEY_WEIGHTS:
        return Variable(name=name, kind=Kind.CONTINUOUS, role=Role.WEIGHT)
    if name in SURVEY_CODES:
        return Variable(name=name, kind=Kind.NOMINAL, role=Role.OTHER if name == "hhcivil" else Role.KEY)
    return Variable(name=name, kind=Kind.CONTINUOUS, role=Role.KEY if name == "age" else Role.CONFIDENTIAL)


def _francdat(_: int, name: str) -> Variable:
    if name.startswith("Key"):
        return Variable(name=name, kind=Kind.NOMINAL, role=Role.KEY)
    return Variable(name=name, kind=Kind.CONTINUOUS, role=Role.WEIGHT if name == "w" else Role.CONFIDENTIAL)


CASC = "the test sets of the CASC project on statistical disclosure control"
SDC_MICRO = "the test data of the R package sdcMicro"

REFERENCES = {
    "census": Reference(f"{CASC}, as CENSUS", _census),
    "eia": Reference(f"{CASC}, as EIA", _eia),
    "household_survey": Reference(f"{SDC_MICRO}, as testdata", _household_survey),
    "francdat": Reference(f"{SDC_MICRO}, as francdat", _francdat),
}
