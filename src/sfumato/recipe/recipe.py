"""A recipe: the steps that mask a file, in order, what improves it, and the seed that makes both repeatable."""

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, InstanceOf

from sfumato.contracts import Improver, MaskingMethod
from sfumato.contracts.improvement import Improvement
from sfumato.data import Microdata, Schema
from sfumato.documents import ListOf, Record, dump, load, load_file
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.recipe.checking import improver_name, prepare_data, step_name
from sfumato.recipe.entries import IMPROVER, METHOD, read_schema
from sfumato.recipe.seeds import draw_seed, generator
from sfumato.storage.atomic import replace_file


@dataclass(frozen=True)
class RecipeProgress:
    """How far a run has come: `block` of `blocks` are done in step number `step` of `steps`, counted from 1.

    What improves the masked data counts as one more step, of one block.
    """

    step: int
    steps: int
    name: str
    block: int
    blocks: int


with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message='Field name "schema"')  # pydantic has a retired method of that name

    class _Describing(Record):
        seed: int | None = Field(default=None, ge=0, repr=False)
        schema: Annotated[Schema | None, BeforeValidator(read_schema)] = None  # type: ignore[assignment]


class Recipe(_Describing):
    """Masking methods to apply one after the other, and what improves the masked data in the end.

    Parameters
    ----------
    steps
        The methods, first one first; at least one.
    improve
        What changes the masked data after the last step, so that they serve their users better; it sees the data from
        before the first step too. It changes nothing in what the steps draw.
    seed
        Where the random draws begin. The same recipe, seed and data give the same bytes on any number of threads, and a
        step added at the end changes nothing before it. Without a seed each run draws its own.
    schema
        What some or all columns are and are for; goes before what the data say of themselves.

    Examples
    --------
    >>> import polars
    >>> from sfumato.masking import TopCoding
    >>> recipe = Recipe(steps=[TopCoding(columns=("age",), at=90)], seed=7)
    >>> recipe.run(Microdata(polars.DataFrame({"age": [31.0, 99.0, 87.0]}))).frame["age"].to_list()
    [31.0, 90.0, 87.0]
    >>> print(recipe.to_yaml())
    seed: 7
    steps:
    - top_coding:
        columns: [age]
        at: 90.0
    """

    steps: Annotated[tuple[InstanceOf[MaskingMethod], ...], ListOf(METHOD)]
    improve: Annotated[InstanceOf[Improver] | None, IMPROVER] = None

    def run(
        self,
        data: Microdata,
        *,
        threads: int | None = None,
        on_progress: Callable[[RecipeProgress], None] | None = None,
        on_improvement: Callable[[Improvement], None] | None = None,
    ) -> Microdata:
        """Return the masked data.

        Parameters
        ----------
        data
            The records to mask; they stay as they are.
        threads
            How many threads to use; as many as this process may, when not given. The result does not depend on it.
        on_progress
            Called after each block, from the thread that masked it, and before and after the improving.
        on_improvement
            Called with what came of the improving, if the recipe has an improver: its remarks must be read, as that
            the groups of a microaggregated file were broken.
        """
        threads = _usable_threads(threads)
        seed = self._draw_seed()
        original = masked = prepare_data(data, self.schema, self.steps, self.improve)
        for number, step in enumerate(self.steps):
            on_block = self._block_callback(on_progress, number)
            try:
                masked = run_step(step, masked, seed=seed, step=number, threads=threads, on_block=on_block)
            except DataError as error:
                raise type(error)(f"{step_name(number, step)}: {error}") from error
        if self.improve is None:
            return masked
        improvement = self._run_improver(self.improve, original, masked, seed, on_progress)
        if on_improvement is not None:
            on_improvement(improvement)
        return improvement.data

    def with_seed(self) -> Self:
        """Return the recipe with a seed: its own, or one drawn from the system."""
        return self.replace(seed=self._draw_seed())

    @classmethod
    def from_yaml(cls, text: str, folder: str | Path | None = None) -> Self:
        """Read a recipe from YAML; the path of a schema file begins at `folder`, else at the current folder."""
        return load(text, cls, "recipe", folder or ".")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a recipe from a YAML file; the path of a schema file in it begins at the file's own folder."""
        return load_file(path, cls, "recipe")

    def to_yaml(self) -> str:
        """Return the recipe as YAML: the same text for the same recipe, whatever it was read from."""
        return dump(self)

    def save(self, path: str | Path) -> None:
        """Write the recipe as a YAML file, whole or not at all."""
        with replace_file(Path(path)) as unfinished:
            unfinished.write_text(self.to_yaml(), encoding="utf-8", newline="\n")

    def _draw_seed(self) -> int:
        return draw_seed() if self.seed is None else self.seed

    def _run_improver(
        self,
        improver: Improver,
        original: Microdata,
        masked: Microdata,
        seed: int,
        on_progress: Callable[[RecipeProgress], None] | None,
    ) -> Improvement:
        """Return what the improver makes of the masked data; it draws as the step after the last one would."""
        number = len(self.steps)
        on_block = self._block_callback(on_progress, number) or (lambda block, blocks: None)
        on_block(0, 1)
        try:
            improvement = improver.improve(original, masked, generator(seed, number))
        except DataError as error:
            raise type(error)(f"{improver_name(improver)}: {error}") from error
        on_block(1, 1)
        return improvement

    def _block_callback(
        self, on_progress: Callable[[RecipeProgress], None] | None, number: int
    ) -> Callable[[int, int], None] | None:
        if on_progress is None:
            return None
        names = [part.name() for part in (*self.steps, *((self.improve,) if self.improve is not None else ()))]
        return lambda block, blocks: on_progress(RecipeProgress(number + 1, len(names), names[number], block, blocks))


def _usable_threads(asked: int | None) -> int:
    if asked is not None and asked < 1:
        raise ParameterError([f"threads must be in [1, inf); got {asked}"])
    if asked is not None:
        return asked
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
