"""Which steps of a recipe need not be undone: nobody links more after them than before them.

What a later step makes of a file tells no more than the file itself, as long as the step sees only that file, and not
in which order its records stand: the intruder has the original in that order. A step that gives equal values different
draws by their place tells who is who. So a step may be left out, wherever it stands, if it could just as well come
last, and if the order of the records does not matter to it.
"""

from collections.abc import Sequence

from sfumato.contracts import ImprovingStep, MaskingMethod, columns_present
from sfumato.data import Microdata
from sfumato.intruder.bounds.proof_conditions import Proven, is_fixed, is_ours, is_proven
from sfumato.intruder.step_columns import columns_read


def columns_that_matter(steps: Sequence[MaskingMethod], data: Microdata, names: Sequence[str]) -> set[str]:
    """Return the columns of a file that decide what steps make of some columns, and which records they keep."""
    found = set(names)
    for step in reversed(steps):
        if step.family == "sampling":
            found |= {
                name for field in ("household", "within") for name in columns_present(getattr(step, field, ()), data)
            }
        elif not step.drops_only_columns and found & set(columns_present(step.columns, data)):
            found |= columns_read(step, data)
    return found


def without_dropped_columns(
    steps: Sequence[MaskingMethod], data: Microdata, names: Sequence[str]
) -> tuple[tuple[MaskingMethod, ...], Microdata]:
    """Return a recipe without the steps that drop columns which no step before reads, and a file without these.

    Whether such a column is dropped last or first, the same is released. Nothing is left out where a step looks at the
    original beside the file.
    """
    if any(step.reads_original or isinstance(step, ImprovingStep) for step in steps):
        return tuple(steps), data
    read, dropped, left = set(names), set[str](), list[MaskingMethod]()
    for step in steps:
        found = set(columns_present(step.columns, data))
        if step.drops_only_columns and is_proven(step, Proven.ALIKE) and not found & read:
            dropped |= found
            continue
        left.append(step)
        read |= columns_read(step, data) if _reads_what_it_names(step) else set(data.schema.names)
    kept = tuple(name for name in data.schema.names if name not in dropped)
    return tuple(left), data.take_columns(kept) if dropped else data


def with_samples_last(steps: Sequence[MaskingMethod], data: Microdata) -> tuple[MaskingMethod, ...]:
    """Return a recipe in which samples are drawn after the steps that make the same of a record whoever is drawn.

    The files that it makes are the same. What becomes of each record is then known, whoever is drawn.
    """
    found = list(steps)
    for last in range(len(found) - 1, 0, -1):
        for number in range(last):
            sample, step = found[number : number + 2]
            changed = set(columns_present(step.columns, data))
            if draws_equally(sample) and is_fixed(step) and not changed & columns_read(sample, data):
                found[number : number + 2] = step, sample
    return tuple(found)


def draws_equally(step: MaskingMethod) -> bool:
    """Tell whether a step draws a sample in which each record, or household, is as likely to be as any other."""
    return step.family == "sampling" and is_proven(step, Proven.ALIKE)


def _reads_what_it_names(step: MaskingMethod) -> bool:
    """Tell whether it is known of a step that it reads no columns but those that its parameters name."""
    return is_proven(step, Proven.ALIKE | Proven.DENSITY | Proven.GROUPS) or (
        is_ours(step) and step.family == "microaggregation"
    )


def sees_only_the_file(step: MaskingMethod) -> bool:
    """Tell whether a step looks at nothing but the file that it is given, as far as that tells who is who."""
    if isinstance(step, ImprovingStep):
        return not step.improver.uses_pairs
    return not step.reads_original


def treats_equals_alike(step: MaskingMethod) -> bool:
    """Tell whether the place of a record in the file does not decide what becomes of it among its equals."""
    return is_proven(step, Proven.ALIKE)


def states_density(step: MaskingMethod) -> bool:
    """Tell whether a method masks records independently of each other and says how likely it makes each pair."""
    return is_proven(step, Proven.DENSITY)


def has_groups(step: MaskingMethod) -> bool:
    """Tell whether a method makes the records of groups alike, but for draws."""
    return is_proven(step, Proven.GROUPS)


def steps_without_bound(steps: Sequence[MaskingMethod]) -> tuple[str, ...]:
    """Return the names of the steps that neither treat records one by one nor say how likely each pair is."""
    found = [
        step for step in steps if not states_density(step) and (step.ignores_order or not treats_equals_alike(step))
    ]
    names = [step.improver.name() if isinstance(step, ImprovingStep) else step.name() for step in found]
    return tuple(dict.fromkeys(names))


def without_later_steps(
    steps: Sequence[MaskingMethod], original: Microdata, names: Sequence[str]
) -> tuple[MaskingMethod, ...]:
    """Return a recipe without the steps that follow one on the same columns that states its density.

    All steps where one of those could not come last as well: where what it reads is changed after it, what it changes
    is read after it, or records are drawn after it. So too where it reads a column that is not among the known
    `names`: what it does by strata, say, shows in the known columns who is in which.
    """
    kept: list[tuple[int, MaskingMethod]] = []
    left: list[tuple[int, MaskingMethod]] = []
    covered: set[str] = set()
    for number, step in enumerate(steps):
        columns = set(columns_present(step.columns, original))
        if columns and columns <= covered:
            left.append((number, step))
            continue
        kept.append((number, step))
        covered |= columns if states_density(step) else set()
    for number, late in left:
        if not columns_read(late, original) <= set(names):
            return tuple(steps)
        for _, other in (one for one in kept if one[0] > number):
            changed, read = set(columns_present(late.columns, original)), columns_read(late, original)
            if not other.keeps_shape and not other.drops_only_columns:
                return tuple(steps)
            if read & set(columns_present(other.columns, original)) or changed & columns_read(other, original):
                return tuple(steps)
        if not treats_equals_alike(late):
            return tuple(steps)
    return tuple(step for _, step in kept)
