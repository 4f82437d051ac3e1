"""Read a specification of tables from YAML, and say everything that is wrong with it at once."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sfumato.documents import OneOf, kind_of
from sfumato.documents.document import Document, KeyPath
from sfumato.documents.loader import Problem
from sfumato.errors import DocumentError, ParameterError, SfumatoError, did_you_mean
from sfumato.table_plan.codes import code_text
from sfumato.table_plan.hierarchies import read_groupings
from sfumato.table_plan.plan import TablePlan
from sfumato.table_plan.sources import read_sources
from sfumato.tables import PROTECTIONS, RULES, Given

WHAT = "specification"
PLAIN = (
    *("value", "weight", "holding", "shadow", "request", "count", "key", "largest", "total", "missing", "tolerance"),
    *("repair", "cost", "insiders", "known_within", "seed"),
)
READ_APART = ("data", "cells", "schema", "by", "tables", "hierarchies", "zeros", "rules", "given", "protections")
KEYS = (*READ_APART, *PLAIN)
EXAMPLE_RULE = "- p_percent: 10"
EXAMPLE_GIVEN = "- {where: {region: North}, status: publish}"
EXAMPLE_PROTECTION = "- optimal_suppression: {time_limit: 60}"


def read_table_plan(text: str, folder: Path, name: str = "table") -> TablePlan:
    """Return the plan that a YAML text holds.

    Parameters
    ----------
    text
        The specification.
    folder
        Where the paths in it begin.
    name
        What to call the table where there is one only.
    """
    document = Document.parse(text, WHAT)
    if not isinstance(document.value, Mapping):
        raise DocumentError(
            [f"it must hold keys such as data, by, value and rules; got {kind_of(document.value)}"], WHAT
        )
    problems = [*_wrong_keys(document)]
    content = read_sources(document, folder, name, problems)
    content |= {key: document.value[key] for key in PLAIN if document.value.get(key) is not None}
    content["hierarchies"] = _hierarchies(document, folder, problems)
    content["rules"] = _listed(document, "rules", EXAMPLE_RULE, _read_rule, problems)
    content["given"] = _listed(document, "given", EXAMPLE_GIVEN, _read_given, problems)
    protections = _listed(document, "protections", EXAMPLE_PROTECTION, _read_protection, problems)
    content |= {"protections": protections} if protections else {}
    plan = _plan(document, content, problems)
    if plan is None or problems:
        raise DocumentError([str(problem) for problem in sorted(problems, key=lambda problem: problem.line)], WHAT)
    return plan


def _wrong_keys(document: Document) -> Iterator[Problem]:
    for _, key, line, first in document.repeated_keys():
        yield Problem(line, f"the key '{key}' is already in line {first}; keep one of them")
    for key in document.value:
        if key not in KEYS:
            nearest = did_you_mean(str(key), KEYS) or f"; its keys are {', '.join(KEYS)}"
            yield Problem(document.line((key,)), f"a specification has no key '{key}'{nearest}")


def _hierarchies(document: Document, folder: Path, problems: list[Problem]) -> dict[str, Any]:
    """Return the hierarchies of each dimension; what is wrong with the others is added to `problems`."""
    entries = document.value.get("hierarchies") or {}
    if not isinstance(entries, Mapping):
        sentence = (
            f"'hierarchies' must say one for each dimension, as in '{{region: region.hrc}}'; got {kind_of(entries)}"
        )
        problems.append(Problem(document.line(("hierarchies",)), sentence))
        return {}
    found = {}
    total = code_text(document.value.get("total", "Total"))
    for name, entry in entries.items():
        try:
            found[str(name)] = read_groupings(entry, folder, str(total))
        except ParameterError as error:
            problems.extend(_told(document, ("hierarchies", name), error))
        except SfumatoError as error:
            problems.append(Problem(document.line(("hierarchies", name)), f"hierarchy of '{name}': {error}"))
    return found


def _listed(
    document: Document, key: str, example: str, read: Callable[[Any], Any], problems: list[Problem]
) -> tuple[Any, ...]:
    """Return what the entries of a list ask for; what is wrong with the others is added to `problems`."""
    entries = document.value.get(key)
    if entries is None:
        return ()
    if not isinstance(entries, list):
        sentence = f"'{key}' must be a list, as in '{example}'; got {kind_of(entries)}"
        problems.append(Problem(document.line((key,)), sentence))
        return ()
    items = []
    for number, entry in enumerate(entries):
        try:
            items.append(read(entry))
        except ParameterError as error:
            problems.extend(_told(document, (key, number), error))
    return tuple(items)


def _read_rule(entry: Any) -> Any:
    return OneOf(RULES, noun="rule", example="p_percent: 10", number_alone=True).read_item(entry)


def _read_protection(entry: Any) -> Any:
    return OneOf(PROTECTIONS, noun="protection", example="optimal_suppression: {time_limit: 60}").read_item(entry)


def _read_given(entry: Any) -> Given:
    if not isinstance(entry, Mapping):
        raise ParameterError(
            [f"expected cells and what is decided of them, as in '{EXAMPLE_GIVEN}'; got {kind_of(entry)}"]
        )
    content = {str(key): value for key, value in entry.items()}
    if isinstance(content.get("where"), Mapping):
        content["where"] = {str(name): code_text(code) for name, code in content["where"].items()}
    return Given(**content)


def _plan(document: Document, content: Mapping[str, Any], problems: list[Problem]) -> TablePlan | None:
    try:
        return TablePlan(**content)
    except ParameterError as error:
        for sentence, place in zip(error.problems, error.places, strict=True):
            said = sentence.replace(f"TablePlan.{place[0]}", f"'{place[0]}'") if place else sentence
            problems.append(Problem(document.line(place), said))
        return None


def _told(document: Document, path: KeyPath, error: ParameterError) -> Iterator[Problem]:
    for sentence, place in zip(error.problems, error.places, strict=True):
        yield Problem(document.line((*path, *place)), sentence)
