"""Choose candidates by what the earlier ones gave: Optuna's samplers, asked the same way on any machine."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from sfumato.errors import SfumatoError
from sfumato.storage.digests import text_sha256
from sfumato.study.labels import is_number
from sfumato.study.search.interval import Interval
from sfumato.study.search.space import Dimension, Entry, Space

MAX_GRID_CANDIDATES = 100  # a space of so many candidates is tried whole
MAX_FIRST_ENTRIES = 12  # so many are each tried once before the sampler chooses among them
MIN_RANDOM, MAX_RANDOM = 10, 40  # trials before the sampler looks at what was found
POPULATION = 16
ENTRY = "entry"
Options = Sequence[str]


class Sampler:
    """Proposes candidates of a space, by TPE for one figure and by NSGA-II for two.

    What it proposes depends on the seed, the number of the trial and what the trials before gave, and on nothing else.
    A small space is proposed whole, in an order that the seed draws.
    """

    def __init__(self, space: Space, seed: int, figures: int) -> None:
        self.space, self.seed, self.figures = space, seed, figures
        self.whole = _whole(space, seed) if space.count is not None and space.count <= MAX_GRID_CANDIDATES else None
        with quiet():
            self.study = _optuna().create_study(directions=["minimize"] * figures)

    @property
    def max_trials(self) -> int | None:
        """How many trials there can be; none when there is no end to them."""
        return None if self.whole is None else len(self.whole)

    def ask(self, number: int) -> Any:
        """Return the trial of a number, with its parameters."""
        fixed = self._fixed(number)
        with quiet():
            self.study.sampler = self._sampler(number)
            if fixed:
                self.study.enqueue_trial(fixed)
            trial = self.study.ask()
            self.choose(trial)
        return trial

    def choose(self, trial: Any) -> tuple[Entry, dict[str, Any]]:
        """Return the entry and the values that a trial stands for; what it does not know yet is drawn."""
        if self.figures == 1:
            entry = descend(self.space, lambda name, options: trial.suggest_categorical(name, _numbers(options)))
            return entry, {key: suggest(trial, key, dimension) for key, dimension in entry.dimensions.items()}
        # genes that the entry does not use stay in the parents' pool: NSGA-II crosses only what all of them have
        entry = self.space.entries[trial.suggest_categorical(ENTRY, _numbers(self.space.entries))]
        values = {key: suggest(trial, key, dimension) for key, dimension in self.space.dimensions.items()}
        return entry, values

    def read(self, trial: Any) -> Any:
        """Return a trial that knows its parameters: one that was kept cannot be asked for others."""
        optuna = _optuna()
        return optuna.trial.FixedTrial(trial.params) if isinstance(trial, optuna.trial.FrozenTrial) else trial

    def tell(self, trial: Any, figures: Sequence[float], excess: Sequence[float]) -> Any:
        """Tell what a trial gave: its figures, and by how much it is above each limit; return it as it is kept."""
        with quiet():
            if isinstance(trial, _optuna().trial.FrozenTrial):
                self.study.add_trial(trial)
                return trial
            for number, value in enumerate(excess):
                trial.set_constraint(str(number), value)
            return self.study.tell(trial, list(figures))

    def _fixed(self, number: int) -> dict[str, Any]:
        """Return the parameters of a trial that are not left to the sampler."""
        if self.whole is not None:
            entry, numbers = self.whole[number]
            fixed = {key: _raw(entry.dimensions[key], place) for key, place in numbers.items()}
        elif number < len(self.space.entries) <= MAX_FIRST_ENTRIES:
            entry, fixed = self.space.entries[number], {}
        else:
            return {}
        if self.figures > 1:
            return {ENTRY: self.space.entries.index(entry), **fixed}
        return {**path_to(self.space, entry), **fixed}

    def _sampler(self, number: int) -> Any:
        state = np.random.SeedSequence(self.seed, spawn_key=(number,)).generate_state(1)
        if self.figures > 1:
            return _optuna().samplers.NSGAIISampler(seed=int(state[0]), population_size=POPULATION)
        random = min(max(2 * len(self.space.entries), MIN_RANDOM), MAX_RANDOM)
        return _optuna().samplers.TPESampler(
            seed=int(state[0]), n_startup_trials=random, multivariate=False, constant_liar=True
        )


def descend(space: Space, choose: Callable[[str, Options], int]) -> Entry:
    """Return the entry that is reached by choosing its parts one after the other.

    A choice among the same parts has the same name wherever it stands, so that what is learnt about it is learnt once.
    """
    left, depth = list(space.entries), 0
    while len(left) > 1:
        options = list(dict.fromkeys(_text(entry, depth) for entry in left))
        if len(options) > 1:
            name = f"part {depth + 1} of {text_sha256(repr(options))[:8]}"
            chosen = options[choose(name, options)]
            left = [entry for entry in left if _text(entry, depth) == chosen]
        depth += 1
    return left[0]


def path_to(space: Space, entry: Entry) -> dict[str, int]:
    """Return the choices that lead to an entry, by their names."""
    path: dict[str, int] = {}

    def choose(name: str, options: Options) -> int:
        path[name] = options.index(_text(entry, int(name.split()[1]) - 1))
        return path[name]

    descend(space, choose)
    return path


def suggest(trial: Any, key: str, dimension: Dimension) -> Any:
    """Return the value of an open parameter in a trial."""
    values = dimension.values
    if not isinstance(values, Interval):
        in_order = all(map(is_number, values)) and list(values) == sorted(values)
        number = trial.suggest_int(key, 0, len(values) - 1) if in_order else None
        return values[trial.suggest_categorical(key, _numbers(values)) if number is None else number]
    low, high = dimension.ends
    if dimension.is_whole:
        return trial.suggest_int(key, low, high, log=values.logarithmic)
    return values.round_inside(trial.suggest_float(key, low, high, log=values.logarithmic))


@contextmanager
def quiet() -> Iterator[None]:
    """Keep Optuna from logging and from warning of what it calls experimental; the user's settings come back."""
    logging = _optuna().logging
    before = logging.get_verbosity()
    logging.set_verbosity(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(before)


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise SfumatoError("a search needs Optuna, which is not installed; pip install optuna") from None
    return optuna


def _whole(space: Space, seed: int) -> list[tuple[Entry, dict[str, int]]]:
    every = list(space.all_values())
    return [every[place] for place in np.random.default_rng(np.random.SeedSequence(seed)).permutation(len(every))]


def _raw(dimension: Dimension, number: int) -> Any:
    """Return what a trial stores for a value: itself in an interval, its number in a grid."""
    return dimension.value(number) if isinstance(dimension.values, Interval) else number


def _numbers(options: Sequence[Any]) -> list[int]:
    return list(range(len(options)))


def _text(entry: Entry, depth: int) -> str:
    return entry.parts[depth].text if depth < len(entry.parts) else ""
