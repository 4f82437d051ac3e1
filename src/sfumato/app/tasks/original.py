"""What is asked of the original file: what its columns hold, and who stands out."""

from pathlib import Path
from typing import Any

import numpy as np

from sfumato.app.hierarchy_edits import plain_tree
from sfumato.app.proposed_trees import class_tree, neighbour_tree, prefix_tree
from sfumato.app.shapes import shapes
from sfumato.app.tasks.inputs import UNDRAWN, Inputs
from sfumato.data import Kind, Microdata, Selection, role
from sfumato.display import format_count
from sfumato.errors import DataError
from sfumato.jobs.describe import describe
from sfumato.jobs.progress import OnProgress, Stage
from sfumato.jobs.protect import read_hierarchy
from sfumato.reports import RiskReport, risk_report
from sfumato.reports.counted_persons import risk_per_record

RISK_CLASSES = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)  # percent
MAX_RECORDS = 20  # that are shown, when somebody asks to see them
MAX_TRIED = 50  # records with which loops are loaded
MAX_CATEGORIES = 300  # of a tree that is edited by hand
KEYS = role("key")


def prepare(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> None:
    """Read the file, and load the compiled loops with some records: the first measure of risk need not wait for it."""
    on_progress(Stage("reading"))
    data = inputs.data
    if data.select(KEYS):
        risk_report(data.take_rows(np.arange(min(data.n, MAX_TRIED))))


def look(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Describe every column, with its shape."""
    on_progress(Stage("looking at the columns"))
    result, data = describe(inputs.file, options=inputs.options), inputs.data
    columns = [
        {
            "name": column.name,
            "content": column.content,
            "missing": round(100 * column.missing / max(result.records, 1), 1),
            "suspected": [suspect.to_dict() for suspect in column.suspected_codes],
            "shape": {} if column.role in UNDRAWN else shapes(data, None, column.name),
        }
        for column in result.columns
    ]
    return {"records": result.records, "columns": columns, "notices": list(result.notices)}


def risk(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Measure who stands out by the keys of the original file, or by those that an intruder knows."""
    on_progress(Stage("reading"))
    data = inputs.data_with_keys
    on_progress(Stage("looking for those who stand out"))
    return plain_risk(risk_report(data, **arguments), data, arguments.get("columns", KEYS))


def records(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Return the keys of the records at most risk: for eyes that asked to see them, and no others."""
    on_progress(Stage("looking up the records"))
    data = inputs.data_with_keys
    names = data.select(arguments.get("columns", KEYS))
    risks = _risk_per_record(data, names)
    rows = np.argsort(-risks, kind="stable")[:MAX_RECORDS]
    shown = data.take_rows(np.sort(rows))
    order = np.argsort(-risks[np.sort(rows)], kind="stable")
    table = shown.table.select(*names)
    labels = {name: data.schema[name].value_labels for name in names}
    values = [[_labelled(value, labels[name]) for name, value in zip(names, row, strict=True)] for row in table.rows()]
    found = [{"values": values[place], "risk": float(risks[np.sort(rows)][place])} for place in order.tolist()]
    return {"names": list(names), "records": found}


def categories(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Return the categories of a column with their labels and how many records have each."""
    on_progress(Stage("counting categories"))
    data, name = inputs.data, arguments["column"]
    if data.schema[name].kind is Kind.ORDINAL and not data.schema[name].categories:  # of text, the order is asked for
        data = data.with_schema(data.schema.with_kinds(nominal=[name]))
    codes, found = data.codes(name)
    counts = np.bincount(codes[codes >= 0], minlength=len(found)).tolist()
    labels = data.schema[name].value_labels
    held = [(code, count) for code, count in zip(found, counts, strict=True) if count]
    if len(held) > MAX_CATEGORIES:
        raise DataError(
            f"{name} has {format_count(len(held), 'category')}, more than the {MAX_CATEGORIES} that can be joined by "
            "hand; import a CSV file with a row for each: the category, its group, and so on to the top"
        )
    return [{"code": code, "label": str(labels.get(code, "")), "records": count} for code, count in held]


def hierarchy(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Return a tree of a column as pairs of a group and what belongs to it: from a file, or as its codes say."""
    on_progress(Stage("reading the tree"))
    data, name = inputs.data, arguments["column"]
    if "digits" in arguments:
        return plain_tree(prefix_tree(data.codes(name)[1], arguments["digits"]))
    if "sizes" in arguments:
        return plain_tree(neighbour_tree(data.codes(name)[1], arguments["sizes"]))
    if "widths" in arguments:
        return plain_tree(class_tree(data.codes(name)[1], arguments["widths"]))
    return plain_tree(read_hierarchy(data, name, Path(arguments["file"])))


def plain_risk(
    report: RiskReport, data: Microdata, columns: Selection = KEYS, *, teller: Microdata | None = None
) -> dict[str, Any]:
    """Return a report ready for JSON, with a histogram of the individual risk.

    What a masked file was made from tells whose each record is.
    """
    risks = _risk_per_record(data, columns, teller)
    classes = np.histogram(np.clip(risks, 0, 100), RISK_CLASSES)[0].tolist() if risks.size else []
    return {
        **report.to_dict(),
        "figures": [figure._asdict() for figure in report.figures],
        "histogram": {"edges": list(RISK_CLASSES), "records": classes},
    }


def _risk_per_record(data: Microdata, columns: Selection, teller: Microdata | None = None) -> Any:
    found = risk_per_record(data, data.select(columns), teller or data)
    return np.asarray([] if found is None else found)


def _labelled(value: Any, labels: Any) -> str:
    return "missing" if value is None else str(labels.get(value, value))
