"""What a release may show, and which steps a recipe may have, so that the proofs of bounds hold: nothing else has one.

Records
    Each comes from another record of the original: nobody has two.
Columns by which records are linked
    Numbers, truth values, text, dates and times, and categories that are text or numbers. Their cells show their value
    and nothing else, since what is equal was given one form; and no two cells that differ count as the same. Cells of
    other types may show more.
Columns by which nobody is looked for
    Taken to tell nothing of who is who, unless they have the role household or identifier.
Ties between records
    One column of household numbers, which every record has and which holds the households of the original; and one
    column of identifiers, which every record has and no two share; no value is in both. Any other tells more than the
    proofs know.
Steps
    `PROVEN_STEPS`, as this program has them. All other steps leave a bound by records that are equal in the release,
    or, before them, none.
"""

from enum import Flag, auto

import narwhals.stable.v2 as nw
import numpy as np

from sfumato.contracts import MaskingMethod, paired_rows
from sfumato.data import Microdata, Role
from sfumato.data.column_recoding import text_of
from sfumato.data.distinct_values import factorise
from sfumato.intruder.coded_columns import coded_columns, gap_codes
from sfumato.kernels.keys.counting import classes_of

OUR_METHODS = "sfumato.masking."  # where the classes of this program's methods are
TIED = (
    "{names}: such a column tells which records belong together, and the attacks do not use all of that: more may be "
    "linked, and no bound is proven"
)
REPEATED = "several records of the release come from one of the original: no bound is proven"
ODD_CELLS = (
    "{names}: cells of such a column may show more than the value that they are taken for, and no bound is proven; "
    "make them plain text or numbers"
)


class Proven(Flag):
    """What is proven of a step."""

    ALIKE = auto()
    """Where a record stands in the file does not decide what becomes of it among its equals."""
    DENSITY = auto()
    """Records are masked independently of each other, by the density that the method states where it calls it exact."""
    GROUPS = auto()
    """The records of the groups that it states are alike, but for draws of which all orders are equally likely."""
    FIXED = auto()
    """What a record becomes hangs on its own values alone, and not on chance, where no `FITTED` parameter is given."""


PROVEN_STEPS = {
    "additive_noise": Proven.ALIKE | Proven.DENSITY,
    "correlated_noise": Proven.ALIKE | Proven.DENSITY,
    "mixture_noise": Proven.ALIKE | Proven.DENSITY,
    "multiplicative_noise": Proven.ALIKE | Proven.DENSITY,
    "logarithmic_noise": Proven.DENSITY,
    "pram": Proven.ALIKE | Proven.DENSITY,
    "invariant_pram": Proven.ALIKE | Proven.DENSITY,
    "contingency_resampling": Proven.DENSITY,
    "date_shift": Proven.DENSITY,
    "microaggregated_hybrid": Proven.DENSITY | Proven.GROUPS,
    "shuffling": Proven.ALIKE | Proven.GROUPS,
    "rank_swapping": Proven.ALIKE,
    "rank_swapping_buckets": Proven.ALIKE,
    "rank_swapping_distribution": Proven.ALIKE,
    "resampling": Proven.ALIKE,
    "distribution_distortion": Proven.ALIKE,
    "top_coding": Proven.ALIKE | Proven.FIXED,
    "bottom_coding": Proven.ALIKE | Proven.FIXED,
    "discretisation": Proven.ALIKE | Proven.FIXED,
    "generalisation": Proven.ALIKE | Proven.FIXED,
    "recoding": Proven.ALIKE | Proven.FIXED,
    "rounding": Proven.ALIKE | Proven.FIXED,
    "multivariate_rounding": Proven.ALIKE,
    "sampling": Proven.ALIKE,
    "drop_identifiers": Proven.ALIKE,
}

FITTED = ("percent", "replacement", "tail_label")  # parameters by which coding looks at all records of a file


def is_proven(step: MaskingMethod, what: Proven) -> bool:
    """Tell whether some of this is proven of a step; nothing is of methods from outside, whatever they are called."""
    return is_ours(step) and bool(what & PROVEN_STEPS.get(step.name(), Proven(0)))


def is_fixed(step: MaskingMethod) -> bool:
    """Tell whether a step makes the same of a record whoever else is in the file, without chance."""
    return is_proven(step, Proven.FIXED) and all(getattr(step, name, None) is None for name in FITTED)


def states_unproven_density(step: MaskingMethod) -> bool:
    """Tell whether a step says how likely it makes pairs, or from outside may say so, and that is not proven."""
    is_stated = not is_ours(step) or type(step).likelihood is not MaskingMethod.likelihood
    return is_stated and not is_proven(step, Proven.DENSITY)


def is_ours(step: MaskingMethod) -> bool:
    """Tell whether a method is one of this program."""
    return type(step).__module__.startswith(OUR_METHODS)


def reasons_without_bound(original: Microdata, released: Microdata, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a release shows that no proof speaks of, in a sentence each; nothing where a bound may be proven.

    Parameters
    ----------
    original, released
        Both files.
    names
        The columns by which records are linked.
    """
    tied = tying_columns(original, released)
    seen = [name for name in released.schema.names if name in names or released.schema[name].role is Role.HOUSEHOLD]
    odd = [name for name in seen if not _has_plain_cells(released, name)]
    is_repeated = len(np.unique(released.row_ids)) < released.n
    told = ((TIED, tied), (ODD_CELLS, odd))
    sentences = tuple(sentence.format(names=", ".join(columns)) for sentence, columns in told if columns)
    return (REPEATED, *sentences) if is_repeated else sentences


def tying_columns(original: Microdata, released: Microdata) -> tuple[str, ...]:
    """Return the columns of a release by which records belong together in a way that no bound takes into account.

    These are household numbers where there are several columns of them, where some records have none, which shows too,
    or where they are not the households of the original; identifiers that several records share, such as the pseudonym
    of a patient who was seen twice, or that some lack; several columns of identifiers, such as the numbers of a
    person and of the spouse; and households that have the same numbers as persons, which show who has which.
    """
    homes = [one.name for one in released.schema.variables if one.role is Role.HOUSEHOLD]
    named = [name for name in released.schema.names if _names_people(original, released, name)]
    if _share_values(released, (*homes, *named)):
        return (*homes, *named)
    if len(homes) == 1 and _is_complete(released, homes[0]) and _holds_same_sets(original, released, homes[0]):
        homes = []
    if len(named) == 1 and (_is_empty(released, named[0]) or _tells_all_apart(released, named[0])):
        named = []
    return (*homes, *named)


def _share_values(data: Microdata, names: tuple[str, ...]) -> bool:
    """Tell whether some value is in two of the columns, however it is written there."""
    if len(names) < 2:
        return False
    texts = [{text_of(value) for value in data.codes(name)[1]} for name in names]
    return len(set().union(*texts)) < sum(map(len, texts))


def _is_complete(data: Microdata, name: str) -> bool:
    """Tell whether everybody has a value, or nobody."""
    codes, _ = data.codes(name)
    return bool((codes >= 0).all() or _is_empty(data, name))


def _is_empty(data: Microdata, name: str) -> bool:
    return bool((data.codes(name)[0] < 0).all())


def _tells_all_apart(data: Microdata, name: str) -> bool:
    codes, categories = data.codes(name)
    return bool((codes >= 0).all()) and len(categories) == data.n


def _names_people(original: Microdata, released: Microdata, name: str) -> bool:
    """Tell whether a column has, or had before it was masked, the role identifier."""
    return any(name in data.schema and data.schema[name].role is Role.IDENTIFIER for data in (original, released))


def _holds_same_sets(original: Microdata, released: Microdata, name: str) -> bool:
    """Tell whether records have the same number in the release if and only if their originals do."""
    if name not in original.schema:
        return False
    after, before = released.codes(name)[0], original.codes(name)[0][paired_rows(original, released)]
    if _is_empty(released, name):
        return True
    sets = [classes_of(np.array(codes, dtype=np.int64)).count for codes in ([after], [before], [after, before])]
    return len(set(sets)) == 1


def _has_plain_cells(data: Microdata, name: str) -> bool:
    """Tell whether the cells of a column are of types that show their value and nothing else."""
    series = data.table[name]
    dtype = series.dtype
    if dtype == nw.Categorical or isinstance(dtype, nw.Enum):
        kinds = {type(value) for value in factorise(series)[1] if value is not None}
        if not (kinds <= {str} or kinds <= {int, float}):
            return False
    elif not (dtype.is_numeric() or dtype.is_temporal() or dtype in (nw.String, nw.Boolean)):
        return False
    return series.n_unique() <= _measured_values(data, name)


def _measured_values(data: Microdata, name: str) -> int:
    """Return how many different values measures see in a column, what is missing code by code."""
    (values,), _ = coded_columns([data], name)
    _, numbers = np.unique(values, return_inverse=True)
    return classes_of(np.array([numbers, gap_codes([data], name)[0]], dtype=np.int64)).count
