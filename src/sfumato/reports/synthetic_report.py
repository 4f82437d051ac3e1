"""A synthetic file beside its original: what it gives away, and how alike columns and pairs of columns are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.assessment import Assessment, assess
from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, Role, role
from sfumato.data.releases import copies_of
from sfumato.display import (
    Column,
    Table,
    format_count,
    header_column,
    heading,
    paragraph,
    picture,
    pictures,
    render_notebook,
)
from sfumato.display.html import render_page
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.loss import TablePropensityLoss
from sfumato.reports.column_classes import MIN_RECORDS
from sfumato.reports.column_groups import WithinGroups, check_groups, group_column

if TYPE_CHECKING:
    import polars

    from sfumato.display.figure import StyledFigure

CONFIDENTIAL = (
    "This page shows distributions of the original, too: keep it with the original, it is not for publication."
)
LIVE_TOGETHER = (
    "Chance is that of records drawn one by one. Members of a household are alike: where households are drawn whole, "
    "chance explains figures of about 3, and single ones of up to 13."
)
CHANCE_MEANS = (
    "A ratio of 1 is what chance explains of records that are drawn from one fit; where each copy rests on a bootstrap "
    "sample{here}, chance explains about 2."
)
NO_VERDICT = "Whether the file leaks was not tested: that needs a control, records kept back before it was made."
COLOURS_MEAN = "Grey is the original, blue the synthetic file."
MAX_COLUMNS = 30  # of the map of pairs
WORST = 10  # pairs that are listed
LEFT_OUT = {Role.IDENTIFIER, Role.HOUSEHOLD}


def synthetic_report(
    original: Microdata,
    synthetic: Microdata,
    *,
    control: Microdata | None = None,
    methods: Sequence[MaskingMethod] = (),
    remarks: Sequence[str] = (),
    within_groups: WithinGroups | None = None,
) -> "SyntheticReport":
    """Return a report on a synthetic file: its assessment without pairs, and pictures of it beside the original.

    Parameters
    ----------
    original, synthetic
        Both files.
    control
        Records of the same population that the synthetic file was not made from.
    methods
        The methods that made the file, as in `recipe.steps`.
    remarks
        Sentences about how it was made, to be shown above the figures.
    within_groups
        Columns to be shown within the groups that categories of others make, as `{"wage": ["region", "sex"]}`.
    """
    check_groups(original, synthetic, within_groups or {})
    found = assess(original, synthetic, methods=methods, control=control)
    is_bootstrapped = any(getattr(method, "bootstrap", False) for method in methods)
    return SyntheticReport(original, synthetic, found, tuple(remarks), dict(within_groups or {}), is_bootstrapped)


@dataclass(frozen=True, eq=False)
class SyntheticReport(TabularResult):
    """A synthetic file beside its original.

    Parameters
    ----------
    original, synthetic
        Both files.
    assessment
        What the synthetic file gives away, and what was lost.
    remarks
        Sentences about how it was made.
    within_groups
        Columns to be shown within the groups that others make.
    is_bootstrapped
        Whether the methods that made the file, where they are known, drew their parameters from bootstrap samples.
    """

    original: Microdata
    synthetic: Microdata
    assessment: Assessment
    remarks: tuple[str, ...] = ()
    within_groups: WithinGroups = field(default_factory=dict)
    is_bootstrapped: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that both files have, with values in both, without identifiers."""
        shared = tuple(
            variable.name
            for variable in self.original.schema.variables
            if variable.role not in LEFT_OUT
            and variable.name in self.synthetic.schema
            and all(file.observed(variable.name).any() for file in (self.original, self.synthetic))
        )
        if not shared:
            raise DataError("the synthetic file has no column of the original, with values in both, to be compared")
        return shared

    def to_page(self, title: str) -> str:
        """Return the report as an HTML page that stands alone."""
        return render_page(title, self._sections(), notice=CONFIDENTIAL)

    def worst_pairs(self) -> Table:
        """Return the pairs of columns whose tables differ most from what chance explains."""
        columns = (header_column("columns"), Column("ratio"), Column("told apart", unit="%"))
        rows = tuple(self._ratios()[:WORST])
        return Table(columns, rows, title="Pairs that differ most", notes=(self._chance_means,))

    @property
    def _chance_means(self) -> str:
        return CHANCE_MEANS.format(here=", as here" if self.is_bootstrapped else "")

    def _ratios(self) -> list[tuple[str, float, float]]:
        """Return for each two columns how far their table differs: as a ratio to chance, and in percent."""
        tables = TablePropensityLoss(columns=self._in_map).tables(self.original, self.synthetic)
        pairs = sorted((item for item in tables.items() if len(item[0]) == 2), key=lambda item: -item[1].ratio)
        return [(" and ".join(names), table.ratio, table.percent) for names, table in pairs]

    def to_frame(self) -> "polars.DataFrame":
        """Return the figures of the assessment as a polars dataframe."""
        return self.assessment.to_frame()

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain dicts and lists, ready for JSON."""
        pairs = [{"columns": name, "ratio": ratio, "percent": percent} for name, ratio, percent in self._ratios()]
        return {"assessment": self.assessment.to_dict(), "pairs": pairs, "remarks": list(self.remarks)}

    def figure(self, name: str | None = None) -> "StyledFigure":
        """Return a figure of a column in both files; the map of all pairs when none is named."""
        from sfumato.reports.synthetic_figures import plot_columns, plot_pairs

        if name is None:
            return plot_pairs(self.original, self.synthetic, self._in_map)
        if name not in self.columns:
            raise ParameterError(
                [f"SyntheticReport.figure: both files have no column '{name}'{did_you_mean(name, self.columns)}"]
            )
        return plot_columns(self.original, self.synthetic, (name,))[0]

    def __repr__(self) -> str:
        shown = [self.assessment.leak_verdict or NO_VERDICT, self.assessment.to_table().to_text()]
        if len(self._in_map) > 1:
            shown.append(self.worst_pairs().to_text())
        return "\n\n".join(shown)

    def _repr_html_(self) -> str:
        verdict = self.assessment.leak_verdict or NO_VERDICT
        shown = [paragraph(verdict), self.assessment.to_table().to_html()]
        if len(self._in_map) > 1:
            shown.append(self.worst_pairs().to_html())
        return render_notebook(shown)

    @property
    def _in_map(self) -> tuple[str, ...]:
        return tuple(name for name in self.columns if self.original.schema[name].kind is not Kind.DATE)[:MAX_COLUMNS]

    @property
    def _not_in_map(self) -> str:
        left = [name for name in self.columns if name not in self._in_map]
        return f" Not in it, as dates or after the first {MAX_COLUMNS} columns: {', '.join(left)}." if left else ""

    def _sections(self) -> Iterator[str]:
        from sfumato.reports.synthetic_figures import plot_columns, plot_pairs

        yield paragraph(self.assessment.leak_verdict or NO_VERDICT)
        copies = len(copies_of(self.original, self.synthetic))
        in_copies = f" in {copies} copies" if copies > 1 else ""
        yield paragraph(
            f"{format_count(self.synthetic.n, 'synthetic record')}{in_copies} beside "
            f"{format_count(self.original.n, 'record')} of the original."
        )
        yield from (paragraph(remark) for remark in self.remarks)
        yield heading("What it gives away, and what was lost")
        yield self.assessment.to_table().to_html()
        yield heading("Column by column")
        yield pictures(
            [figure.to_svg() for figure in plot_columns(self.original, self.synthetic, self.columns)],
            f"{COLOURS_MEAN} Percent of the records. No bar stands for fewer than {MIN_RECORDS} original records: of "
            f"rarer categories the next ones join them, and a bar of a number that is wider than others has its "
            f"percent spread over its width. The outermost bars of a number hold all that lies beyond. A number that "
            f"a tenth of the records have is told in words, as are missing values.",
        )
        for name, within in self.within_groups.items():
            yield from self._groups_of(name, within)
        yield heading("Pairs of columns")
        if self.original.select(role("household")):
            yield paragraph(LIVE_TOGETHER)
        yield picture(
            plot_pairs(self.original, self.synthetic, self._in_map).to_svg(),
            "How far the table of each two columns, or of one on the diagonal, is from the original's, numbers in five "
            f"classes. {self._chance_means} Above 10 a table is of little use.{self._not_in_map}",
        )
        if len(self._in_map) > 1:
            yield self.worst_pairs().to_html()

    def _groups_of(self, name: str, within: Sequence[str]) -> Iterator[str]:
        """Return the heading and the picture of a column within groups."""
        from sfumato.reports.synthetic_figures import JOINED, plot_shares

        found = group_column(self.original, self.synthetic, name, within)
        yield heading(f"{name} within groups of {' and '.join(within)}")
        if found.groups:
            rest = f"; {format_count(found.left_out, 'smaller group')} not shown" if found.left_out else ""
            hidden = any(np.isnan(group.original).any() for group in found.groups)
            few = f" {JOINED}: fewer than {MIN_RECORDS} of the group, counted under other." if hidden else ""
            yield pictures(
                [figure.to_svg() for figure in plot_shares(found.groups, same_axes=True)],
                f"{COLOURS_MEAN} Percent of the records of the group, on the same axes, the largest groups "
                f"first{rest}. Bars are joined, and those at the ends hold what lies beyond, as above.{few}",
            )
        else:
            yield paragraph(f"No group has {MIN_RECORDS} records of the original.")
