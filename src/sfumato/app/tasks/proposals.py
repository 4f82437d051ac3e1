"""Recipes that `protect` proposes for the file of a project: one that was asked for, or several to be compared."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from sfumato.app.hierarchy_edits import read_tree, with_text_codes
from sfumato.app.studies.kept_entries import kept_entry, plain_entry
from sfumato.app.studies.proposal_entries import is_proposal, proposals_of
from sfumato.app.tasks.inputs import Inputs
from sfumato.errors import SfumatoError
from sfumato.jobs.progress import OnProgress, Stage
from sfumato.protection import Protected, protect
from sfumato.recipe.entries import METHOD
from sfumato.reports.release.words.alarms import calm
from sfumato.storage.atomic import private_text
from sfumato.storage.digests import text_sha256

KEPT = "proposals.json"


def proposed(inputs: Inputs, asked: Mapping[str, Any]) -> Protected:
    """Return what `protect` proposes for what was asked in plain values, as the command does for the same file."""
    trees = {name: with_text_codes(read_tree(tree)) for name, tree in asked.get("hierarchies", {}).items()}
    steps = asked.get("number_steps")
    given = {
        **asked,
        **inputs.as_written,
        "hierarchies": trees or None,
        "number_steps": None if steps is None else [METHOD.read_item(step) for step in steps],
    }
    return protect(inputs.data_with_keys, seed=inputs.seed, **given)


def resolve_proposals(
    inputs: Inputs, entries: Sequence[Any], of_keys: Mapping[str, Any], on_progress: OnProgress
) -> tuple[list[Any], list[str]]:
    """Return entries of a study in which each proposal has become its recipe, and what must be read about them.

    What was proposed before for the same columns and the same question is taken again from the folder of the grid.

    Parameters
    ----------
    inputs
        The project.
    entries
        Entries of a grid, among them some that stand for proposals.
    of_keys
        The importance of keys, and their trees, as a proposal takes them.
    on_progress
        Called before each proposal.
    """
    entries = [plain_entry(entry) for entry in entries]
    asked = {
        name: {**one, **({} if one.get("whole_records") else of_keys)}
        for entry in entries
        if is_proposal(entry)
        for name, one in proposals_of(entry).items()
    }
    found: dict[str, dict[str, Any]] = {}
    for done, (name, one) in enumerate(asked.items()):
        on_progress(Stage("proposing recipes", done, len(asked)))
        found[name] = _kept_or_proposed(inputs, one)
    resolved = []
    for entry in entries:
        names = list(proposals_of(entry)) if is_proposal(entry) else []
        resolved += [{"name": name, "steps": found[name]["steps"]} for name in names if found[name]["steps"]]
        resolved += [] if is_proposal(entry) else [entry]
    return resolved, _gathered({name: one["notices"] for name, one in found.items()})


def _gathered(notices: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what must be read of proposals, each sentence once, with the proposals that it is about.

    Examples
    --------
    >>> _gathered({"keys, k = 3": ["Means tell amounts."], "keys, k = 5": ["Means tell amounts.", "No key is left."]})
    ['Of all proposals: Means tell amounts.', 'Of keys, k = 5: No key is left.']
    """
    about: dict[str, list[str]] = {}
    for name, sentences in notices.items():
        for sentence in sentences:
            about.setdefault(sentence, []).append(name)
    every = len(notices)
    return [
        f"Of {'all proposals' if len(names) == every > 1 else '; '.join(names)}: {sentence}"
        for sentence, names in about.items()
    ]


def _kept_or_proposed(inputs: Inputs, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the steps of a proposal, none where there is none, and what must be read about it."""
    kept = inputs.make_folder("studies", "grid") / KEPT
    earlier: dict[str, Any] = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    key = text_sha256(json.dumps([inputs.schema_yaml, dict(asked)], sort_keys=True))
    if key in earlier:
        return dict(plain_entry(earlier[key]))
    try:
        one = proposed(inputs, asked)
    except SfumatoError as error:
        found: dict[str, Any] = {"steps": [], "notices": [f"nothing can be proposed: {error}"]}
    else:
        steps = yaml.safe_load(one.recipe.to_yaml())["steps"]
        found = {"steps": steps, "notices": [calm(alarm) for alarm in one.alarms]}
    private_text(kept, json.dumps({**earlier, key: kept_entry(found)}))
    return found
