"""Attribute inference: an intruder with the recipe guesses confidential values without being sure of any link."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.side_by_side import check_same_kind
from sfumato.contracts import InformedRisk, Measurement, check_records, paired_rows
from sfumato.contracts.figure_ends import lower_end
from sfumato.data import CATEGORICAL, Kind, Microdata, Selector, role
from sfumato.errors import DataError, KindError, UnknownColumnError
from sfumato.intruder import (
    ExchangedColumns,
    Runs,
    model_by_runs,
    posterior_of,
)
from sfumato.intruder.person_weights import person_weights
from sfumato.intruder.tied_links import tied_links
from sfumato.parameters import Columns, Records
from sfumato.risk.attributes._inference import Intruder, infer_column
from sfumato.risk.attributes._known_keys import check_not_recoded
from sfumato.risk.attributes._values_before_masking import values_before_masking

MAX_CUT = 0.1  # of the posterior: less outside the candidates is not worth a remark
UNDONE = "released values of {names} were run back through the recipe"


class AttributeInference(InformedRisk):
    """Tell how much better confidential values are guessed because the person's record is in the released file.

    The intruder knows `columns` of everybody and the recipe, and so has for each person the posterior probability that
    a released record is the person's, where no record is that of two persons; exchanged values and households are
    used where that errs less (as in `LikelihoodLinkage`). No link need be certain: the confidential value of each
    released record counts with its probability. The guess of a number is the weighted median, that of a category the
    most probable one, and the weighted 5 and 95 % quantiles of a number make an
    interval. Confidential values that are masked too are run back through the recipe: by runs of it that show what
    becomes of the values of others, where that errs less than to take them as they are released. A record whose
    probability is below one in a billion does not count. Nothing is proven of how much a cleverer intruder infers.

    The error of a number is the mean absolute error in percent of a standard deviation of the original column, that of
    a category the percent of wrong guesses. The same is done without the person's own record: with the weights of the
    others, who are like the person in what is known, or with the median or most frequent category of the whole file,
    which is taken too where no other record has a weight; whichever errs less over all persons is the error without the
    record. The value is 1 - error / error without the record, in percent, 0 where the record is no help, averaged over
    the confidential columns. Parts are that of each column, both errors, how many values lie in the intervals ("covered
    at 90"), and the mean width of these in percent of a standard deviation.

    Parameters
    ----------
    columns
        The columns that the intruder knows of everybody: continuous, ordinal or nominal.
    sensitive
        The confidential columns that the intruder wants to learn: continuous, ordinal or nominal. A rule such as
        `role(confidential)` leaves out the `columns`.
    max_candidates
        How many of the likeliest originals of each masked record are looked at one by one. Where far more are likely,
        intervals come out somewhat too narrow; a remark says so.
    seed
        Where the draws begin by which the intruder learns what a method does.

    Meaning
        0: the released record of a person tells no more than those of the others. 100: values are known exactly. 50:
        guesses are off by half as much as they would be without the person's record. What the file tells about
        everybody, such as that those with a high income pay much tax, is what it is released for, and does not count.
    Intruder
        Knows the exact original values of every person in the columns, the whole recipe but its seed, and that the
        person has a record in the masked file. Without a recipe, how values are moved is learnt from the true pairs, as
        if the intruder knew it.
    Missing values
        In the columns: where masking leaves them as they are, they must fit; otherwise a missing value tells nothing. A
        missing confidential value in the original has nothing to learn and is left out; in the masked file it tells
        nothing, and a person all of whose likely records lack the value is guessed from the whole file.
    Source
        Inference is the third risk of the Article 29 Data Protection Working Party (2014), Opinion 05/2014 on
        anonymisation techniques. The error as a share of that of a reference is the skill score of Murphy (1988), Skill
        scores based on the mean square error and their relationships to the correlation coefficient, here with absolute
        errors. What is learnt without the record as the reference: Dwork (2006), Differential privacy; Giomi, Boenisch,
        Wehmeyer and Tasnadi (2023), A unified framework for quantifying privacy risk in synthetic data.

    Examples
    --------
    >>> import polars
    >>> frame = polars.DataFrame({"age": [30.0, 41.0, 55.0, 70.0], "income": [20.0, 90.0, 50.0, 22.0]})
    >>> data = Microdata(frame)
    >>> found = AttributeInference(columns=("age",), sensitive=("income",)).measure(data, data)
    >>> found.value, found.parts["income (error)"], round(found.parts["income (error without the record)"])
    (100.0, 0.0, 75)
    """

    symbol: ClassVar[str] = "AI"
    family: ClassVar[str] = "attributes"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS}) | CATEGORICAL

    columns: Columns = role("key")
    sensitive: Columns = Field(default=role("confidential"), examples=[["wage_income"]])
    max_candidates: Annotated[Records, Field(ge=1, le=100_000)] = 64
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return how much smaller errors are than without the record, in percent, and the errors by column."""
        known = self.common_columns(original, masked)
        wanted = self._sensitive_columns(original, masked, known)
        check_records(type(self).__name__, original, masked)
        rows = paired_rows(original, masked)
        runs = Runs.of(original, masked, self._steps, self.seed)
        model = model_by_runs(runs, masked, known)
        posterior = posterior_of(model, self.max_candidates)
        intruder = Intruder(rows, posterior.original_classes[rows], posterior.masked_classes, person_weights(posterior))
        before = {name: values_before_masking(runs, masked, rows, name, known) for name in wanted}
        ties = tied_links(ExchangedColumns(runs, masked, known), model, posterior, rows)
        intruders = [intruder, *(intruder.with_links(links) for links in ties.values())]
        found = {
            name: min(
                (infer_column(one, original, masked, name, before[name]) for one in intruders),
                key=lambda column: column.error,
            )
            for name in wanted
        }
        value = float(np.mean([column.gain for column in found.values()]))
        cut = float(posterior.cut[posterior.masked_classes].mean())
        undone = [name for name, values in before.items() if values is not None]
        remarks = [self._sentence(known, value), *model.remarks]
        remarks += [UNDONE.format(names=", ".join(undone))] if undone else []
        if cut > MAX_CUT:
            remarks.append(
                f"about {100 * cut:.0f} % of the posterior lies outside the candidates, so that intervals may be too "
                f"narrow: raise max_candidates"
            )
        return Measurement(
            self.name(),
            self.symbol,
            value,
            parts={part: figure for name, column in found.items() for part, figure in column.parts(name).items()},
            remark="; ".join(remarks),
        )

    def _sentence(self, known: tuple[str, ...], value: float) -> str:
        recipe, least = "the recipe and " if self._steps else "", lower_end(value, None)
        columns = f"these {len(known)} columns" if len(known) > 1 else "this column"
        return (
            f"an intruder who knows {recipe}{columns} errs {least}{value:.1f} % less about confidential values than "
            f"without the record of the person"
        )

    def _sensitive_columns(self, original: Microdata, masked: Microdata, known: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of the confidential columns, after checking that both files have them in the same kind."""
        who = f"{type(self).__name__}.sensitive"
        names = original.select(self.sensitive)
        if isinstance(self.sensitive, Selector):
            names = tuple(name for name in names if name not in known and original.schema[name].kind in self.kinds)
            if not names:
                raise DataError(f"{who}: {self.sensitive} picks no column beside those in columns; name the columns")
        for name in names:
            if name in known:
                raise DataError(f"{who}: '{name}' is also in columns; name it in one of the two")
            self._check_sensitive(who, original, masked, name)
        return names

    def _check_sensitive(self, who: str, original: Microdata, masked: Microdata, name: str) -> None:
        if original.schema[name].kind not in self.kinds:
            expected = " or ".join(sorted(self.kinds))
            raise KindError(f"{who}: '{name}' is {original.schema[name].kind}; expected {expected} columns")
        if name not in masked.schema:
            raise UnknownColumnError(
                f"{who}: the masked file has no column '{name}'; what others, such as intervals, tell of it is not "
                f"measured: leave it out"
            )
        kind = check_same_kind(who, original, masked, name)
        if not masked.summary.observed(name):
            raise DataError(f"{who}: '{name}' has no observed value in the masked file; leave it out")
        if kind is not Kind.CONTINUOUS:
            check_not_recoded(who, name, original, masked)
        if _is_constant(original, name):
            raise DataError(
                f"{who}: '{name}' has fewer than 2 different values, so nothing can be learnt; leave it out"
            )


def _is_constant(data: Microdata, name: str) -> bool:
    if data.schema[name].kind is Kind.CONTINUOUS:
        return data.summary.observed(name) < 2 or not data.summary.deviation(name) > 0
    return sum(count > 0 for count in data.summary.counts(name).values()) < 2
