"""Classes are loaded when somebody asks for one, and known by name before."""

import subprocess
import sys
from pkgutil import iter_modules
from types import ModuleType

import pytest

from sfumato import improve, intruder, loss, masking, risk
from sfumato.contracts import MaskingMethod
from sfumato.execution import folders
from sfumato.masking import METHODS, RankSwapping
from sfumato.masking.sampling.sampling import Sampling

LOADED = """
import sys
import sfumato.jobs.protect
print(*(name for name in NAMES if name in sys.modules))
"""


def test_protecting_loads_no_method_that_it_never_uses_nor_other_packages_for_them() -> None:
    names = [
        "sfumato.masking.noise.additive_noise",
        "sfumato.risk.linkage.worst_case_linkage",
        "scipy.linalg",
        "scipy.special",
        "asyncio",
    ]
    command = [sys.executable, "-c", LOADED.replace("NAMES", repr([*names, "sfumato.masking"]))]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
    assert ran.stdout.split() == ["sfumato.masking"]


def test_a_table_a_room_and_a_module_give_the_same_class() -> None:
    assert METHODS["rank_swapping"] is RankSwapping is masking.RankSwapping
    assert all(METHODS[name].name() == name for name in METHODS)
    assert "no_method" not in METHODS


@pytest.mark.parametrize("room", [folders, improve, intruder, loss, masking, risk])
def test_no_name_of_a_room_is_that_of_a_file_in_it_too_which_would_hide_it_once_loaded(room: ModuleType) -> None:
    assert not {module.name for module in iter_modules(room.__path__)} & set(room.__all__)


def test_a_name_that_a_room_lacks_is_an_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'sfumato\.masking' has no attribute 'NoMethod'"):
        masking.__getattr__("NoMethod")


def test_a_record_is_of_its_own_class_and_of_those_above_it() -> None:
    class SmallSampling(Sampling):
        pass

    step: MaskingMethod = SmallSampling(percent=5)
    assert step.is_a("sampling")
    assert step.is_a("rank_swapping", "small_sampling")
    assert not step.is_a("rank_swapping")
