"""`sfumato describe`: what a file holds, without showing a record."""

from pathlib import Path
from typing import Any

from sfumato.cli.console import messages, print_json, results, table
from sfumato.data import Kind, Microdata, Role
from sfumato.errors import FileError
from sfumato.storage.atomic import write_text

MOST_CATEGORIES = 6
FEWEST_TO_NAME = 3  # a category of one or two records would show them
FEWEST_TO_AVERAGE = 20  # a quartile of a handful of records is one of them
NAMING_ROLES = {Role.IDENTIFIER, Role.HOUSEHOLD}  # their values point at people, so they are only counted


def run_describe(data: Microdata, name: str, *, write_schema: Path | None, as_json: bool) -> None:
    """Show the description of a file, and write its schema if asked."""
    if write_schema is not None:
        if write_schema.suffix.lower() not in (".yaml", ".yml"):
            raise FileError(
                f"a schema is written as YAML; got '{write_schema.name}': give it a name that ends in .yaml"
            )
        write_text(write_schema, data.schema.to_yaml())
        messages().print(f"schema written to {write_schema}", markup=False)
    description = described(data, name)
    if as_json:
        print_json(description)
    else:
        show(description)


def described(data: Microdata, name: str) -> dict[str, Any]:
    """Return what is known of each column: never a single record's values, so no smallest and no largest value."""
    return {"file": name, "records": data.n, "columns": [_column(data, column) for column in data.schema.names]}


def show(description: dict[str, Any]) -> None:
    """Print a description as a table."""
    columns = ("column", "kind", "role", "missing", "what it holds", "label")
    made = table(
        f"{description['file']}: {description['records']:,} records, {len(description['columns'])} columns",
        *columns,
        numbers=("missing",),
    )
    for entry in description["columns"]:
        share = entry["missing"] / max(description["records"], 1)
        made.add_row(
            entry["name"],
            entry["kind"],
            entry["role"],
            f"{100 * share:.1f} %" if entry["missing"] else "",
            _content(entry),
            entry["label"],
        )
    results().print(made)


def _column(data: Microdata, name: str) -> dict[str, Any]:
    variable, summary = data.schema[name], data.summary
    entry: dict[str, Any] = {
        "name": name,
        "kind": str(variable.kind),
        "role": str(variable.role),
        "label": variable.label,
        "missing": summary.missing(name),
    }
    if variable.role in NAMING_ROLES and variable.kind is not Kind.DATE:
        entry["distinct"] = sum(count > 0 for count in summary.counts(name).values())
        return entry
    if not summary.observed(name):
        return entry
    if variable.kind is Kind.CONTINUOUS and summary.observed(name) < FEWEST_TO_AVERAGE:
        entry["too_few"] = True
    elif variable.kind is Kind.CONTINUOUS:
        entry["mean"], entry["deviation"] = summary.mean(name), summary.deviation(name)
        entry["quartiles"] = [summary.quantile(name, share) for share in (0.25, 0.5, 0.75)]
    elif variable.kind is not Kind.DATE:
        counts = summary.counts(name)
        entry["categories"] = len(counts)
        entry["most_frequent"] = [
            {"category": _labelled(variable.value_labels, code), "share": count / summary.observed(name)}
            for code, count in sorted(counts.items(), key=lambda item: -item[1])[:MOST_CATEGORIES]
            if count >= FEWEST_TO_NAME
        ]
    return entry


def _labelled(labels: dict[Any, str], code: Any) -> str:
    return f"{code} {labels[code]}" if code in labels else str(code)


def _content(entry: dict[str, Any]) -> str:
    if "mean" in entry:
        low, middle, high = map(_number, entry["quartiles"])
        return f"mean {_number(entry['mean'])}, sd {_number(entry['deviation'])}, quartiles {low} / {middle} / {high}"
    if "categories" in entry:
        shown = ", ".join(f"{top['category']} ({100 * top['share']:.0f} %)" for top in entry["most_frequent"])
        more = entry["categories"] - len(entry["most_frequent"])
        listed = f"{shown} and {more} more" if shown and more else shown
        return f"{entry['categories']} categories" + (f": {listed}" if listed else ", all of very few records")
    if "too_few" in entry:
        return f"fewer than {FEWEST_TO_AVERAGE} values: not shown"
    return f"{entry['distinct']:,} different values" if "distinct" in entry else ""


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
