"""Run many candidates over one file and assess each: plan, run, collect."""

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from sfumato.assessment.symbols import symbols_of
from sfumato.contracts import MaskingMethod, Measure
from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError, UnknownColumnError
from sfumato.recipe import Recipe
from sfumato.recipe.seeds import draw_seed
from sfumato.scores import Score
from sfumato.study.candidate import Result
from sfumato.study.figures import Outcome, add_scores, score_problems
from sfumato.study.labels import family_of, labels_of
from sfumato.study.progress import progress_of
from sfumato.study.result_store import ResultStore
from sfumato.study.results import Study
from sfumato.study.run_plan import Run, plan_runs
from sfumato.study.workers import Task, run_all


def compare(
    data: Microdata,
    candidates: Iterable[Recipe | MaskingMethod] | Mapping[str, Recipe | MaskingMethod],
    *,
    replications: int = 1,
    seed: int | None = None,
    measures: Sequence[Measure] | None = None,
    scores: Sequence[Score] | None = None,
    outliers: bool = False,
    keep: str | Path | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Mask the file by each candidate, measure risk and loss, and return all figures.

    A run that fails is in the study with its error and stops no other. Ctrl-C ends the study early: what is done by
    then is returned, and `Study.unfinished` tells how many runs are missing.

    Parameters
    ----------
    data
        The records to mask.
    candidates
        Recipes or single methods, or a mapping of labels to them. The seeds of recipes are not used.
    replications
        How often each candidate is run, each time with another seed.
    seed
        Where the seeds of all runs come from; drawn when not given. The seed of a run depends on this one, on its
        recipe and on its number among the runs of that recipe: on nothing else, so that neither the number of workers
        nor candidates that come, go or change places change any figure.
    measures, scores
        What to measure and how to combine it; see `assess` for what is taken when none are given. Where distance
        linkage (DLD) and interval disclosure (ID) are measured, their mean is the disclosure risk DR.
    outliers
        Tell the figures of the outliers apart, as `assess` does: `DLD_outliers` beside `DLD`.
    keep
        A folder in which every finished run is kept at once. A study that was interrupted, or that has more candidates
        or replications now, takes from it the runs that it finds there, and `Study.reused` tells how many. Runs of
        other data, recipes, seeds or measures are kept apart. It holds figures, never a record. A study without a seed
        takes the one that was drawn for the folder.
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
    check_arguments("compare", data, {"replications": (replications, 1), "seed": (seed, 0), "workers": (workers, 1)})
    recipes = _label_recipes(candidates)
    _check_questions(data, measures, scores)
    # 1. What there is to run, and what of it is done already.
    kept = None if keep is None else ResultStore.open(Path(keep), data, measures, outliers=outliers)
    seed = _seed_of(kept) if seed is None else seed
    runs = plan_runs(recipes, replications, seed)
    found = {} if kept is None else {n: done for n, run in enumerate(runs) if (done := kept.load(run)) is not None}
    reused = len(found)
    # 2. The others, each candidate once before any is run again: a study that is stopped early then has them all.
    waiting = sorted((n for n in range(len(runs)) if n not in found), key=lambda n: runs[n].replication)
    task = Task(measures=None if measures is None else tuple(measures), outliers=outliers)
    try:
        with (
            progress_of(len(runs), done=reused, show=progress, on_progress=on_progress) as one_done,
            closing(_outcomes([runs[n] for n in waiting], data, task, workers)) as ready,
        ):
            for position, outcome in ready:
                number = waiting[position]
                found[number] = outcome
                if kept is not None:
                    kept.save(runs[number], outcome)
                one_done()
    except KeyboardInterrupt:
        if not found:
            raise
        if kept is not None:  # the last one may have been stopped while it was written
            kept.save(runs[next(reversed(found))], found[next(reversed(found))])
    # 3. All of it together.
    return build_study(runs, {n: add_scores(found[n], scores) for n in sorted(found)}, seed, reused)


def _outcomes(runs: Sequence[Run], data: Microdata, task: Task, workers: int | None) -> Generator[tuple[int, Outcome]]:
    """Yield the outcomes of runs that are shared out among as many processes as are of use."""
    processes, threads = share_cores(workers, len(runs))
    yield from run_all(runs, data, replace(task, threads=threads), processes)


def _seed_of(kept: ResultStore | None) -> int:
    return draw_seed() if kept is None else kept.seed(draw_seed())


def build_study(runs: Sequence[Run], found: Mapping[int, Outcome], seed: int, reused: int) -> Study:
    """Return the study of what came of some of the runs, by their numbers."""
    results = tuple(
        Result(
            candidate=runs[number].candidate,
            family=family_of(runs[number].recipe),
            recipe=runs[number].recipe,
            replication=runs[number].replication,
            seed=runs[number].seed,
            values=outcome.values,
            error=outcome.error,
        )
        for number, outcome in found.items()
    )
    titles = {symbol: title for outcome in found.values() for symbol, title in outcome.titles.items()}
    return Study(results, seed, titles, unfinished=len(runs) - len(results), reused=reused)


def _label_recipes(
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


def check_arguments(
    who: str, data: Microdata, numbers: Mapping[str, tuple[int | None, int]], others: Sequence[str] = ()
) -> None:
    """Refuse data that are no microdata, and numbers that are no whole numbers from their least value on.

    `others` are problems of other arguments, to be raised together with these.
    """
    if not isinstance(data, Microdata):
        raise DataError(f"{who} needs Microdata; got a {type(data).__name__}: wrap it, as in Microdata(frame)")
    problems = [
        f"{who}.{name} must be a whole number in [{least}, inf); got {value!r}"
        for name, (value, least) in numbers.items()
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < least)
    ]
    if problems or others:
        raise ParameterError([*problems, *others])


def share_cores(workers: int | None, pieces: int) -> tuple[int, int]:
    """Return how many processes are of use for so many pieces of work, and how many threads each of them gets."""
    from joblib import cpu_count

    cores = cpu_count()
    processes = max(1, min(workers or cores, pieces))
    return processes, max(1, cores // processes)


def _check_questions(data: Microdata, measures: Sequence[Measure] | None, scores: Sequence[Score] | None) -> None:
    """Refuse before the first run what would make every run fail: unknown columns, scores that cannot be made."""
    if measures is None:
        return
    if not measures:
        raise ParameterError(["compare.measures must hold at least one measure; leave it out for the usual ones"])
    for measure in measures:
        try:
            data.select(measure.columns)
        except UnknownColumnError as error:
            raise UnknownColumnError(f"{type(measure).__name__}.columns: {error}") from None
    problems = score_problems(symbols_of(measures), scores or ())
    if problems:
        raise ParameterError(problems)
