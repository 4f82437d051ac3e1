"""What a recipe is refused for before it runs, and what not."""

import polars as pl

from sfumato.data import Microdata
from sfumato.masking import DropIdentifiers
from sfumato.recipe import Recipe


def test_a_column_without_a_value_can_be_dropped() -> None:
    people = Microdata(pl.DataFrame({"age": [31, 45], "passport": pl.Series([None, None], dtype=pl.String)}))
    dropped = Recipe(steps=[DropIdentifiers(columns=("passport",))], seed=1).run(people)
    assert dropped.frame.columns == ["age"]
