"""How well a score distinguishes members from others: area, true positives at few false ones, and epsilon."""

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn
from sfumato.risk.synthetic._independent_size import independent_size, sums_by
from sfumato.risk.synthetic._rates import share_chance

LEVEL = 0.05  # of the confidence intervals and of the bound on epsilon, over all attacks together


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of members and of others; the higher, the more a member.

    Parameters
    ----------
    members, others
        The scores.
    households
        The household of each member and of each other person; None where each is one by itself. The tests compare
        households then, since the members of one score alike.
    """

    members: FloatColumn
    others: FloatColumn
    households: tuple[CodeColumn, CodeColumn] | None = None

    @property
    def area(self) -> float:
        """The area under the curve: how often a member has a higher score than another person, ties by half."""
        below, up_to = (np.searchsorted(np.sort(self.others), self.members, side=side) for side in ("left", "right"))
        return float((below + up_to).mean()) / (2 * self.others.size)

    def area_interval(self, attacks: int) -> tuple[float, float]:
        """Return the ends of the confidence interval of the area (DeLong, DeLong and Clarke-Pearson 1988)."""
        from scipy.special import ndtri

        spread = 0.0
        for one, other in ((self.members, self.others), (self.others, self.members)):
            rising = np.sort(other)
            below, up_to = (np.searchsorted(rising, one, side=side) for side in ("left", "right"))
            places = (below + up_to) / (2 * other.size)
            homes = np.arange(one.size) if self.households is None else self.households[one is self.others]
            sums = sums_by(homes, places - places.mean())  # of persons who live together: Obuchowski (1997)
            count = sums.size
            spread += count / (count - 1) * float((sums**2).sum()) / one.size**2 if count > 1 else 1.0
        width = float(-ndtri(LEVEL / (2 * attacks))) * sqrt(spread)
        return max(self.area - width, 0.0), min(self.area + width, 1.0)

    @property
    def area_chance(self) -> float:
        """How probably scores of one distribution have so large an area: the test of Mann and Whitney, one-sided.

        A household counts once, with the mean rank of its members.
        """
        from scipy.special import ndtr

        if self.households is not None:
            return self._of_households().area_chance
        m, n = self.members.size, self.others.size
        _, ties = np.unique(np.concatenate([self.members, self.others]), return_counts=True)
        ties = ties.astype(np.float64)
        total = float(m + n)
        variance = m * n / 12 * (total + 1 - float((ties**3 - ties).sum()) / (total * (total - 1)))
        return float(ndtr(-(self.area - 0.5) * m * n / sqrt(variance))) if variance > 0 else 1.0

    def top_chance(self, share: float) -> float:
        """Return how probably so many of those with the highest scores, at most this share, are members.

        Households count once.
        """
        pooled = np.sort(np.concatenate([self.members, self.others]))[::-1]
        threshold = pooled[int(share * pooled.size)]
        above = (self.members > threshold, self.others > threshold)
        homes = self.households or tuple(np.arange(side.size) for side in above)
        right, wrong = (np.unique(home[side]).size for home, side in zip(homes, above, strict=True))
        return share_chance(right, np.unique(homes[0]).size, wrong, np.unique(homes[1]).size)

    def true_positives(self, false_positives: float) -> float:
        """Return the share of members found where this share of the others is taken for members, on the curve."""
        thresholds = np.unique(np.concatenate([self.members, self.others]))
        wrong, right = (_shares_above(scores, thresholds) for scores in (self.others, self.members))
        wrong, right = np.append(wrong, 1.0), np.append(right, 1.0)
        order = np.lexsort((right, wrong))
        wrong, right = wrong[order], right[order]
        last = np.append(wrong[1:] != wrong[:-1], True)  # the highest of those with as many false positives
        return float(np.interp(false_positives, wrong[last], right[last]))

    def true_positive_interval(self, false_positives: float, attacks: int) -> tuple[float, float]:
        """Return the ends of the confidence interval of that share, for other persons too.

        Either end takes the threshold that is surely stricter, or laxer, and the exact interval of the share there, for
        as many persons as those who live together count for. Equal scores are put in an order by lot, as an intruder
        must who wants so many false positives.
        """
        tail = LEVEL / (4 * attacks)
        members, others = self._in_order()
        homes, other_homes = self.households or (None, None)
        n, falling = others.size, np.sort(others)[::-1]
        share = independent_size(others >= falling[int(false_positives * n)], other_homes) / n
        few = range(int(false_positives * n) + 1)
        strict = sum(upper_share(count * share, n * share, tail) <= false_positives for count in few) - 1
        lax = next((k for k in range(n) if lower_share(k * share, n * share, tail) >= false_positives), n)
        low, high = 0.0, 1.0
        if strict >= 0:
            low = lower_share(*_found_of(members > falling[strict], homes), tail)
        if lax < n:
            high = upper_share(*_found_of(members >= falling[lax], homes), tail)
        return low, high

    def _in_order(self) -> tuple[FloatColumn, FloatColumn]:
        """Return the places of the scores among all, those of equal ones by lot."""
        pooled = np.concatenate([self.members, self.others])
        order = np.lexsort((np.random.default_rng(0).random(pooled.size), pooled))
        places = np.empty(pooled.size)
        places[order] = np.arange(pooled.size)
        return places[: self.members.size], places[self.members.size :]

    def half(self, which: int) -> "Scores":
        """Return every other score, or those of every other household."""
        if self.households is None:
            return Scores(self.members[which::2], self.others[which::2])
        (homes, other_homes), (ours, theirs) = self.households, (home % 2 == which for home in self.households)
        return Scores(self.members[ours], self.others[theirs], (homes[ours], other_homes[theirs]))

    def _of_households(self) -> "Scores":
        """Return the mean rank of each household."""
        if self.households is None:
            return self
        _, place, counts = np.unique(
            np.concatenate([self.members, self.others]), return_inverse=True, return_counts=True
        )
        ranks = np.split((np.cumsum(counts) - (counts - 1) / 2)[place], [self.members.size])
        ours, theirs = (
            sums_by(home, rank) / sums_by(home, np.ones(rank.size))
            for home, rank in zip(self.households, ranks, strict=True)
        )
        return Scores(ours, theirs)


def epsilon_bound(attacks: list[Scores]) -> float:
    """Return what the epsilon of differential privacy is at least, with 95 % confidence; 0 where nothing shows it.

    Attack and threshold are chosen on one half of the persons, the bound is of the other half: if epsilon were smaller,
    true positives could not be e^epsilon times the false ones.
    """
    best, chosen, threshold = 0.0, attacks[0], np.inf
    for scores in attacks:
        half = scores.half(0)
        for value in _thresholds(half.others):
            bound = _bound(half, value)
            if bound > best:
                best, chosen, threshold = bound, scores, value
    return _bound(chosen.half(1), threshold)


def _thresholds(others: FloatColumn) -> FloatColumn:
    falling = np.sort(others)[::-1]
    places = np.unique(np.geomspace(1, max(falling.size, 1), 20).astype(int)) - 1
    return np.asarray(falling[places], dtype=np.float64)


def _bound(scores: Scores, threshold: float) -> float:
    """Return the logarithm of the surely true over the possibly false positives, at least 0."""
    if not scores.members.size or not scores.others.size:
        return 0.0
    homes, other_homes = scores.households or (None, None)
    low = lower_share(*_found_of(scores.members > threshold, homes), LEVEL / 2)
    high = upper_share(*_found_of(scores.others > threshold, other_homes), LEVEL / 2)
    return max(log(low / high), 0.0) if low > 0 else 0.0


def _found_of(is_found: Booleans, households: CodeColumn | None) -> tuple[float, float]:
    """Return how many are found, and of how many, in independent persons."""
    size = independent_size(is_found, households)
    return size * float(is_found.mean()), size


def lower_share(right: float, n: float, tail: float) -> float:
    """Return the lower end of the exact (Clopper-Pearson) interval of a share, with this chance to be below."""
    from scipy.special import betaincinv

    return float(betaincinv(right, n - right + 1, tail)) if right > 0 else 0.0


def upper_share(right: float, n: float, tail: float) -> float:
    """Return the upper end of the exact interval of a share, with this chance to be above."""
    from scipy.special import betaincinv

    return float(betaincinv(right + 1, n - right, 1 - tail)) if right < n else 1.0


def _shares_above(scores: FloatColumn, thresholds: FloatColumn) -> FloatColumn:
    rising = np.sort(scores)
    return np.asarray(1 - np.searchsorted(rising, thresholds, side="right") / scores.size, dtype=np.float64)
