"""Classes of installed packages: found by their entry points, loaded when they are asked for."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.contracts.registry import installed
from sfumato.errors import PluginError, PluginWarning
from sfumato.loss import FunctionLoss
from sfumato.plugins import MEASURES, origin_of
from sfumato_example import Jitter, MedianShift
from tests.docs.running import run_command
from tests.plugins.isolation import EXAMPLE, example_installed, install

BROKEN = {"sfumato.methods": {"half_done": "half_done_package:HalfDone"}}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder where packages are installed."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.fixture
def example(tmp_path: Path) -> Iterator[None]:
    with example_installed(tmp_path / "installed"):
        yield


@pytest.mark.usefixtures("example")
def test_the_example_package_joins_by_its_entry_points() -> None:
    assert sf.METHODS["jitter"] is Jitter
    assert sf.LOSSES["median_shift"] is MedianShift
    assert MEASURES["median_shift"] is MedianShift
    assert "median_shift" not in sf.RISKS
    assert "jitter" in list(sf.METHODS)
    assert origin_of(Jitter) == "sfumato-example 0.1.0"


def test_a_package_offers_an_analysis_for_the_function_loss(folder: Path) -> None:
    (folder / "largest_package.py").write_text(
        "def largest(data, names):\n    return {name: float(data.values(name).max()) for name in names}\nbroken = 3\n"
    )
    offered = {"largest": "largest_package:largest", "broken": "largest_package:broken"}
    install(folder, "largest", "1.0", {"sfumato.analyses": offered})
    data = sf.datasets.demo(50)
    masked = data.map_columns(("age",), lambda name, values: 2 * values)
    measure = FunctionLoss(columns=("age",), analysis="largest")
    assert measure.measure(data, masked).value == pytest.approx(100)
    with pytest.raises(PluginError, match="the analysis 'broken' must be a function of a file"):
        FunctionLoss(columns=("age",), analysis="broken").measure(data, data)


@pytest.mark.usefixtures("example")
def test_a_class_that_is_installed_may_be_registered_too() -> None:
    sf.register(Jitter)
    assert origin_of(Jitter) == "sfumato-example 0.1.0"


@pytest.mark.usefixtures("example")
def test_the_command_line_lists_masks_and_assesses_with_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sf.write(sf.datasets.demo(100), "people.csv")
    Path("recipe.yaml").write_text(
        "seed: 7\nsteps:\n  - jitter: {columns: [savings], width: 20}\n  - drop_identifiers\n"
    )
    Path("measures.yaml").write_text("measures:\n  - median_shift: {columns: [savings]}\n")
    shown = run_command(["methods", "jitter"])
    assert shown.out.startswith("Jitter (jitter): Move each value up or down")
    assert "From the package sfumato-example 0.1.0." in shown.out
    listed = json.loads(run_command(["methods", "--json"]).out)
    packages = {entry["name"]: entry["package"] for entry in listed}
    assert {name for name, package in packages.items() if package} == {"jitter", "median_shift"}
    assert run_command(["mask", "people.csv", "-r", "recipe.yaml", "-o", "masked.csv"]).code == 0
    manifest = json.loads(Path("masked.csv.manifest.json").read_text())
    assert manifest["plugins"] == {"jitter": "sfumato-example 0.1.0"}
    found = run_command(["assess", "people.csv", "masked.csv", "--measures", "measures.yaml", "--json"])
    assert found.code == 0, found.err
    assert "MSH" in found.out


def test_a_release_whose_package_is_gone_says_which_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sf.write(sf.datasets.demo(100), "people.csv")
    Path("recipe.yaml").write_text("seed: 7\nsteps:\n  - jitter: {columns: [savings]}\n  - drop_identifiers\n")
    with example_installed(tmp_path / "installed"):
        assert run_command(["mask", "people.csv", "-r", "recipe.yaml", "-o", "masked.csv"]).code == 0
        assert run_command(["verify", "masked.csv.manifest.json"]).code == 0
    failed = run_command(["verify", "masked.csv.manifest.json"])
    assert failed.code == 1
    assert "made with jitter of sfumato-example 0.1.0" in " ".join((failed.out + failed.err).split())


def test_nothing_is_loaded_before_it_is_asked_for(folder: Path) -> None:
    install(folder, "half-done", "2.0", BROKEN)
    assert sf.METHODS["mdav"] is sf.Mdav
    assert sf.Recipe.from_yaml("steps: [mdav: {columns: [age]}]").steps[0] == sf.Mdav(columns=("age",))
    assert "half_done_package" not in sys.modules


def test_a_broken_package_is_an_error_only_for_who_asks_for_it(folder: Path) -> None:
    install(folder, "half-done", "2.0", BROKEN)
    message = (
        r"^'half_done' of the package half-done 2.0 cannot be loaded: ModuleNotFoundError: No module named "
        r"'half_done_package'; repair or uninstall the package$"
    )
    with pytest.raises(PluginError, match=message):
        sf.Recipe.from_yaml("steps: [half_done: {columns: [age]}]")
    with pytest.warns(PluginWarning, match=message):
        names = list(sf.METHODS)
    assert "mdav" in names
    assert "half_done" not in names


def test_the_command_line_tells_of_a_broken_package_in_one_line(tmp_path: Path) -> None:
    install(tmp_path, "half-done", "2.0", BROKEN)
    start = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv = ['sfumato', 'methods', '--json']"
    code = f"{start}; from sfumato.cli import main; main()"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"mdav"} < {entry["name"] for entry in json.loads(ran.stdout)}
    assert ran.stderr.splitlines() == [
        "sfumato: 'half_done' of the package half-done 2.0 cannot be loaded: ModuleNotFoundError: No module named "
        "'half_done_package'; repair or uninstall the package"
    ]


@pytest.mark.parametrize(
    ("entry_points", "problem"),
    [
        ({"sfumato.methods": {"x": "json:dumps"}}, "breaks the contract: it must be a subclass of MaskingMethod$"),
        ({"sfumato.methods": {"x": "json:dump_s"}}, "cannot be loaded: AttributeError: .*; repair or uninstall"),
        (
            {"sfumato.methods": {"x": "sfumato_example:Jitter"}},
            "it must have the entry point 'jitter', which is its name in recipes$",
        ),
        ({"sfumato.methods": {"x": "sfumato_example:MedianShift"}}, "it must be a subclass of MaskingMethod$"),
    ],
)
def test_a_package_that_offers_what_it_should_not_is_told(
    folder: Path, entry_points: dict[str, dict[str, str]], problem: str
) -> None:
    install(folder, "odd", "1.0", entry_points)
    with pytest.raises(PluginError, match=f"^'x' of the package odd 1.0 .*{problem}"):
        _ = sf.METHODS["x"]


def test_a_measure_of_neither_kind_is_told_what_to_be(folder: Path) -> None:
    install(folder, "odd", "1.0", {"sfumato.measures": {"jitter": "sfumato_example:Jitter"}})
    with pytest.raises(PluginError, match="it must be a subclass of RiskMeasure or LossMeasure"):
        _ = MEASURES["jitter"]


def test_a_name_of_sfumato_stays_its_own(folder: Path) -> None:
    (folder / "rival.py").write_text("from sfumato_example import Jitter\nclass Mdav(Jitter):\n    pass\n")
    install(folder, "rival", "1.0", {"sfumato.methods": {"mdav": "rival:Mdav"}})
    assert sf.METHODS["mdav"] is sf.Mdav
    with pytest.warns(PluginWarning, match="'mdav' of the package rival 1.0 is refused: the name mdav is taken"):
        assert dict(sf.METHODS)["mdav"] is sf.Mdav


def test_two_packages_with_one_name_are_refused_both(folder: Path) -> None:
    for name in ("first", "second"):
        install(folder, name, "1.0", {"sfumato.methods": {"jitter": "sfumato_example:Jitter"}})
    with pytest.raises(
        PluginError, match=r"^'jitter' of the packages first 1.0 and second 1.0 cannot be distinguished"
    ):
        _ = sf.METHODS["jitter"]


def test_the_metadata_are_those_of_the_example(tmp_path: Path) -> None:
    with example_installed(tmp_path / "installed"):
        offered = {**installed("sfumato.methods"), **installed("sfumato.measures")}
    assert set(offered) == {"jitter", "median_shift"}
    assert (EXAMPLE / "README.md").exists()
