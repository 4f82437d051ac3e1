"""The words of the rules of outputs."""

from sfumato.parameters.word import PERCENT, RECORDS, Word

OUTPUTS: dict[str, Word] = {
    "min_units": Word("the fewest records that an output may stand for", RECORDS),
    "dominance_n": Word("how many of the largest contributions to an output are taken together", "records"),
    "dominance_percent": Word("what they may not exceed of the sum", PERCENT),
    "min_freedom": Word("the fewest residual degrees of freedom of a model", "degrees of freedom"),
    "max_leverage": Word("the largest weight of a record in its own fitted value", PERCENT),
    "full_cells": Word("what to do where everybody of a group has one category"),
    "zero_cells": Word("what to do where nobody of a group has a category"),
    "rounding": Word("the base that shown counts are rounded to", "count"),
}
"""The words of the rules that outputs of a project are judged by."""
