"""`sfumato improve`: a masked file that serves its users better, and its manifest."""

import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato.assessment import assess, default_measures
from sfumato.assessment.defaults import comparable
from sfumato.cli.console import as_sentences, messages, print_json, results, table, working
from sfumato.cli.improver_choice import Asked, chosen_improver
from sfumato.contracts import Improver
from sfumato.contracts.improvement import Improvement
from sfumato.data import Microdata, numeric
from sfumato.display.improvement_trace import METADATA
from sfumato.errors import DataError, FileError
from sfumato.recipe import ImprovementManifest
from sfumato.recipe.improving import FilePair, check_outputs, improved, read_pair, write_improved
from sfumato.recipe.recipe import SEED_BITS
from sfumato.storage.atomic import write_text

SYMBOLS = ("IL", "DLD", "ID")  # the usual measures that are quick
MEANINGS = {
    "E": "squared differences between the moments of the standardised values",
    "IL1": "mean variation of the values against those of original records, %",
    "IL": "information loss of all numeric columns, %",
    "DLD": "distance linkage: records found again, %",
    "ID": "interval disclosure: values told to within an interval, %",
}
ASSESS_AGAIN = "The risk is another one now: assess the improved file before you release it."


def run_improve(
    original: Path,
    masked: Path,
    output: Path,
    asked: Asked,
    *,
    schema: Path | None,
    seed: int | None,
    trace: Path | None,
    as_json: bool,
) -> None:
    """Improve the masked file, write it with its manifest, and show what changed."""
    started = datetime.now(UTC)
    inputs = [original, masked, *([] if schema is None else [schema])]
    check_outputs(output, inputs, trace)
    _check_trace(trace)
    with working("reading"):
        pair = read_pair(original, masked, schema)
    columns, not_improved = _common_columns(pair)
    improver = chosen_improver(asked, columns, pair.masked.n)
    seed = secrets.randbits(SEED_BITS) if seed is None else seed
    with working(f"improving by {improver.name()}"):
        improvement = improved(pair, improver, seed)
    with working("measuring"):
        figures = before_and_after(pair, improvement)
    with working("writing"):
        manifest = write_improved(pair, improver, improvement, seed, output, started)
        _write_trace(improvement, trace)
    remarks = [
        *as_sentences(improvement.remarks),
        *_worse(figures),
        *([] if asked.columns else not_improved),
        pair.how,
        *([ASSESS_AGAIN] if improvement.records else []),
    ]
    if as_json:
        print_json(_plain(improver, improvement, figures, manifest, remarks))
    else:
        _show(improvement, figures, manifest, output)
    for remark in [*remarks, manifest.confidential]:
        messages().print(remark, markup=False, soft_wrap=True)


def before_and_after(pair: FilePair, improvement: Improvement) -> dict[str, tuple[float, float]]:
    """Return each figure before and after: E and IL1 as the improver counts them, and the usual quick measures."""
    before, after = (_usual(pair.original, data) for data in (pair.masked, improvement.data))
    return {
        "E": (float(improvement.errors[0]), improvement.error),
        "IL1": (float(improvement.losses[0]), improvement.loss),
        **{symbol: (before[symbol], after[symbol]) for symbol in SYMBOLS if symbol in before},
    }


def _usual(original: Microdata, masked: Microdata) -> dict[str, float]:
    schema, _ = comparable(original, masked)
    measures = [measure for measure in default_measures(schema) if measure.symbol in SYMBOLS]
    return dict(assess(original, masked, measures, ()).values)


def _common_columns(pair: FilePair) -> tuple[tuple[str, ...], list[str]]:
    """Return the numeric columns that both files have, and a sentence about those that only the original has."""
    schema, lost = comparable(pair.original, pair.masked)
    columns = schema.select(numeric)
    if not columns:
        raise DataError(
            "there is nothing to improve: the files have no numeric column in common; compare their columns with "
            "sfumato describe"
        )
    gone = [name for name in pair.original.select(numeric) if name in lost]
    said = f"Not improved, as the masked file has them no more or in another kind: {', '.join(gone)}."
    return columns, [said] if gone else []


def _check_trace(trace: Path | None) -> None:
    endings = (*METADATA, "csv")
    if trace is not None and trace.suffix.lower().removeprefix(".") not in endings:
        raise FileError(f"a trace is a file that ends in .{', .'.join(endings)}; got '{trace.name}'")


def _write_trace(improvement: Improvement, trace: Path | None) -> None:
    if trace is None:
        return
    if trace.suffix.lower() == ".csv":
        write_text(trace, improvement.to_frame().write_csv())
    else:
        improvement.trace(trace)


def _plain(
    improver: Improver,
    improvement: Improvement,
    figures: dict[str, tuple[float, float]],
    manifest: ImprovementManifest,
    remarks: list[str],
) -> dict[str, Any]:
    return {
        "format": 1,
        "improver": improver.name(),
        "parameters": improver.model_dump(mode="json"),
        "before": {symbol: before for symbol, (before, _) in figures.items()},
        "after": {symbol: after for symbol, (_, after) in figures.items()},
        "aimed_loss": improvement.aimed_loss,
        "steps": manifest.improvement.steps,
        "ended": improvement.ended.value,
        "records": {"all": manifest.output.rows, "changed": improvement.records},
        "remarks": remarks,
        "seconds": manifest.seconds,
        "output": manifest.output.file,
    }


def _show(
    improvement: Improvement, figures: dict[str, tuple[float, float]], manifest: ImprovementManifest, output: Path
) -> None:
    facts = manifest.output
    results().print(
        f"{output}: {facts.rows:,} records, of which {improvement.records:,} changed, in {manifest.seconds:.1f} s\n"
        f"{output}.manifest.json: improver, seed, versions and checksums\n",
        markup=False,
        soft_wrap=True,
    )
    made = table(improvement.name, "figure", "before", "after", "what it is", numbers=("before", "after"))
    for symbol, (before, after) in figures.items():
        shown = (f"{before:.4g}", f"{after:.4g}") if symbol == "E" else (f"{before:.2f}", f"{after:.2f}")
        made.add_row(symbol, *shown, MEANINGS[symbol])
    results().print(made)


def _worse(figures: dict[str, tuple[float, float]]) -> list[str]:
    """Return a sentence if users lose more than before: nearer moments do not always pay."""
    before, after = figures.get("IL", (0.0, 0.0))
    if after <= before:
        return []
    return [f"IL has risen from {before:.2f} to {after:.2f} %: by that measure the masked file was the better one."]
