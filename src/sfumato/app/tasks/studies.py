"""What is asked of many recipes at once: a grid of them, or a search under limits."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from sfumato.app.studies.study_map import on_axes, separating
from sfumato.app.studies.study_measures import MANY, MAX_ATTACKED, axes_of, axis_title, rules_of, study_measures
from sfumato.app.tasks.inputs import Inputs
from sfumato.app.tasks.proposals import resolve_proposals
from sfumato.data import Schema, Selector, linkable
from sfumato.errors import DataError
from sfumato.jobs import compare as compare_job
from sfumato.jobs import search as search_job
from sfumato.jobs.progress import OnProgress, Stage
from sfumato.storage.digests import text_sha256
from sfumato.study import Candidate, Study
from sfumato.study.candidate_entries import read_candidate

STUDIES, GRID, STUDY = "studies", "grid", "study.yaml"


def compare(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Run every candidate of a grid, and measure each; runs that were done before are used again."""
    on_progress(Stage("reading"))
    folder = inputs.make_folder(STUDIES, GRID)
    limits = arguments.get("limits") or []
    entries, doubts = resolve_proposals(inputs, arguments["candidates"], arguments.get("of_keys", {}), on_progress)
    if not entries:
        raise DataError(f"there is nothing to compare: {'; '.join(doubts)}")
    recipes = [recipe for entry in entries for recipe in read_candidate(entry)]
    doubts += [MANY] if inputs.data.n > MAX_ATTACKED else []
    content = {
        "candidates": entries,
        **study_measures(inputs.data, recipes),
        "seed": inputs.seed,
        **({"limits": limits} if limits else {}),
    }
    study_file = inputs.write_document(folder, STUDY, content)
    found = compare_job.compare(study_file, folder, on_progress=on_progress)
    notices = [*doubts, *_to_be_read(found.notices, folder)]
    return plain_study(found.study, inputs.data.schema, found.best, notices, limits, rules_of(inputs.data)[0])


def search(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Search for the recipe that loses least among those that keep to the limits."""
    asked = yaml.safe_dump(arguments, sort_keys=True)
    folder = inputs.make_folder(STUDIES, f"search-{text_sha256(inputs.schema_yaml + asked)[:12]}")
    found = search_job.search(
        inputs.file,
        folder,
        options=inputs.options,
        limits=arguments["limits"],
        trials=arguments["trials"],
        seed=inputs.seed,
        on_progress=on_progress,
    )
    schema = inputs.data.schema
    notices = _to_be_read(found.notices, folder)
    return plain_study(found.search.study, schema, found.search.best, notices, arguments["limits"])


def _to_be_read(notices: Sequence[str], folder: Path) -> list[str]:
    """Return what a job says of a study, with the place of its files as seen from the project.

    Examples
    --------
    >>> _to_be_read(["the map is in /home/p/studies/grid; the best is /home/p/studies/grid/best.yaml"],
    ...             Path("/home/p/studies/grid"))
    ['the map is in the folder studies/grid of the project; the best is studies/grid/best.yaml']
    """
    place = f"{STUDIES}/{folder.name}"
    whole = f"the folder {place} of the project"
    return [notice.replace(f"{folder}{os.sep}", f"{place}/").replace(str(folder), whole) for notice in notices]


def plain_study(
    study: Study,
    schema: Schema,
    best: Candidate | None,
    notices: Sequence[str],
    limits: Sequence[str],
    only: Selector = linkable,
) -> dict[str, Any]:
    """Return a study ready for JSON: of each candidate its figures and the recipe that can be released.

    Parameters
    ----------
    study, best, notices, limits
        What was found, the best within the limits, what must be read about it, and the limits.
    schema
        What the columns are.
    only
        The columns that measures which were taken once looked at.
    """
    axes = axes_of(study.symbols)
    found = {
        "titles": {symbol: axis_title(symbol, study.titles.get(symbol, symbol), only) for symbol in study.symbols},
        "axes": axes,
        "limits": list(limits),
        "notices": [notice for notice in notices if "seed" not in notice],
        "candidates": [
            {
                "label": one.label,
                "family": one.family,
                "recipe": one.recipe.without_identifiers(schema).to_yaml(),
                "figures": {symbol: one.mean(symbol) for symbol in study.symbols},
                "is_on_front": False,
                "is_best": best is not None and one.label == best.label,
                "error": one.error or "",
            }
            for one in study.candidates
        ],
    }
    return on_axes(found, separating(found, axes["risk"]), separating(found, axes["loss"]))
