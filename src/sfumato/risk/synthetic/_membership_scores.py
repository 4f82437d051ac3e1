"""How much each person looks like one of those whom a synthetic file was made from, by seven attacks."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sfumato.kernels.neighbours.capped_search import nearest_distances
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.hashing import is_among
from sfumato.numerics.one_thread import one_thread
from sfumato.numerics.row_blocks import draw_rows
from sfumato.risk.synthetic._coded_files import CONTROL, ORIGINAL, SYNTHETIC, CodedFiles
from sfumato.risk.synthetic._membership_rates import Scores

NEIGHBOURS = 10
SMALLEST = 1e-3  # what is added to a distance before its logarithm is taken, so that copies are not infinitely near
MAX_TRAINED = 10_000  # records of each file from which a classifier learns


@dataclass(frozen=True, eq=False)
class Candidates:
    """Persons of whom an intruder asks whether they are in the file, and what they are held against.

    Parameters
    ----------
    members
        How many are in the original; they come first, then those of the control.
    is_reference
        Which of them the intruder has as a reference, other persons of the population: one half of the control. Scores
        that use it say nothing of these persons themselves.
    near
        Their distances from the nearest synthetic records.
    near_reference
        Their distances from the nearest records of the reference.
    is_copied
        1 where a synthetic record equals the person's, else 0.
    value_ratio
        How much more frequent a person's values are in the synthetic file than in the reference, each by itself.
    typicality
        How much a classifier that has learnt the synthetic file from the reference takes a person for synthetic.
    household
        Of each person, another number in each file; None where it is not told.
    """

    members: int
    is_reference: Booleans
    near: FloatMatrix
    near_reference: FloatMatrix
    is_copied: FloatColumn
    value_ratio: FloatColumn
    typicality: FloatColumn
    household: CodeColumn | None = None


def candidates(files: CodedFiles, attacks: int, seed: int) -> Candidates:
    """Return persons of original and control with all that the attacks need to know of them."""
    rows = [draw_rows(files.sizes[file], attacks, seed) for file in (ORIGINAL, CONTROL)]
    places, hashes = (
        np.concatenate([whole(file)[chosen] for file, chosen in zip((ORIGINAL, CONTROL), rows, strict=True)])
        for whole in (files.ranks, files.hashes)
    )
    synthetic = files.ranks(SYNTHETIC)
    in_half = _reference(files, seed)
    reference = files.ranks(CONTROL)[in_half]
    return Candidates(
        rows[0].size,
        np.concatenate([np.zeros(rows[0].size, dtype=np.bool_), in_half[rows[1]]]),
        nearest_distances(synthetic, places, NEIGHBOURS),
        nearest_distances(reference, places, NEIGHBOURS),
        is_among(hashes, np.sort(files.hashes(SYNTHETIC))).astype(np.float64),
        _value_ratios(files, rows, in_half),
        _learn(synthetic, reference, seed)(places),
        None if files.households is None else _chosen_households(files.households, rows),
    )


def _reference(files: CodedFiles, seed: int) -> Booleans:
    """Return which half of the control is the reference; whole households, as who lives together is alike."""
    number = np.arange(files.sizes[CONTROL]) if files.households is None else files.households[1]
    drawn = np.random.default_rng(seed).permutation(int(number.max()) + 1) % 2 == 0
    return np.asarray(drawn[number], dtype=np.bool_)


def _chosen_households(households: tuple[CodeColumn, CodeColumn], rows: list[Rows]) -> CodeColumn:
    (members, others), (ours, theirs) = households, rows
    return np.concatenate([members[ours], others[theirs] + members.max() + 1])


def scores_of(persons: Candidates) -> dict[str, Scores]:
    """Return the scores of members and others by attack, of others only those who are not in a reference that is used.

    Two persons of whom each is in the reference of the other would have scores that go together, and the tests would
    find leaks where there are none.
    """
    found = {}
    for name, attack in ATTACKS.items():
        scores, others = attack(persons), np.arange(persons.near.shape[0]) >= persons.members
        if name in WITH_REFERENCE:
            others &= ~persons.is_reference
        household = persons.household
        homes = None if household is None else (household[: persons.members], household[others])
        found[name] = Scores(scores[: persons.members], scores[others], homes)
    return found


def nearest(persons: Candidates) -> FloatColumn:
    """Return how near the nearest synthetic record is."""
    return -persons.near[:, 0]


def calibrated_nearest(persons: Candidates) -> FloatColumn:
    """Return the same in proportion to the distance from the reference: near to all is no sign."""
    return np.log((persons.near_reference[:, 0] + SMALLEST) / (persons.near[:, 0] + SMALLEST))


def density_ratio(persons: Candidates) -> FloatColumn:
    """Return how much denser synthetic records are around a person than those of the reference."""
    return _log_density(persons.near) - _log_density(persons.near_reference)


def local_neighbourhood(persons: Candidates) -> FloatColumn:
    """Return how many synthetic records are within a radius, nearer ones more: that of the usual tenth neighbour."""
    radius = _usual(persons.near[:, -1])
    return np.asarray(np.maximum(1 - persons.near / max(radius, SMALLEST), 0.0).sum(axis=1), dtype=np.float64)


def classifier(persons: Candidates) -> FloatColumn:
    """Return how much a classifier of synthetic and reference records takes a person for synthetic."""
    return persons.typicality


def single_values(persons: Candidates) -> FloatColumn:
    """Return how much a person's values, each by itself, are those of the synthetic file rather than the reference."""
    return persons.value_ratio


def exact_copies(persons: Candidates) -> FloatColumn:
    """Return 1 for who has a synthetic record that is equal."""
    return persons.is_copied


ATTACKS: dict[str, Callable[[Candidates], FloatColumn]] = {
    "nearest": nearest,
    "calibrated nearest": calibrated_nearest,
    "density ratio": density_ratio,
    "classifier": classifier,
    "local neighbourhood": local_neighbourhood,
    "single values": single_values,
    "exact copies": exact_copies,
}


WITH_REFERENCE = {"calibrated nearest", "density ratio", "classifier", "single values"}


def _value_ratios(files: CodedFiles, rows: list[Rows], in_half: Booleans) -> FloatColumn:
    """Return the sum over the columns of the logarithm of how much more frequent a value is than in the reference.

    Half a record is added to each count, so that a value that one file lacks has a ratio too.
    """
    total = np.zeros(sum(chosen.size for chosen in rows))
    for column in files.columns:
        asked = np.concatenate(
            [column.codes[file][chosen] for file, chosen in zip((ORIGINAL, CONTROL), rows, strict=True)]
        )
        shares = [_log_share(column.codes[SYNTHETIC], asked), _log_share(column.codes[CONTROL][in_half], asked)]
        total += shares[0] - shares[1]
    return total


def _log_share(held: CodeColumn, asked: CodeColumn) -> FloatColumn:
    rising = np.sort(held)
    counts = np.searchsorted(rising, asked, side="right") - np.searchsorted(rising, asked, side="left")
    return np.asarray(np.log((counts + 0.5) / (held.size + 1)), dtype=np.float64)


def _log_density(near: FloatMatrix) -> FloatColumn:
    """Return the logarithm of a kernel density, up to a constant, whose width is half the usual tenth distance."""
    width = max(_usual(near[:, -1]) / 2, SMALLEST)
    least = near[:, 0]
    rest = np.exp(-(near - least[:, None]) / width, where=np.isfinite(near), out=np.zeros(near.shape))
    return np.asarray(np.log(rest.sum(axis=1)) - least / width)


def _usual(distances: FloatColumn) -> float:
    """Return the median of the distances that are finite; 0 where none is."""
    known = distances[np.isfinite(distances)]
    return float(np.median(known)) if known.size else 0.0


def _learn(synthetic: FloatMatrix, reference: FloatMatrix, seed: int) -> Callable[[FloatMatrix], FloatColumn]:
    """Return a classifier of synthetic records against those of the reference, by boosted trees."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    order = np.lexsort(synthetic.T)  # the order of the file decides nothing
    files = [synthetic[order], reference]
    chosen = [file[draw_rows(len(file), MAX_TRAINED, seed)] for file in files]
    is_synthetic = np.repeat([1, 0], [len(file) for file in chosen])
    weights = np.repeat([1 / len(file) for file in chosen], [len(file) for file in chosen])
    model = HistGradientBoostingClassifier(max_iter=50, early_stopping=False, random_state=seed)
    with one_thread():
        model.fit(np.vstack(chosen), is_synthetic, sample_weight=weights * is_synthetic.size / 2)

    def decide(places: FloatMatrix) -> FloatColumn:
        with one_thread():
            return np.asarray(model.decision_function(places), dtype=np.float64)

    return decide
