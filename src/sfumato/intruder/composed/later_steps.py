"""What a masked record tells of its noisy values, through the steps that follow the noise.

A step that codes or rounds says between which values each lay. What others do is learnt from shadows, in which the
intruder has the file before and after them: near each masked value the mean of how far it was moved, and the variance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sfumato.contracts import Likelihood, Spans, columns_present
from sfumato.data import METRIC, Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.coded_columns import coded_columns
from sfumato.intruder.composed.linear_steps import ROUNDING_VARIANCE
from sfumato.intruder.composed.noise_chains import NoiseChain, NoisyShadow
from sfumato.intruder.composed.shared_values import NamedStrata
from sfumato.intruder.composed.value_scales import log_spans, sign_coordinate
from sfumato.intruder.shadow_masking import steps_by_column
from sfumato.kernels.linkage.composed_noise import Seen
from sfumato.numerics.arrays import CodeColumn, FloatColumn

NEAR = 60  # pairs of a masked value with what it was, from which the movement of values near it is learnt
LITTLE = 0.95  # of the variance of all noisy values: one that is blurred by as much tells nothing


@dataclass(frozen=True, eq=False)
class LaterSteps:
    """The steps after the noise of a chain, and shadows in which they can be watched."""

    chain: NoiseChain
    shadows: Sequence[NoisyShadow]

    @cached_property
    def learnt(self) -> tuple[str, ...]:
        """The columns of which some later step does not say between which values they lay."""
        sample = self.shadows[0].data
        return tuple(name for name in self.chain.names if self.spans(sample, name) is None)

    @cached_property
    def is_exact(self) -> bool:
        """Whether all spans are told by the recipe and the record alone."""
        return not self.learnt and all(not self.hangs_on_file(name) for name in self.chain.names)

    def hangs_on_file(self, name: str) -> bool:
        """Tell whether what later steps make of a value depends on other records, as thresholds by percent do."""
        if not self.chain.later[name]:
            return False
        if any(self.hidden_strata(number) for number in self.chain.later[name]):
            return True
        if not all(self.chain.steps[number].keeps_shape for number in self.chain.later[name]):
            return True  # where in the interval of another column a value lies may hang on anything
        shadow = self.shadows[0]
        noisy = self.chain.source.take_rows(shadow.rows).map_matrix(self.chain.names, lambda _: shadow.noisy)
        rising = np.argsort(noisy.values(name), kind="stable")
        parts = [np.sort(part) for part in (np.arange(noisy.n), *np.array_split(rising, 2))]
        (whole, *halves), _ = coded_columns([self.after(name, noisy.take_rows(part)) for part in parts], name)
        return any(
            not np.array_equal(whole[part], half, equal_nan=True) for part, half in zip(parts[1:], halves, strict=True)
        )

    def after(self, name: str, noisy: Microdata) -> Microdata:
        """Return a file after all later steps on a column."""
        for number in self.chain.later[name]:
            noisy = self.chain.steps[number].mask(noisy, np.random.default_rng(0))
        return noisy

    def seen(self, file: Microdata, strata: CodeColumn) -> Seen:
        """Return what the records of a masked file, in these strata, tell of their noisy values."""
        columns = [self.column(file, name) for name in self.chain.names]
        low, high, spread = (np.column_stack(part) for part in zip(*columns, strict=True))
        return Seen(low, high, spread, strata)

    def column(self, file: Microdata, name: str) -> tuple[FloatColumn, FloatColumn, FloatColumn]:
        """Return between which values those of a column lay, and by which variance they were blurred."""
        source = self.chain.source
        is_whole = source.table[name].dtype.is_integer()
        times = sum(name in source.select(self.chain.bound(number).columns) for number in self.chain.noisy_steps)
        rounding = ROUNDING_VARIANCE if is_whole and not self.chain.of_logarithms else 0.0
        spread = np.full(file.n, rounding * max(times - 1, 0))
        spans = self.spans_before_rounding(file, name)
        if spans is not None:
            spans = log_spans(spans) if self.chain.of_logarithms else spans
            return spans.low, spans.high, spread
        places, variances = self.blurred(file, name)
        return places, places, spread + variances + rounding

    def spans_before_rounding(self, file: Microdata, name: str) -> Spans | None:
        """Return between which values those of a column lay before they were rounded to whole numbers, if at all."""
        spans = None if name in self.learnt else self.spans(file, name)
        source = self.chain.source
        masked = any(name in source.select(self.chain.bound(number).columns) for number in self.chain.noisy_steps)
        half = 0.5 if masked and source.table[name].dtype.is_integer() else 0.0
        return None if spans is None else Spans(spans.low - half, spans.high + half)

    def signs(self, file: Microdata) -> Likelihood:
        """Return that noise of logarithms leaves signs as they are, in the columns of which spans are told."""
        found = []
        for name in self.chain.names if self.chain.of_logarithms else ():
            spans = self.spans_before_rounding(file, name)
            if spans is not None:
                found.append(sign_coordinate(self.chain.source.values(name), spans))
        return tuple(one for one in found if one is not None)

    def spans(self, file: Microdata, name: str) -> Spans | None:
        """Return between which values those of a column lay right after the noise, where later steps tell that."""
        if file.schema[name].kind in METRIC:
            found: Spans | None = Spans(file.values(name), file.values(name))
        else:
            found = Spans(np.full(file.n, np.nan), np.full(file.n, np.nan))
        for number in reversed(self.chain.later[name]):
            step = self.chain.steps[number]
            if found is None or any(stratum not in file.schema for stratum in step.strata):
                return None
            try:
                found = step.values_before(self.with_own_strata(file, name, number), name, found)
            except SfumatoError:
                return None
        return found

    def with_own_strata(self, file: Microdata, name: str, number: int) -> Microdata:
        """Return a file with the strata of a step as they were then, about, where later steps mask them."""
        strata = self.hidden_strata(number)
        if not strata or number != self.chain.later[name][-1]:
            return file
        runs = [(shadow.data, shadow.rows) for shadow in self.shadows]
        named = NamedStrata.of(self.chain.source, strata, name, runs, file)
        first = np.unique(named.numbers, return_index=True)[1]
        return file.with_columns_of(self.chain.source.take_rows(first[named.restored()]).take_columns(strata))

    def hidden_strata(self, number: int) -> tuple[str, ...]:
        """Return the columns of the strata of a step where only later steps mask any of them; else none."""
        strata = columns_present(self.chain.steps[number].strata, self.chain.source)
        touching = steps_by_column(self.chain.steps, self.chain.original, strata)
        numbers = [touched for some in touching.values() for touched in some]
        return strata if numbers and min(numbers) > number else ()

    def blurred(self, file: Microdata, name: str) -> tuple[FloatColumn, FloatColumn]:
        """Return about where the values of a column lay right after the noise, and the variance about that.

        What pairs near a masked value show is where such values come from in the file as a whole. The noise says where
        values of a record come from; so that this is not counted twice, what is known of any value is taken out.
        """
        place = self.chain.names.index(name)
        noisy = self.chain.scale(np.concatenate([shadow.noisy[:, place] for shadow in self.shadows]))
        (masked, *others), is_number = coded_columns([file, *(shadow.data for shadow in self.shadows)], name)
        if is_number:
            masked, *others = (self.chain.scale(column) for column in (masked, *others))
        after = np.concatenate(others)
        there = ~(np.isnan(noisy) | np.isnan(after))
        noisy, after = noisy[there], after[there]
        order = np.argsort(after, kind="stable")
        noisy, after = noisy[order], after[order]
        moved = noisy - after if is_number else noisy
        low, high = (np.searchsorted(after, masked, side) for side in ("left", "right"))
        if is_number:
            half = np.maximum(NEAR - (high - low), 0) // 2
            low, high = np.maximum(low - half, 0), np.minimum(high + half, len(after))
        counts = np.maximum(high - low, 1)
        sums, squares = (np.concatenate([[0.0], np.cumsum(part)]) for part in (moved, moved**2))
        mean = (sums[high] - sums[low]) / counts
        variance = (
            np.maximum((squares[high] - squares[low]) / counts - mean**2, 0.0) * counts / np.maximum(counts - 1, 1)
        )
        whole = float(noisy.var()) if len(noisy) else 0.0
        tells = (high - low > 1) & (variance < LITTLE * whole)
        place_of = mean + masked if is_number else mean
        left = np.where(tells, 1 - variance / max(whole, 1e-300), 1.0)
        centre = float(noisy.mean()) if len(noisy) else 0.0
        places = centre + (place_of - centre) / left
        return np.where(tells, places, np.nan), np.where(tells, variance / left, 0.0)
