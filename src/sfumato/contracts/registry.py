"""Visible tables of classes by name, which classes of other packages join when they are looked up."""

import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from itertools import chain
from typing import Any, Generic, TypeVar

from sfumato.contracts.conformance import contract_problems
from sfumato.contracts.improvers import Improver
from sfumato.contracts.late_names import load_class_of_file
from sfumato.contracts.measures import LossMeasure, Measure, RiskMeasure
from sfumato.contracts.methods import MaskingMethod
from sfumato.contracts.named import ColumnRecord
from sfumato.errors import PluginError, PluginWarning

Listed = TypeVar("Listed", bound=ColumnRecord)

GROUPS: dict[type[ColumnRecord], str] = {
    MaskingMethod: "sfumato.methods",
    RiskMeasure: "sfumato.measures",
    LossMeasure: "sfumato.measures",
    Improver: "sfumato.improvers",
}
"""The group of entry points by which an installed package offers classes of a contract."""

THIS_SESSION = "sf.register"  # the origin of a class that no package offers


class Registry(Mapping[str, type[Listed]], Generic[Listed]):
    """The classes of one contract by their names in recipes: Sfumato's own, and those that joined them.

    A class joins by `sf.register`, or by an entry point of an installed package. Entry points are loaded when a name
    that is not Sfumato's own is looked up, or when the table is listed; never before. One that is broken is an error
    for whoever asks for it by name; a listing leaves it out with a warning.

    Parameters
    ----------
    contract
        The class that all of them inherit from.
    own
        The modules of Sfumato's own classes by their names in recipes. One is loaded when its name is looked up.
    """

    def __init__(self, contract: type[Listed], own: Mapping[str, str]) -> None:
        self.contract = contract
        self._own = own
        self._loaded: dict[str, type[Listed]] = {}
        self._joined: dict[str, type[Listed]] = {}
        self._origins: dict[str, str] = {}
        self._refused: dict[str, str] = {}
        TABLES.append(self)

    def __getitem__(self, name: str) -> type[Listed]:
        if name in self._own:
            if name not in self._loaded:
                self._loaded[name] = load_class_of_file(self._own[name])
            return self._loaded[name]
        if name not in self._joined:
            self._join_installed(name)
        return self._joined[name]

    def __contains__(self, name: object) -> bool:
        return name in self._own or super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        for name in installed(GROUPS[self.contract]):
            try:
                self._join_installed(name)
            except PluginError as error:
                warnings.warn(PluginWarning(str(error)), stacklevel=2)
        return iter([*self._own, *self._joined])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @property
    def held(self) -> dict[str, type[Listed]]:
        """Sfumato's own classes and those that joined so far; no package is asked for more."""
        return {name: self[name] for name in self._own} | self._joined

    def origin(self, record: type[ColumnRecord]) -> str:
        """Return the package and version that a class of the table came from; nothing for Sfumato's own."""
        return self._origins.get(record.name(), "")

    def add(self, record: type[Listed]) -> None:
        """Let a class join for this session; the same class, defined again in a notebook, replaces itself."""
        known = self.get(record.name())
        if known is not record or record.name() in self._own:
            is_redefined = self._origins.get(record.name()) == THIS_SESSION and _place(known) == _place(record)
            check_unique(record, record.__name__, instead_of=known if is_redefined else None)
            self._join(record, THIS_SESSION)

    def _join(self, record: type[Listed], origin: str) -> None:
        self._joined[record.name()] = record
        self._origins[record.name()] = origin

    def _join_installed(self, name: str) -> None:
        """Let the class that a package offers by a name join, if it is of this contract."""
        group = GROUPS[self.contract]
        offers = installed(group).get(name, ())
        if not offers or name in self._joined:
            return
        if name in self._refused:
            raise PluginError(self._refused[name])
        try:
            record = load_class(name, offers, tuple(one for one in GROUPS if GROUPS[one] == group))
            if issubclass(record, self.contract):
                check_unique(record, _who(name, offers))
                self._join(record, package_of(offers[0]))
        except PluginError as error:
            self._refused[name] = str(error)
            raise


class JoinedTables(Mapping[str, type[Listed]], Generic[Listed]):
    """Several tables looked at as one; what joins one of them later is here too."""

    def __init__(self, *tables: Mapping[str, type[Listed]]) -> None:
        self._tables = tables

    def __getitem__(self, name: str) -> type[Listed]:
        for table in self._tables:
            if name in table:
                return table[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._tables)

    def __len__(self) -> int:
        return sum(map(len, self._tables))


TABLES: list[Registry[Any]] = []
"""All tables that there are; a name or a symbol is given once among them."""


@cache
def installed(group: str) -> Mapping[str, tuple[EntryPoint, ...]]:
    """Return what installed packages offer in a group by name, from their metadata; nothing of theirs is run."""
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for entry in sorted(entry_points(group=group), key=package_of):
        found[entry.name] = (*found.get(entry.name, ()), entry)
    return found


def package_of(entry: EntryPoint) -> str:
    """Return the name and version of the package that offers a class."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.module


def load_class(
    name: str, offers: tuple[EntryPoint, ...], contracts: tuple[type[ColumnRecord], ...]
) -> type[ColumnRecord]:
    """Return the class that one package offers by a name; a PluginError says what is wrong with it."""
    who = _who(name, offers)
    record: type[ColumnRecord] = load_offer(name, offers)
    problems = contract_problems(record, contracts)
    if not problems and record.name() != name:
        problems = [f"must have the entry point '{record.name()}', which is its name in recipes"]
    if problems:
        raise PluginError(f"{who} breaks the contract: it {'; it '.join(problems)}")
    return record


def load_offer(name: str, offers: tuple[EntryPoint, ...]) -> Any:
    """Return what one package offers by a name, whatever it is; a PluginError says why it cannot be had."""
    who = _who(name, offers)
    if len(offers) > 1:
        raise PluginError(f"{who} cannot be distinguished; uninstall all of these packages but one")
    try:
        return offers[0].load()
    except Exception as error:  # whatever another package raises while it is imported
        raise PluginError(
            f"{who} cannot be loaded: {type(error).__name__}: {error}; repair or uninstall the package"
        ) from error


def check_unique(record: type[ColumnRecord], who: str, instead_of: type[ColumnRecord] | None = None) -> None:
    """Refuse a class whose name or symbol another class has."""
    others = [other for table in TABLES for other in table.held.values() if other is not instead_of]
    for other in others:
        if other.name() == record.name():
            raise PluginError(f"{who} is refused: the name {other.name()} is taken; give the class another")
    for symbol in _symbols(record):
        for other in others:
            if symbol in _symbols(other):
                raise PluginError(f"{who} is refused: its symbol '{symbol}' is that of {other.name()}; choose another")


def _symbols(record: type[ColumnRecord]) -> tuple[str, ...]:
    return (record.symbol, *record.part_symbols) if issubclass(record, Measure) else ()


def _place(record: type[ColumnRecord] | None) -> tuple[str, str] | None:
    return None if record is None else (record.__module__, record.__qualname__)


def _who(name: str, offers: tuple[EntryPoint, ...]) -> str:
    packages = "the package" if len(offers) == 1 else "the packages"
    return f"'{name}' of {packages} {' and '.join(map(package_of, offers))}"
