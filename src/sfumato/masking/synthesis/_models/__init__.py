"""Models of one column given those before it: the table of all that a synthesiser can be told to use."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Annotated

from pydantic import InstanceOf

from sfumato.data import Kind, Microdata
from sfumato.documents import MapOf, OneOf
from sfumato.errors import DataError
from sfumato.expressions.expression import parse_formula
from sfumato.expressions.expression_types import Type, check_types
from sfumato.masking.synthesis._models.contract import ColumnModel
from sfumato.masking.synthesis._models.forest import Forest
from sfumato.masking.synthesis._models.formula import Formula
from sfumato.masking.synthesis._models.linear import Linear
from sfumato.masking.synthesis._models.logistic import Logistic
from sfumato.masking.synthesis._models.normal import Normal
from sfumato.masking.synthesis._models.pmm import Pmm
from sfumato.masking.synthesis._models.resample import Resample
from sfumato.masking.synthesis._models.tree import Tree

MODELS: Mapping[str, type[ColumnModel]] = MappingProxyType(
    {model.name(): model for model in (Tree, Forest, Linear, Normal, Pmm, Logistic, Resample, Formula)}
)

OF_SYNTHPOP: Mapping[str, type[ColumnModel]] = MappingProxyType(
    {
        **dict.fromkeys(("cart", "ctree"), Tree),
        **dict.fromkeys(("rf", "ranger", "bag"), Forest),
        **dict.fromkeys(("normrank", "lognorm", "sqrtnorm", "cubertnorm"), Linear),
        **dict.fromkeys(("logreg", "polyreg", "polr"), Logistic),
        "norm": Normal,
        "sample": Resample,
    }
)
"""The model that does here what one of synthpop does, by its name there."""


def _other_meaning(name: str) -> str:
    """Return what a name is that is no model: one of synthpop."""
    return f"; synthpop's {name} is {OF_SYNTHPOP[name].name()} here" if name in OF_SYNTHPOP else ""


MODEL: OneOf[ColumnModel] = OneOf(MODELS, noun="model", example="forest: {trees: 10}", hint=_other_meaning)

Models = Annotated[dict[str, InstanceOf[ColumnModel]] | None, MapOf(MODEL)]
"""The models of some columns, by name."""


def check_models(who: str, models: Mapping[str, ColumnModel] | None, names: Sequence[str], data: Microdata) -> None:
    """Refuse models of columns that are not drawn, or that are of a kind which the model does not take."""
    for name, model in (models or {}).items():
        if name not in names:
            raise DataError(f"{who}.models: '{name}' is not among the columns; name it there too")
        if data.schema[name].kind not in model.kinds:
            raise DataError(
                f"{who}.models: '{name}' is {data.schema[name].kind}, but {type(model).name()} takes "
                f"{' or '.join(sorted(model.kinds))} columns"
            )
        if isinstance(model, Formula):
            gives = check_types(f"{who}.models: the formula of '{name}'", parse_formula(model.expression), data)
            if (gives is Type.DATE) != (data.schema[name].kind is Kind.DATE):
                raise DataError(
                    f"{who}.models: the formula of '{name}', a {data.schema[name].kind} column, gives a {gives}"
                )


__all__ = [
    "MODELS",
    "ColumnModel",
    "Forest",
    "Formula",
    "Linear",
    "Logistic",
    "Models",
    "Pmm",
    "Resample",
    "Tree",
    "check_models",
]
