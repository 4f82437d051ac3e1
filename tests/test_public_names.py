"""What users import from `sfumato` itself."""

import subprocess
import sys

import sfumato as sf

EVERYDAY = [
    *("read", "write", "ReadOptions", "Microdata", "Schema", "Variable", "Kind", "Role", "Hierarchy"),
    *("numeric", "categorical", "role", "METHODS", "RISKS", "LOSSES", "IMPROVERS", "SCORES", "Recipe"),
    *("assess", "Assessment", "compare", "Study", "search", "Search", "between", "protect", "risk_report"),
    *("register", "datasets", "tables", "SfumatoError"),
]
INTERNAL = {"Mask", "Rows", "CodeColumn", "FloatColumn", "FloatMatrix", "Booleans", "Selection", "CATEGORICAL"}


def test_every_public_name_leads_to_something_of_that_name() -> None:
    assert set(EVERYDAY) <= set(sf.__all__)
    assert sorted(sf.__all__) == dir(sf)
    for name in sf.__all__:
        assert getattr(getattr(sf, name), "__name__", name).removeprefix("sfumato.") == name


def test_the_classes_of_all_tables_are_public_and_no_other_file_is_taken_for_one() -> None:
    tables = {"masking": sf.METHODS, "risk": sf.RISKS, "loss": sf.LOSSES, "improve": sf.IMPROVERS}
    own = {
        record.__name__: room
        for room, table in tables.items()
        for record in table.values()  # type: ignore[attr-defined]
        if record.__module__.startswith("sfumato.")
    }
    assert dict(sf._classes()) == own
    assert all(getattr(sf, name).__name__ == name for name in own)


def test_what_only_the_rooms_need_is_not_public() -> None:
    assert INTERNAL.isdisjoint(sf.__all__)


def test_a_typo_is_told_the_nearest_name_and_loads_no_room() -> None:
    code = (
        "import sys, sfumato as sf\n"
        "try: sf.Mdavv\n"
        "except AttributeError as error: print(error)\n"
        "print(sorted(name for name in sys.modules if name.startswith('sfumato.')))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    message, loaded = ran.stdout.splitlines()
    assert message == "module 'sfumato' has no attribute 'Mdavv'; did you mean 'Mdav'?"
    assert loaded == "['sfumato.errors']"


def test_a_class_loads_its_own_room_and_nothing_that_is_slow_to_load() -> None:
    rooms, libraries = {"sfumato.risk", "sfumato.loss"}, {"sklearn", "pandas", "matplotlib"}
    slow = rooms | libraries | {"scipy.special", "scipy.optimize", "scipy.stats"}
    code = f"import sys, sfumato as sf; sf.Mdav; print({slow} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


def test_importing_sfumato_loads_no_other_library() -> None:
    code = "import sys, sfumato; print(sorted({'numpy', 'pydantic', 'narwhals', 'polars', 'yaml'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
