"""Which improver a command line asks for, and with which parameters."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from sfumato.contracts import Improver
from sfumato.errors import ParameterError, did_you_mean
from sfumato.improve import IMPROVERS, MomentMatching, PostMaskingOptimisation

AUTO = "auto"
FEW_RECORDS = 2_000  # up to here hill climbing comes to an end by its usual number of steps


@dataclass(frozen=True)
class Asked:
    """What the command line says about the improver; none means that it says nothing.

    Parameters
    ----------
    method
        An improver's name, or `auto`.
    columns
        The columns to improve.
    target, target_percent, record_percent, max_steps, keep_groups
        The options of these names.
    settings
        Other parameters, each as `NAME=VALUE`.
    """

    method: str = AUTO
    columns: tuple[str, ...] = ()
    target: float | None = None
    target_percent: float | None = None
    record_percent: float | None = None
    max_steps: int | None = None
    keep_groups: bool = False
    settings: tuple[str, ...] = ()

    @property
    def options(self) -> dict[str, Any]:
        """The options that were given, by their names on the command line."""
        given = {
            "--target": self.target,
            "--target-percent": self.target_percent,
            "--record-percent": self.record_percent,
            "--max-steps": self.max_steps,
            "--keep-groups": self.keep_groups or None,
        }
        return {name: value for name, value in given.items() if value is not None}


def chosen_improver(asked: Asked, numeric: tuple[str, ...], records: int) -> Improver:
    """Return the improver that was asked for; `auto` takes the published one for few records, the fast one for many."""
    settings = dict(_settings(asked.settings))
    improver = _by_records(asked, settings, records) if asked.method == AUTO else _by_name(asked.method)
    problems = [
        f"{option} is not for {improver.name()}, which has no such parameter; it has {', '.join(improver.model_fields)}"
        for option in asked.options
        if parameter_of(option) not in improver.model_fields
    ]
    values = {parameter_of(option): value for option, value in asked.options.items()}
    problems += [
        f"{name} is given twice, with an option and with --set; keep one" for name in values if name in settings
    ]
    if problems:
        raise ParameterError(problems)
    return improver(**{"columns": asked.columns or numeric, **values, **settings})


def parameter_of(option: str) -> str:
    """Return the parameter of an improver that an option stands for.

    Examples
    --------
    >>> parameter_of("--max-steps"), parameter_of("--keep-groups")
    ('max_steps', 'keeps_groups')
    """
    return {"--keep-groups": "keeps_groups"}.get(option, option.removeprefix("--").replace("-", "_"))


def _by_name(name: str) -> type[Improver]:
    if name not in IMPROVERS:
        nearest = did_you_mean(name, IMPROVERS) or f"; the improvers are {', '.join(IMPROVERS)}"
        raise ParameterError([f"--method: there is no improver '{name}'{nearest}"])
    return IMPROVERS[name]


def _by_records(asked: Asked, settings: Mapping[str, Any], records: int) -> type[Improver]:
    """Return the usual improver for so many records, or the other if only that has all parameters that are given."""
    usual: list[type[Improver]] = [PostMaskingOptimisation, MomentMatching]
    ordered = usual if records <= FEW_RECORDS else usual[::-1]
    for improver in ordered:
        wanted = {*settings, *(parameter_of(option) for option in asked.options)}
        if wanted <= set(improver.model_fields):
            return improver
    return ordered[0]


def _settings(written: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    met: set[str] = set()
    for text in written:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ParameterError([f"--set must be NAME=VALUE, as in scale=0.5; got '{text}'"])
        if name in met:
            raise ParameterError([f"--set gives {name} twice; keep one"])
        met.add(name)
        try:
            yield name, yaml.safe_load(value)
        except yaml.YAMLError:
            raise ParameterError([f"--set {name}: the value is not valid YAML; put text into quotes"]) from None
