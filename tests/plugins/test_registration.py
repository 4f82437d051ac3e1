"""`sf.register`: classes of a notebook stand beside Sfumato's own."""

from typing import ClassVar

import numpy as np
import pytest

import sfumato as sf
from sfumato.assessment.plan import AssessmentPlan
from sfumato.contracts import Layout, LossMeasure, MaskingMethod, Measurement
from sfumato.contracts.named import ColumnRecord
from sfumato.data import Kind, Microdata
from sfumato.errors import PluginError, PluginWarning
from sfumato.plugins import MEASURES, origin_of
from sfumato_example import Jitter, MedianShift

NUMBERS = frozenset({Kind.CONTINUOUS})


class Doubling(MaskingMethod):
    """Double each value."""

    family: ClassVar[str] = "noise"
    kinds: ClassVar[frozenset[Kind]] = NUMBERS
    layout: ClassVar[Layout] = Layout.ROWS

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        return block.map_matrix(block.select(self.columns), lambda matrix: 2 * matrix)


class Nothing(LossMeasure):
    """Find nothing."""

    symbol: ClassVar[str] = "NIL"
    family: ClassVar[str] = "values"
    kinds: ClassVar[frozenset[Kind]] = NUMBERS

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        return Measurement(self.name(), self.symbol, 0.0)


def variant(base: type[ColumnRecord], called: str, **changes: object) -> type[ColumnRecord]:
    """Return a class like another, with the docstring of a complete one, under another name."""
    model = Jitter if issubclass(base, MaskingMethod) else MedianShift
    return type(called, (base,), {"__doc__": model.__doc__, "__module__": __name__, **changes})


def test_a_registered_method_is_in_the_table_and_in_recipes() -> None:
    assert "jitter" not in sf.METHODS
    assert sf.register(Jitter) is Jitter
    assert sf.METHODS["jitter"] is Jitter
    assert list(sf.METHODS)[-1] == "jitter"
    assert len(sf.METHODS) == len(list(sf.METHODS))
    recipe = sf.Recipe.from_yaml("steps: [jitter: {columns: [savings], width: 5}]\nseed: 1")
    assert recipe.steps == (Jitter(columns=("savings",), width=5),)
    assert sf.Recipe.from_yaml(recipe.to_yaml()) == recipe


def test_a_registered_measure_is_in_the_table_in_files_of_measures_and_in_assessments() -> None:
    sf.register(MedianShift)
    assert "median_shift" in sf.LOSSES
    assert "median_shift" not in sf.RISKS
    assert MEASURES["median_shift"] is MedianShift
    plan = AssessmentPlan.from_yaml("measures: [median_shift: {columns: numeric}]")
    data = sf.datasets.demo(100)
    assert sf.assess(data, data, plan.measures, []).values == {"MSH": 0.0}


def test_studies_take_both() -> None:
    sf.register(Jitter)
    sf.register(MedianShift)
    data = sf.datasets.demo(100)
    study = sf.compare(
        data, [Jitter(columns=("savings",))], measures=[MedianShift(columns=("savings",))], scores=[], seed=1, workers=1
    )
    assert study.results[0].values["MSH"] > 0


def test_it_comes_from_this_session_and_not_from_a_package() -> None:
    sf.register(Jitter)
    assert origin_of(Jitter) == "sf.register"
    assert origin_of(sf.Mdav) == ""


def test_what_the_docstring_lacks_is_a_warning() -> None:
    with pytest.warns(PluginWarning) as told:
        sf.register(Doubling)
    assert str(told[0].message) == (
        "Doubling: the docstring lacks the parameter columns, the section Effect on risk, the section Effect on utility"
        ", the section Missing values, the section Source, the section Examples"
    )
    assert sf.METHODS["doubling"] is Doubling


def test_a_class_that_is_defined_anew_takes_its_own_place() -> None:
    first, second = variant(Doubling, "Again"), variant(Doubling, "Again")
    sf.register(first)
    sf.register(second)
    assert sf.METHODS["again"] is second


def test_a_measure_that_is_defined_anew_keeps_its_symbol() -> None:
    sf.register(variant(Nothing, "Again"))
    sf.register(variant(Nothing, "Again"))


def test_a_class_of_another_place_with_the_same_name_is_refused() -> None:
    sf.register(variant(Doubling, "Again"))
    with pytest.raises(PluginError, match=r"^Again is refused: the name again is taken; give the class another$"):
        sf.register(variant(Doubling, "Again", __module__="elsewhere"))


@pytest.mark.parametrize("name", ["Mdav", "DistanceLinkage", "MomentMatching"])
def test_a_name_of_sfumato_is_refused_in_whatever_table_it_is(name: str) -> None:
    with pytest.raises(PluginError, match=f"{name} is refused: the name "):
        sf.register(variant(Doubling, name))
    assert sf.METHODS["mdav"] is sf.Mdav


@pytest.mark.parametrize(("symbol", "owner"), [("DLD", "distance_linkage"), ("IL1", "information_loss")])
def test_a_symbol_of_another_measure_or_of_its_parts_is_refused(symbol: str, owner: str) -> None:
    with pytest.raises(
        PluginError, match=rf"Other is refused: its symbol '{symbol}' is that of {owner}; choose another"
    ):
        sf.register(variant(Nothing, "Other", symbol=symbol))
    assert "other" not in sf.LOSSES


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"family": ""}, r"it must state its family, as in family = 'noise'$"),
        ({"kinds": {Kind.NOMINAL}}, r"it must state its kinds of column: a frozenset of Kind"),
        ({"layout": "rows"}, r"it must state its layout, such as Layout.ROWS$"),
        ({"model_config": {"frozen": False}}, r"it must leave the model_config frozen"),
        ({"family": "", "layout": None}, r"it must state its family, .*; it must state its layout"),
    ],
)
def test_a_method_that_breaks_the_contract_is_told_all_that_it_lacks(changes: dict[str, object], problem: str) -> None:
    with pytest.raises(PluginError, match=rf"^register: Broken breaks the contract: .*{problem}"):
        sf.register(variant(Doubling, "Broken", **changes))
    assert "broken" not in sf.METHODS


def test_a_measure_without_a_symbol_is_refused() -> None:
    with pytest.raises(PluginError, match="it must state its symbol, as in symbol = 'DLD'"):
        sf.register(variant(Nothing, "Broken", symbol=""))


def test_a_method_without_its_verb_is_refused() -> None:
    class Silent(MaskingMethod):
        family: ClassVar[str] = "noise"
        kinds: ClassVar[frozenset[Kind]] = NUMBERS
        layout: ClassVar[Layout] = Layout.ROWS

    with pytest.raises(PluginError, match="Silent breaks the contract: it must write the method mask_block"):
        sf.register(Silent)


@pytest.mark.parametrize("wrong", [dict, "jitter", Jitter(columns=("savings",))])
def test_what_is_no_class_of_a_contract_is_refused(wrong: object) -> None:
    with pytest.raises(
        PluginError, match="it must be a subclass of MaskingMethod, RiskMeasure, LossMeasure or Improver"
    ):
        sf.register(wrong)  # type: ignore[type-var]


def test_a_recipe_never_takes_a_class_that_did_not_join() -> None:
    with pytest.raises(sf.SfumatoError, match=r"there is no method 'sfumato_example\.jitter:Jitter'"):
        sf.Recipe.from_yaml("steps: ['sfumato_example.jitter:Jitter': {columns: [savings]}]")
    with pytest.raises(sf.SfumatoError, match="there is no method 'jitter'"):
        sf.Recipe.from_yaml("steps: [jitter: {columns: [savings]}]")
