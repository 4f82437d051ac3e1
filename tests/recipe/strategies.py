"""Recipes of any shape: every method and improver, any parameters that it allows, any column names."""

from collections.abc import Mapping
from typing import Any, TypeVar

from hypothesis import reject
from hypothesis import strategies as st

from sfumato.contracts import Named
from sfumato.data import Kind, Role, Schema, Variable
from sfumato.errors import ParameterError
from sfumato.improve import IMPROVERS
from sfumato.masking import METHODS
from sfumato.recipe import Recipe

Listed = TypeVar("Listed", bound=Named)

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
codes = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), names)
selections = st.one_of(
    st.lists(names, min_size=1, max_size=4, unique=True),
    st.sampled_from(["numeric", "categorical", "role(key)"]),
)
POOLS: list[tuple[Any, st.SearchStrategy[Any]]] = [  # a value that stands for the others, and all of them
    ("numeric", selections),
    (0.5, st.floats(0, 1, exclude_min=True, exclude_max=True)),
    (3, st.integers(2, 50)),
    (-1e300, st.floats(allow_nan=False, allow_infinity=False)),
    (True, st.booleans()),
    (None, st.none()),
]


def allows(method: type[Named], parameter: str, value: Any) -> bool:
    """Tell whether a method has nothing against a value, whatever it says of the other parameters."""
    try:
        method(**{"columns": ["income"], parameter: value})
    except ParameterError as error:
        return all(place[:1] != (parameter,) for place in error.places)
    return True


@st.composite
def records(draw: st.DrawFn, table: Mapping[str, type[Listed]]) -> Listed:
    method = draw(st.sampled_from(list(table.values())))
    chosen = draw(st.sets(st.sampled_from(sorted(method.model_fields)))) | {"columns"}
    fitting = {name: [pool for sample, pool in POOLS if allows(method, name, sample)] for name in sorted(chosen)}
    try:
        return method(**{name: draw(st.one_of(pools)) for name, pools in fitting.items()})
    except ParameterError:  # the values do not go together
        reject()


variables = st.builds(
    Variable,
    name=names,
    kind=st.sampled_from(Kind),
    role=st.sampled_from(Role),
    label=st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    value_labels=st.dictionaries(codes, names, max_size=3),
    missing_codes=st.lists(codes, max_size=3),
    missing_ranges=st.lists(st.tuples(st.floats(-9, 0), st.floats(0, 9)), max_size=2),
    categories=st.lists(codes, max_size=3, unique=True),
)
schemas = st.lists(variables, max_size=3, unique_by=lambda variable: variable.name).map(
    lambda chosen: Schema(variables=tuple(chosen))
)
recipes = st.builds(
    Recipe,
    steps=st.lists(records(METHODS), min_size=1, max_size=3),
    improve=st.none() | records(IMPROVERS),
    seed=st.none() | st.integers(0, 2**128),
    schema=st.none() | schemas,
    keep_identifiers=st.booleans(),
    keep_order=st.booleans(),
    keep_households=st.booleans(),
    keep_real_columns=st.booleans(),
)
