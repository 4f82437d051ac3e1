"""Write the page of a method, measure or improver from what its class says of itself."""

import ast
import doctest
import sys
from collections.abc import Iterator, Mapping, Sequence
from os.path import relpath
from types import ModuleType

from before_and_after import before_and_after

import sfumato
from sfumato.catalogue import Description, Parameter, describe, entry_snippet, recipe_snippet, sample_values
from sfumato.contracts import Improver, Layout, LossMeasure, MaskingMethod, Measure, Named, RiskMeasure
from sfumato.display import Table, text_column
from sfumato.execution.folders import way
from sfumato.improve import IMPROVERS
from sfumato.loss import LOSSES
from sfumato.masking import METHODS
from sfumato.risk import RISKS
from sfumato.scores import SCORES
from sfumato.tables import PROTECTIONS, RULES, Protection, Rule

Listed = type[Named]
TABLES: dict[str, Mapping[str, Listed]] = {
    "methods": METHODS,
    "risks": RISKS,
    "losses": LOSSES,
    "improvers": IMPROVERS,
    "protections": PROTECTIONS,
    "rules": RULES,
}
FOLDERS = {MaskingMethod: "methods", RiskMeasure: "measures", LossMeasure: "measures", Improver: "improvers"} | {
    Protection: "protections",
    Rule: "rules",
}
LAYOUTS = {
    Layout.ROWS: "runs of rows",
    Layout.RANKS: "each column by itself, in runs of consecutive ranks",
    Layout.NEIGHBOURS: "sets of near records",
    Layout.GROUPS: "records with equal keys stay together",
    Layout.WHOLE: "none: the method needs the whole file",
}

MEASURING = """\
import sfumato as sf

original = sf.datasets.demo(1000)
recipe = sf.Recipe(steps=[sf.RankSwapping(columns=sf.numeric)], seed=7)
masked = recipe.run(original)
measure = {call}
found = measure.measure(original, masked)
print(found.symbol, round(found.value, 1), found.unit)"""


def page_uri(record: Listed) -> str:
    """Return the place of a record's page in the site."""
    folder = next(folder for base, folder in FOLDERS.items() if issubclass(record, base))
    return f"{folder}/{record.name()}.md"


def record_page(record: Listed) -> str:
    """Return the page of a method, measure or improver."""
    description = describe(record)
    parts = [f"# {description.title}", description.summary, description.details, _facts(description)]
    if issubclass(record, MaskingMethod):
        parts.append(f"[Files larger than memory](../large-files.md): {way(record(**sample_values(record)))}.")
    parts += ["## Parameters", _parameters(description.parameters)]
    for heading, text in description.sections.items():
        parts += [f"## {heading}", text]
    if issubclass(record, MaskingMethod):
        parts += ["## In a recipe", _fence("yaml", recipe_snippet(record))]
        parts += ["What this recipe does to a few records of the made survey:", _table(*before_and_after(record))]
    elif issubclass(record, Improver):
        parts += ["## In a recipe", _fence("yaml", recipe_snippet(record))]
        parts += ["[Improving](../improving.md) tells how to use it in Python, in studies and on the command line."]
    elif issubclass(record, Protection | Rule):
        key = "protections" if issubclass(record, Protection) else "rules"
        parts += ["## In a specification", _fence("yaml", entry_snippet(record, key))]
        parts += ["[Tables](../tables.md#specification-files) tells what else a specification says."]
    elif issubclass(record, Measure):
        parts += ["## In Python", _fence("python", MEASURING.format(call=_call(record)))]
    parts += ["## Example", _fence("pycon", "\n".join([*_imports(record, description), description.example]))]
    return "\n\n".join(part for part in parts if part) + "\n"


def index_table(records: Mapping[str, Listed], seen_from: str) -> str:
    """Return a table of records with a link to the page of each, as seen from a folder of the site."""
    pages = {record.name(): relpath(page_uri(record), seen_from or ".") for record in records.values()}
    described = sorted(map(describe, records.values()), key=lambda description: (description.family, description.title))
    head = ("Name", "What it does", "Family", "Symbol")
    rows = [
        (
            f"[{description.title}]({pages[description.name]})",
            description.summary,
            description.family,
            description.symbol,
        )
        for description in described
    ]
    width = len(head) if any(description.symbol for description in described) else len(head) - 1
    return _table(head[:width], [row[:width] for row in rows])


def score_table() -> str:
    """Return a table of the published scores."""
    rows = [(f"`{score.name}`", score.symbol, f"{score.formula}", score.source) for score in SCORES.values()]
    return _table(("Name", "Symbol", "Formula", "Source"), rows)


def _facts(description: Description) -> str:
    facts = {
        "Symbol": description.symbol,
        "Name": f"`{description.name}`",
        "Class": f"`{description.class_name}`",
        "Family": description.family,
        "Columns": " or ".join(description.kinds),
        "Blocks": LAYOUTS[Layout(description.layout)] if description.layout else "",
    }
    shown = {name: fact for name, fact in facts.items() if fact}
    return _table(tuple(shown), [tuple(shown.values())])


def _parameters(parameters: tuple[Parameter, ...]) -> str:
    rows = [(f"`{parameter.name}`", _range(parameter), _default(parameter), parameter.text) for parameter in parameters]
    return _table(("Name", "May be", "Default", "Meaning"), rows)


def _range(parameter: Parameter) -> str:
    return "[columns](../recipes.md#columns)" if parameter.range == "columns" else parameter.range


def _default(parameter: Parameter) -> str:
    if parameter.default is None:
        return "required"
    return parameter.default if parameter.default == "none" else f"`{parameter.default}`"


def _table(head: Sequence[str], rows: Sequence[tuple[str, ...]]) -> str:
    return Table(tuple(map(text_column, head)), tuple(rows)).to_markdown()


def _call(measure: type[Measure]) -> str:
    """Return Python that makes a measure, with its required parameters and those that give an example only."""
    given_names = [parameter.name for parameter in describe(measure).parameters if parameter.default is None]
    given_names += [name for name, field in measure.model_fields.items() if field.examples and name not in given_names]
    given = ", ".join(f"{name}={value!r}" for name, value in sample_values(measure).items() if name in given_names)
    return f"sf.{measure.__name__}({given})"


def _fence(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def _imports(record: Listed, description: Description) -> Iterator[str]:
    """Write the imports with which the example runs by itself; in its own file it needs none."""
    module = sys.modules[record.__module__]
    public: list[str] = []
    own: list[str] = []
    for name in _needed_names(description.example, module):
        value = vars(module)[name]
        if isinstance(value, ModuleType):
            yield f">>> import {value.__name__}" + ("" if value.__name__ == name else f" as {name}")
        else:
            (public if hasattr(sfumato, name) else own).append(name)
    if public:
        yield f">>> from sfumato import {', '.join(public)}"
    if own:
        yield f">>> from {module.__name__} import {', '.join(own)}"


def _needed_names(example: str, module: ModuleType) -> list[str]:
    """Return the names of the module that an example uses and does not make itself."""
    code = "".join(step.source for step in doctest.DocTestParser().get_examples(example))
    nodes = list(ast.walk(ast.parse(code)))
    names = [node for node in nodes if isinstance(node, ast.Name)]
    made = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    made |= {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return sorted({name.id for name in names if name.id in vars(module)} - made)
