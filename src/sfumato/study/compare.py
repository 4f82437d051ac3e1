"""Run many candidates over one file and assess each: plan, run, collect."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing

import numpy as np

from sfumato.contracts import MaskingMethod, Measure
from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.recipe import Recipe
from sfumato.scores import Score
from sfumato.study.labels import family_of, labels_of
from sfumato.study.progress import progress_of
from sfumato.study.results import Result, Study
from sfumato.study.running import Outcome, Run, Task, outcomes

SEED_BITS = 128
RUN_SEED_BITS = 63  # a run's seed fits the integers of dataframes and files


def compare(
    data: Microdata,
    candidates: Iterable[Recipe | MaskingMethod] | Mapping[str, Recipe | MaskingMethod],
    *,
    replications: int = 1,
    seed: int | None = None,
    measures: Sequence[Measure] | None = None,
    scores: Sequence[Score] | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Mask the file by each candidate, measure risk and loss, and return all figures.

    A run that fails is kept in the study with its error and stops no other.

    Parameters
    ----------
    data
        The records to mask.
    candidates
        Recipes or single methods, or a mapping of labels to them. The seeds of recipes are not used.
    replications
        How often each candidate is run, each time with another seed.
    seed
        Where the seeds of all runs come from; drawn when not given. Run r of candidate c takes its seed from
        `SeedSequence(seed, spawn_key=(c, r))`: the figures do not depend on the number of workers, and a candidate
        added at the end changes nothing before it.
    measures, scores
        What to measure and how to combine it; see `assess` for what is taken when none are given. Where distance
        linkage (DLD) and interval disclosure (ID) are measured, their mean is the disclosure risk DR.
    workers
        How many processes to use; as many as this process has cores, when not given. Each holds a copy of the data.
    progress
        Show a progress bar on standard error; only on a terminal, when not given.
    on_progress
        Called with the number of runs done and their total after each run.

    Examples
    --------
    >>> import polars
    >>> from sfumato.masking import RankSwapping
    >>> people = Microdata(polars.DataFrame({"age": [20.0 + i for i in range(60)], "tax": [i**1.5 for i in range(60)]}))
    >>> swappings = [RankSwapping(columns=("age", "tax"), window=window) for window in (5, 20)]
    >>> study = compare(people, swappings, replications=2, seed=7, workers=1)
    >>> study.best(by="DR").label
    'rank swapping 20'
    """
    from joblib import cpu_count

    _check(data, replications, seed, workers)
    recipes = _labelled(candidates)
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    runs = planned(recipes, replications, seed)
    cores = cpu_count()
    workers = min(workers or cores, len(runs))
    task = Task(
        measures=None if measures is None else tuple(measures),
        scores=None if scores is None else tuple(scores),
        threads=max(1, cores // workers),
    )
    found: dict[int, Outcome] = {}
    with (
        progress_of(len(runs), shown=progress, told=on_progress) as one_done,
        closing(outcomes(runs, data, task, workers)) as ready,
    ):
        for number, outcome in ready:
            found[number] = outcome
            one_done()
    return _collected(runs, [found[number] for number in range(len(runs))], seed)


def planned(recipes: Mapping[str, Recipe], replications: int, seed: int) -> list[Run]:
    """Return the runs, by candidate and replication, each with its own seed."""
    return [
        _run(label, recipe, replication, run_seed(seed, candidate, replication))
        for candidate, (label, recipe) in enumerate(recipes.items())
        for replication in range(replications)
    ]


def _run(label: str, recipe: Recipe, replication: int, seed: int) -> Run:
    return Run(label, recipe.replace(seed=seed), replication, seed)


def run_seed(seed: int, candidate: int, replication: int) -> int:
    """Return the seed of one run of one candidate, both counted from 0."""
    state = np.random.SeedSequence(seed, spawn_key=(candidate, replication)).generate_state(1, np.uint64)
    return int(state[0]) >> (64 - RUN_SEED_BITS)


def _collected(runs: Sequence[Run], outcomes: Sequence[Outcome], seed: int) -> Study:
    results = tuple(
        Result(
            candidate=run.candidate,
            family=family_of(run.recipe),
            recipe=run.recipe,
            replication=run.replication,
            seed=run.seed,
            values=outcome.values,
            error=outcome.error,
        )
        for run, outcome in zip(runs, outcomes, strict=True)
    )
    titles = {symbol: title for outcome in outcomes for symbol, title in outcome.titles.items()}
    return Study(results, seed, titles)


def _labelled(
    candidates: Iterable[Recipe | MaskingMethod] | Mapping[str, Recipe | MaskingMethod],
) -> dict[str, Recipe]:
    """Return the candidates as recipes under the labels given, or made from what tells them apart."""
    if isinstance(candidates, Recipe | MaskingMethod | str) or not isinstance(candidates, Iterable):
        what = f"a single {type(candidates).__name__}"  # a record is iterable, but its fields are no candidates
        raise ParameterError([f"compare.candidates must be a list of recipes or methods, or a mapping; got {what}"])
    if isinstance(candidates, Mapping):
        if not all(isinstance(label, str) and label for label in candidates):
            raise ParameterError(["compare.candidates must have labels that are text; rename them"])
        recipes = {label: _as_recipe(candidate, repr(label)) for label, candidate in candidates.items()}
    else:
        found = [_as_recipe(candidate, str(number)) for number, candidate in enumerate(candidates, start=1)]
        recipes = dict(zip(labels_of(found), found, strict=True))
    if not recipes:
        raise ParameterError(["compare.candidates must hold at least one recipe or method; got none"])
    return recipes


def _as_recipe(candidate: object, which: str) -> Recipe:
    if isinstance(candidate, Recipe):
        return candidate
    if isinstance(candidate, MaskingMethod):
        return Recipe(steps=(candidate,))
    raise ParameterError([f"candidate {which} must be a recipe or a masking method; got a {type(candidate).__name__}"])


def _check(data: Microdata, replications: int, seed: int | None, workers: int | None) -> None:
    if not isinstance(data, Microdata):
        raise DataError(f"compare needs Microdata; got a {type(data).__name__}: wrap it, as in Microdata(frame)")
    problems = [
        f"compare.{name} must be a whole number in [{least}, inf); got {value!r}"
        for name, value, least in (("replications", replications, 1), ("seed", seed, 0), ("workers", workers, 1))
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least)
    ]
    if problems:
        raise ParameterError(problems)
