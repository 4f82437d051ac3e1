"""What users import from `sfumato` itself."""

import subprocess
import sys

import pytest

import sfumato as sf

NAMES = [
    *(
        "read",
        "write",
        "Microdata",
        "Schema",
        "Variable",
        "Kind",
        "Role",
        "Hierarchy",
        "numeric",
        "categorical",
        "role",
    ),
    *("METHODS", "RISKS", "LOSSES", "SCORES", "Recipe", "assess", "Assessment", "compare", "Study", "datasets"),
    *("search", "Search", "between"),
    "SfumatoError",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_there(name: str) -> None:
    assert getattr(sf, name) is not None
    assert name in dir(sf)


def test_every_method_and_measure_class_is_there() -> None:
    for table in (sf.METHODS, sf.RISKS, sf.LOSSES):
        for record in table.values():
            assert getattr(sf, record.__name__) is record
            assert record.__name__ in dir(sf)


def test_an_unknown_name_is_refused_as_usual() -> None:
    with pytest.raises(AttributeError, match="module 'sfumato' has no attribute 'Mdavv'"):
        _ = sf.Mdavv


def test_importing_sfumato_loads_no_other_library() -> None:
    code = "import sys, sfumato; print(sorted({'numpy', 'pydantic', 'narwhals', 'polars', 'yaml'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
