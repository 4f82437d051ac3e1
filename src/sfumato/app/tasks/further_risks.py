"""What further measures find in the original file, as `sfumato risk` does with a file of measures."""

from typing import Any

import numpy as np
import yaml

from sfumato.app.tasks.inputs import Inputs
from sfumato.app.tasks.original import RISK_CLASSES
from sfumato.catalogue import describe
from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Microdata
from sfumato.errors import SfumatoError
from sfumato.jobs.progress import OnProgress, Stage
from sfumato.jobs.risk import read_measures
from sfumato.reports.further_risks import FurtherRisk, further_risks, further_row
from sfumato.reports.risk_report import MIN_RECORDS
from sfumato.storage.atomic import private_text

MEASURES = "measures.yaml"  # in the project's folder: what the command line reads
PERCENT = "%"


def measures(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Take the measures that were asked for of the original file."""
    on_progress(Stage("reading"))
    data = inputs.data
    file = inputs.folder / MEASURES
    private_text(file, yaml.safe_dump({"measures": arguments["measures"]}, sort_keys=False, allow_unicode=True))
    on_progress(Stage("measuring"))
    return [_taken(data, measure) for measure in read_measures(file)]


def _taken(data: Microdata, measure: FileRisk) -> dict[str, Any]:
    """Return what one measure finds, or why it was refused: the others are shown all the same."""
    try:
        (found,) = further_risks(data, [measure], MIN_RECORDS, data)
    except SfumatoError as error:
        return {"title": describe(type(measure)).title, "problem": str(error)}
    return _plain(found)


def _plain(one: FurtherRisk) -> dict[str, Any]:
    """Return what a measure found, in words, ready for JSON."""
    _, _, figure, meaning = further_row(one)
    return {
        **one.to_dict(),
        "title": describe(type(one.measure)).title,
        "figure": figure,
        "meaning": meaning.text,
        "words": list(meaning.parts),
        "histogram": _histogram(one.found),
    }


def _histogram(found: Measurement) -> dict[str, Any]:
    """Return how many records have which figure; nothing where each has all or nothing."""
    figures = np.empty(0) if found.per_record is None else found.per_record[~np.isnan(found.per_record)]
    if found.unit != PERCENT or not np.setdiff1d(figures, (0.0, 100.0)).size:
        return {}
    counts = np.histogram(np.clip(figures, 0, 100), RISK_CLASSES)[0]
    return {"edges": list(RISK_CLASSES), "records": counts.tolist()}
