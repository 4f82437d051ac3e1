"""Whether what attacks on membership find is a leak, a trace too small to matter, or chance.

Every file that keeps the distributions of its persons shows a trace of them: a model of p free numbers, fitted to n
persons, is nearer to these than to others by about p / n, and a test of all of them sees that, however large n is
(decision 0036). So chance alone does not tell what matters, and there are limits of size, the same for all files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sfumato.risk.synthetic._copied_columns import ColumnCopies
from sfumato.risk.synthetic._membership_rates import Scores
from sfumato.risk.synthetic._rates import finds_leak

FEW, VERY_FEW = 0.01, 0.001  # of the others who are taken for members
MAX_RATIO = 2  # so many times as many members as others may be found among the few before that is a leak
MAX_AREA = 0.55  # where the area is surely below, who bets on membership is right in at most 55 of 100 cases
COPIES = "exact copies"


@dataclass(frozen=True)
class MembershipVerdict:
    """What the attacks show.

    Parameters
    ----------
    is_beyond_chance
        Whether some attack finds more than chance explains.
    is_leak
        Whether that may matter: see `judge_membership`.
    by_area
        The attack whose area is least explained by chance.
    is_by_area
        Whether that explains less than all counts of the few do.
    copied
        The column whose values come back most surely, if any do.
    is_by_frequencies
        Whether only their frequencies tell that.
    kept_counts
        Columns of categories that hold each so nearly as often as the original that it was not drawn: kept on purpose,
        or copied, which the file does not tell.
    comparisons
        How many differences between members and others were tested.
    """

    is_beyond_chance: bool
    is_leak: bool
    by_area: str
    is_by_area: bool
    copied: ColumnCopies | None = None
    is_by_frequencies: bool = False
    kept_counts: tuple[str, ...] = ()
    comparisons: int = 0

    @property
    def is_trace(self) -> bool:
        """Whether there is something beyond chance that is no leak."""
        return self.is_beyond_chance and not self.is_leak


def judge_membership(found: Mapping[str, Scores], columns: Sequence[ColumnCopies] = ()) -> MembershipVerdict:
    """Return what the scores of all attacks show, and the values of single columns that come back.

    What is beyond chance is a leak unless it is shown to be small: if an attack finds more than 2 % of the members
    where 1 % of the others are taken for them; if the interval of an area reaches 55 %, as it does where few persons
    are asked; if exact copies are beyond chance; if those whom .1 % of the others go with are, and more than twice
    as many; if the values of a column come back, for 10 % more of the members than of the others; or if those of a
    number are so nearly as frequent as in the original that they were taken from it and not drawn.
    """
    areas = {name: scores.area_chance for name, scores in found.items()}
    few, very_few = ({name: each.top_chance(share) for name, each in found.items()} for share in (FEW, VERY_FEW))
    chances = [*areas.values(), *few.values(), *very_few.values(), *(column.chance for column in columns)]
    numbers, categories = ([column for column in columns if column.is_number is wanted] for wanted in (True, False))
    chances += [column.closeness_chance for column in numbers]
    by_area = min(areas, key=lambda name: areas[name])
    is_beyond_chance = finds_leak(chances)

    def is_rare(chance: float) -> bool:
        return finds_leak([chance], len(chances))

    by_values = [column for column in columns if is_rare(column.chance)]
    copied = [*by_values, *(column for column in numbers if is_rare(column.closeness_chance))]
    kept = tuple(column.name for column in categories if is_rare(column.closeness_chance))
    is_leak = is_beyond_chance and (
        bool(copied)
        or any(scores.true_positives(FEW) > MAX_RATIO * FEW for scores in found.values())
        or any(scores.area_interval(len(found))[1] >= MAX_AREA for scores in found.values())
        or any(is_rare(each[COPIES]) for each in (areas, few, very_few) if COPIES in each)
        or any(
            is_rare(very_few[name]) and scores.true_positives(VERY_FEW) > MAX_RATIO * VERY_FEW
            for name, scores in found.items()
        )
    )
    is_by_area = areas[by_area] <= min(*few.values(), *very_few.values())
    surest = min(copied, key=lambda each: min(each.chance, each.closeness_chance), default=None)
    is_by_frequencies = surest is not None and not is_rare(surest.chance)
    return MembershipVerdict(
        is_beyond_chance, is_leak, by_area, is_by_area, surest, is_by_frequencies, kept, len(chances)
    )
