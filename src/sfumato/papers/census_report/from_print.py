"""The Census report: figures that follow from others in print, those of its confidential file too.

They tell that print agrees with itself, and how it is to be read; no method of Sfumato is run.

Losses and rates give the scores. Masking with another share of the same noise changes IL1s and IL2 by the root of the
share, which shows that the noise is X + sqrt(d) Y, and not X + d Y as the appendix has it. Rescaling changes neither
IL2 nor IL5.
"""

from collections.abc import Iterator
from math import sqrt
from statistics import NormalDist

from sfumato.papers.census_report import printed_tables as printed
from sfumato.papers.figure import Figure, FigureKind
from sfumato.papers.files import Files
from sfumato.papers.rounded_parts import half_unit, multiple_of_part, score_from_parts
from sfumato.papers.spread import UNLIKELY
from sfumato.scores import WeightedScore

PERCENT = 100
SQRT_2 = sqrt(2)
LOSSES = {
    "s0": ("IL2", "IL3", "IL4", "IL5"),
    "s1": ("IL1", "IL2", "IL3", "IL4", "IL5"),
    "s2": ("IL1s", "IL2", "IL4", "IL5"),
}
LOSS_OF = {"Ascore": "s0", "Dscore": "s1", "Sscore": "s2"}
SHARES = (1, 5, 10, 20)
DIVIDED = ("rnkswp", "add")
MISPRINTED_LOSSES = {
    (1, "add01", "s1"),
    (1, "add10", "s1"),
    (1, "mixadd20", "s1"),
    (5, "add01", "IL1s"),
    (5, "add01", "s1"),
    (5, "add01", "s2"),
    (5, "add01_sw", "s0"),
    (5, "add01_sw", "s1"),
    (5, "add01_sw", "s2"),
    (5, "mixadd20", "s1"),
    (5, "scalmixadd05", "s2"),
    (8, "rnkswp05", "s0"),
    (9, "rnkswp15", "s2"),
    (9, "mixadd01", "s1"),
}
MISPRINTED_SCORES = {
    (3, "rnkswp05", "Sscore d"),
    (3, "rnkswp15", "Sscore l"),
    (7, "rnkswp15", "Sscore full"),
    (7, "rnkswp15", "Sscore zone"),
    (7, "add01", "Dscore zone"),
    (7, "mixadd10", "Sscore zone"),
    (7, "mixadd20", "Dscore full"),
    (7, "mixadd20", "Sscore full"),
    (7, "mixadd20", "Dscore zone"),
    (7, "mixadd20", "Sscore zone"),
    (7, "scalmixadd05", "Dscore zone"),
    (7, "scalmixadd20", "Ascore zone"),
}
CONFIDENTIAL_RECORDS = 59_315
WHOLE_FILE = (4, 5)  # the tables of the confidential file without its parts
OTHER_RATES = {
    (3, "scalmixadd01", "d"): ".772",
    (3, "scalmixadd05", "d"): ".163",
    (3, "scalmixadd10", "d"): ".067",
    (7, "mixadd01", "zone"): ".0096, with which .0960 is a misprint",
}
RATIO = "the ratio of variances; the tolerance is the chance correlation of noise and data in so many records"
UNHALVED = "of rank swapping Table 7 prints the sum of loss and rate, and not its half"


def figures_from_print(files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
    """Yield the losses and scores that others in print give; none needs a file or a seed."""
    for number, text in printed.LOSS_TABLES.items():
        table = printed.cells(text, printed.TABLE_1_COLUMNS)
        yield from _mean_losses(number, table)
        yield from _halved_losses(number, table)
        yield from _laws_of_noise(number, table)
        if number in WHOLE_FILE:
            yield from _variances(number, table)
    for number in printed.SCORE_TABLES:
        yield from _scores(number)


def _mean_losses(number: int, table: dict[str, dict[str, str]]) -> Iterator[Figure]:
    for row, line in table.items():
        for symbol, names in LOSSES.items():
            mean = WeightedScore(weights=dict.fromkeys(names, 1 / len(names)))
            is_misprinted = (number, row, symbol) in MISPRINTED_LOSSES
            yield score_from_parts(_name(number, row, symbol), mean, line, line[symbol], is_misprinted)


def _halved_losses(number: int, table: dict[str, dict[str, str]]) -> Iterator[Figure]:
    for row, line in table.items():
        if row.startswith(DIVIDED):
            is_misprinted = (number, row, "IL1s") in MISPRINTED_LOSSES
            note = "" if is_misprinted else "not as its formula says: in these rows IL1s is IL1 / sqrt 2"
            figure = _name(number, row, "IL1s")
            yield multiple_of_part(figure, line["IL1"], 1 / SQRT_2, line["IL1s"], is_misprinted, note)


def _laws_of_noise(number: int, table: dict[str, dict[str, str]]) -> Iterator[Figure]:
    most = f"mixadd{SHARES[-1]:02}"
    for share in SHARES:
        row = f"mixadd{share:02}"
        for symbol in ("IL1s", "IL2") if share < SHARES[-1] else ():
            factor = sqrt(share / SHARES[-1])
            note = f"from the row {most}, by the root of the ratio of variances"
            yield multiple_of_part(
                _name(number, row, symbol), table[most][symbol], factor, table[row][symbol], note=note
            )
        for symbol in ("IL2", "IL5"):
            note = f"from the row {row}: rescaling leaves it as it is"
            figure = _name(number, f"scal{row}", symbol)
            yield multiple_of_part(figure, table[row][symbol], 1.0, table[f"scal{row}"][symbol], note=note)


def _variances(number: int, table: dict[str, dict[str, str]]) -> Iterator[Figure]:
    """Yield IL4 of noise, which is the ratio d of its variance, up to the chance correlation of noise and data.

    With that correlation r, of standard error 1 / sqrt n, a variance grows by d + 2 sqrt(d) r.
    """
    for row, line in table.items():
        if row.startswith(("add", "mixadd")):
            d = int(row.removesuffix("_sw")[-2:]) / PERCENT
            error = NormalDist().inv_cdf(1 - UNLIKELY / 2) * 2 * sqrt(d / CONFIDENTIAL_RECORDS)
            figure = _name(number, row, "IL4")
            tolerance = round(error + half_unit(line["IL4"]), 4)
            yield Figure(figure, FigureKind.PRINT, float(line["IL4"]), d, tolerance, RATIO)


def _scores(number: int) -> Iterator[Figure]:
    loss_text, rate_text, rate_columns, text, columns = printed.SCORE_TABLES[number]
    losses, rates = printed.cells(loss_text, printed.TABLE_1_COLUMNS), printed.cells(rate_text, rate_columns)
    for row, line in printed.cells(text, columns).items():
        is_sum = number == 7 and row.startswith("rnkswp")
        weight = PERCENT if is_sum else PERCENT / 2
        for column, score in line.items():
            name, rate = column.split()
            parts = {LOSS_OF[name]: losses[row][LOSS_OF[name]], "rate": rates[row][rate]}
            is_misprinted = (number, row, column) in MISPRINTED_SCORES
            note = UNHALVED if is_sum and not is_misprinted else ""
            if (number, row, rate) in OTHER_RATES:
                is_misprinted = True
                note = f"all three scores of the row come out with the rate {OTHER_RATES[number, row, rate]}"
            yield score_from_parts(
                _name(number, row, column),
                WeightedScore(weights=dict.fromkeys(parts, weight)),
                parts,
                score,
                is_misprinted,
                note,
            )


def _name(number: int, row: str, column: str) -> str:
    return f"Census report, from print, Table {number}, {row}: {column}"
