"""What the posterior of pairs, exchanges and households say of links: how sure they are, and how many are right."""

from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder import (
    FRESH,
    ExchangedColumns,
    Model,
    Posterior,
    Runs,
    calibrate,
    model_by_runs,
    posterior_of,
)
from sfumato.intruder.tied_links import tied_links
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.risk.linkage._assignment import Links, assign_candidates, chances_of_being_right
from sfumato.risk.linkage._candidates import GOLDEN, SILVER, lots

TIE = 1e-9
MUST_LINK = 1e5  # gained by a link at all: a matching leaves out no record that it can link
ONE_TO_ONE = "one to one"
MAX_REHEARSED = 20_000  # records of the largest file on which the attack is tried first


def certainty_of(posterior: Posterior) -> FloatColumn:
    """Return the posterior probability of the likeliest original of each masked record, one to one."""
    each = posterior.one_to_one / posterior.original_counts[posterior.candidates]
    return np.asarray(each.max(axis=1)[posterior.masked_classes], dtype=np.float64)


def right_links(posterior: Posterior, chances: FloatMatrix, rows: Rows) -> FloatColumn:
    """Return for each masked record the chance that its likeliest candidate is the original in its row.

    Equally likely candidates share the link, and so do originals that nobody can tell apart.
    """
    each = np.where(posterior.candidates < 0, 0.0, chances / posterior.original_counts[posterior.candidates])
    best = each.max(axis=1, keepdims=True)
    is_best = (each >= best * (1 - TIE)) & (best > 0)
    tied = np.where(is_best, posterior.original_counts[posterior.candidates], 0).sum(axis=1)
    is_true = posterior.candidates[posterior.masked_classes] == posterior.original_classes[rows][:, None]
    found = (is_true & is_best[posterior.masked_classes]).any(axis=1)
    return np.asarray(found / np.maximum(tied[posterior.masked_classes], 1), dtype=np.float64)


def right_assignments(posterior: Posterior, rows: Rows) -> tuple[FloatColumn, int]:
    """Return for each masked record the chance that the most probable matching links it to the original in its row.

    The number beside it says how many records were left when the search for the matching was cut off. Records are taken
    in the order of their lots, so that their places in the files tell nothing, and those that nobody can tell apart
    share the links that they get.
    """
    classes, others = posterior.original_classes, posterior.masked_classes
    before = np.lexsort((lots(np.arange(len(classes)), GOLDEN), classes))  # the originals, class by class
    after = np.lexsort((lots(rows, SILVER), others))
    masked_counts = np.bincount(others)
    turns = np.arange(len(after)) - np.repeat(np.cumsum(masked_counts) - masked_counts, masked_counts)
    candidates, scores = single_records(posterior, others[after], turns)
    best = scores.max(axis=1, initial=-np.inf, keepdims=True)
    gains = np.where(candidates < 0, 0.0, np.maximum(MUST_LINK + scores - best, 1.0))
    shuffled = np.argsort(lots(np.arange(len(after)), GOLDEN * SILVER), kind="stable")
    linked, left = assign_candidates(candidates[shuffled], gains[shuffled], len(before))
    some = np.flatnonzero(linked >= 0)
    links = Links(after[shuffled[some]], before[linked[some]], np.zeros(len(some)))
    return chances_of_being_right(links, rows, classes, others)[1], left


def single_records(posterior: Posterior, classes: CodeColumn, turns: CodeColumn) -> tuple[CodeMatrix, FloatMatrix]:
    """Return the candidates of single masked records as single originals, numbered class by class, and their scores.

    Where a class has several originals, each masked record may take as many of them as there is room for, beginning
    with another one at each turn.
    """
    found, counts = posterior.candidates[classes], posterior.original_counts
    starts = np.cumsum(counts) - counts
    scores = np.where(found < 0, -np.inf, posterior.log_likelihoods[classes])
    if (counts == 1).all():
        return np.where(found < 0, -1, starts[found]), scores
    room = found.shape[1]
    sizes = np.where(found < 0, 0, counts[found])
    ends = np.cumsum(sizes, axis=1)
    singles = np.full((len(found), room), -1, dtype=np.int64)
    single_scores = np.full((len(found), room), -np.inf)
    every = np.arange(len(found))
    for slot in range(room):
        place = (ends <= slot).sum(axis=1)
        some = every[place < room]
        chosen = place[some]
        size, end = sizes[some, chosen], ends[some, chosen]
        singles[some, slot] = starts[found[some, chosen]] + (slot - end + size + turns[some]) % size
        single_scores[some, slot] = scores[some, chosen]
    return singles, single_scores


class SureLinks(NamedTuple):
    """How probable links are held to be, and the chance that each is right."""

    certainty: FloatColumn
    right: FloatColumn


def links_by_pairs(posterior: Posterior, rows: Rows) -> SureLinks:
    """Return the links one to one."""
    return SureLinks(certainty_of(posterior), right_links(posterior, posterior.one_to_one, rows))


def links_by_ties(
    exchanged: ExchangedColumns, model: Model, posterior: Posterior, rows: Rows, ways: tuple[str, ...]
) -> dict[str, SureLinks]:
    """Return the links in some of the ways that use what ties records; NaN for how sure where a way does not tell."""
    found = tied_links(exchanged, model, posterior, rows, ways)
    return {way: SureLinks(one.certainty, (one.rows == rows).astype(np.float64)) for way, one in found.items()}


def put_before(links: SureLinks, others: SureLinks) -> SureLinks:
    """Return links of one way, and others where it does not tell how sure they are."""
    is_told = ~np.isnan(links.certainty)
    return SureLinks(*(np.where(is_told, one, other) for one, other in zip(links, others, strict=True)))


def rehearsed_certainty(
    certainty: FloatColumn, way: str, runs: Runs, names: tuple[str, ...], max_candidates: int
) -> FloatColumn:
    """Return how probable links are after the attack was tried on a file that the intruder masked themselves."""
    shadow = _file_of_ones_own(runs, names)
    if shadow is None:
        return certainty
    file, rows = shadow
    model = model_by_runs(runs, file, names, is_own=True)
    posterior = posterior_of(model, max_candidates)
    tried = links_by_pairs(posterior, rows)
    if way != ONE_TO_ONE:
        found = links_by_ties(ExchangedColumns(runs, file, names), model, posterior, rows, (way,))
        tried = put_before(found[way], tried) if way in found else tried
    return calibrate(certainty, *tried)


def _file_of_ones_own(runs: Runs, names: tuple[str, ...]) -> tuple[Microdata, Rows] | None:
    if runs.original.n > MAX_REHEARSED:
        return None
    try:
        shadow = runs.shadow(FRESH)
    except SfumatoError:
        return None
    return None if any(name not in shadow.data.schema for name in names) else (shadow.data, shadow.rows)
