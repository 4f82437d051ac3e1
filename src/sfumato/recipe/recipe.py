"""A recipe: the steps that mask a file, in order, what improves it, and the seed that makes both repeatable."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, InstanceOf

from sfumato.contracts import Improver, MaskingMethod, Part
from sfumato.contracts.improvement import Improvement
from sfumato.data import Microdata, Schema, role
from sfumato.documents import ListOf, Record, dump, load, load_file
from sfumato.errors import DataError
from sfumato.execution import run_step
from sfumato.execution.threads import usable_threads
from sfumato.files.held_categories import with_held_categories
from sfumato.files.hidden_values import without_hidden_values
from sfumato.masking import DropIdentifiers, Pseudonymise
from sfumato.recipe.checking import improver_name, prepare_data, step_name
from sfumato.recipe.entries import IMPROVER, METHOD, read_schema
from sfumato.recipe.identifier_check import columns_of, exposed_identifiers, may_drop_columns, refuse_identifiers
from sfumato.recipe.real_columns import may_drop_others, real_columns, refuse_real_columns
from sfumato.recipe.reordering import renumber_households, shuffle_records
from sfumato.recipe.seeds import draw_seed, generator
from sfumato.storage.atomic import replace_file

Waiver = Annotated[bool | None, AfterValidator(lambda waived: waived or None)]
"""Gives up a protection of the release; absent from a document unless it is true."""


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
    keep_identifiers
        Whether a release may hold columns with the role identifier; it is refused otherwise.
    keep_order
        Whether released records stay in the order of the original; they are shuffled otherwise.
    keep_households
        Whether released households keep their numbers; they get random ones otherwise.
    keep_categories
        Whether a release lists categories, and labels of codes, that none of its records has, as for a list of codes
        that is public; they are taken out otherwise, since the name of one that was suppressed tells that somebody had
        it.
    keep_real_columns
        Whether a release may hold columns that stayed real beside synthetic ones without being named in `given` or
        `within`; it is refused otherwise, since real values tell whose record it was.

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
    keep_identifiers: Waiver = None
    keep_order: Waiver = None
    keep_households: Waiver = None
    keep_categories: Waiver = None
    keep_real_columns: Waiver = None

    def _repr_html_(self) -> str:
        """Show the steps and their columns; never the seed, which undoes them."""
        from sfumato.display import numbered_list, paragraph, render_notebook

        steps = [f"{type(part).name()}: {_columns_in_words(part)}" for part in self.parts]
        seeded = "The seed is given, and not shown." if self.seed is not None else "Each run draws its own seed."
        return render_notebook([numbered_list(steps), paragraph(seeded)])

    @property
    def parts(self) -> tuple[Part, ...]:
        """The steps, and behind them what improves the masked data, if anything does."""
        return self.steps if self.improve is None else (*self.steps, self.improve)

    def run(
        self,
        data: Microdata,
        *,
        threads: int | None = None,
        on_progress: Callable[[RecipeProgress], None] | None = None,
        on_improvement: Callable[[Improvement], None] | None = None,
        on_remark: Callable[[str], None] | None = None,
    ) -> Microdata:
        """Return the masked data, row by row as the original has them: made to be assessed, not yet to be released.

        `release` makes of them what may leave the house.

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
        on_remark
            Called with each remark of a step on its result, as that it is not certainly the best.
        """
        threads = usable_threads(threads)
        seed = self._draw_seed()
        original = masked = prepare_data(data, self.schema, self.steps, self.improve)
        for number, step in enumerate(self.steps):
            on_block = self._block_callback(on_progress, number)
            try:
                if on_remark is not None:
                    for remark in step.remarks(masked):
                        on_remark(f"{step_name(number, step)}: {remark}")
                if step.reads_original:
                    masked = step.mask_beside(original, masked, generator(seed, number))
                else:
                    masked = run_step(step, masked, seed=seed, step=number, threads=threads, on_block=on_block)
            except DataError as error:
                raise type(error)(f"{step_name(number, step)}: {error}") from error
        if self.improve is None:
            return masked
        improvement = self._run_improver(self.improve, original, masked, seed, on_progress)
        if on_improvement is not None:
            on_improvement(improvement)
        return improvement.data

    def release(self, masked: Microdata, release_key: int | None = None) -> Microdata:
        """Return the masked data as they may leave the house: in random order, households renumbered at random.

        Categories that no record has are listed nowhere. Each record keeps its row id, so that `assess` still knows
        which original it came from. Identifiers that no
        step drops or replaces by pseudonyms are refused, and so are columns that stayed real beside synthetic ones.
        Households that were given pseudonyms keep those.

        Parameters
        ----------
        masked
            What `run` gave.
        release_key
            Where the draws of order and numbers begin; drawn from the system when not given. It is not the seed, which
            may be in a recipe that others read, or short enough to be found by trying.
        """
        self.check_release(masked.schema)
        key = draw_seed() if release_key is None else release_key
        renumbered = renumber_households(masked, self.renumbered_columns(masked.schema), key)
        ordered = renumbered if self.keep_order else shuffle_records(renumbered, key)
        shown = ordered.with_frame(without_hidden_values(ordered.frame))
        return shown if self.keep_categories else with_held_categories(shown)

    def check_release(self, schema: Schema) -> None:
        """Refuse to release masked data with identifiers, or with columns that stayed real beside synthetic ones."""
        if not self.keep_identifiers:
            refuse_identifiers(exposed_identifiers(schema, self.steps))
        refuse_real_columns(self.real_columns(schema))

    def refuse_release(self, schema: Schema) -> None:
        """Refuse, before the steps are run, a file of which identifiers or real columns could then not be released."""
        known = [variable for variable in self.schema.variables if variable.name in schema] if self.schema else []
        described = schema.with_variables(*known)
        if not self.keep_identifiers and not may_drop_columns(self.steps):
            refuse_identifiers(exposed_identifiers(described, self.steps))
        if not may_drop_others(self.steps):
            refuse_real_columns(self.real_columns(described))

    def real_columns(self, schema: Schema) -> tuple[str, ...]:
        """Return the columns of a file that would stay real beside synthetic ones and that the recipe does not name."""
        return () if self.keep_real_columns else real_columns(schema, self.steps)

    def without_identifiers(self, schema: Schema) -> Self:
        """Return the recipe with a last step that drops the identifiers of the file which no step hides."""
        exposed = exposed_identifiers(schema, self.steps)
        return self.replace(steps=(*self.steps, DropIdentifiers(columns=exposed))) if exposed else self

    def renumbered_columns(self, schema: Schema) -> tuple[str, ...]:
        """Return the columns of household numbers that get other numbers on release."""
        kept = schema.names if self.keep_households else columns_of(schema, self.steps, Pseudonymise)
        return tuple(name for name in schema.select(role("household")) if name not in kept)

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
        names = [part.name() for part in self.parts]
        return lambda block, blocks: on_progress(RecipeProgress(number + 1, len(names), names[number], block, blocks))


def _columns_in_words(part: Part) -> str:
    return ", ".join(part.columns) if isinstance(part.columns, tuple) else str(part.columns)
