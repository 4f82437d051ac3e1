"""The figures of the classic papers, computed again: what is printed, what comes out, and whether they agree.

`PAPERS` lists them by paper and part; each gives its figures for the reference files and a seed, and, to see that they
can fail, for so many times the noise.
"""

from collections.abc import Iterator
from typing import Protocol

from sfumato.papers.census_report.findings import census_findings
from sfumato.papers.census_report.from_print import figures_from_print
from sfumato.papers.census_report.tables import table_1, table_2, table_3
from sfumato.papers.chapter_5 import chapter_5
from sfumato.papers.figure import Figure, FigureKind, Verdict
from sfumato.papers.files import Files
from sfumato.papers.outliers.figures import outlier_findings
from sfumato.papers.post_masking.masked import masked_rows
from sfumato.papers.post_masking.optimised import optimised_rows
from sfumato.papers.slides.clustering import slides_clustering
from sfumato.papers.slides.example import slides_example
from sfumato.papers.slides.fuzzy_clustering import slides_fuzzy_clustering
from sfumato.papers.slides.ipso import slides_ipso
from sfumato.papers.slides.rank_swapping import slides_rank_swapping
from sfumato.papers.slides.salary_table import slides_tables


class Paper(Protocol):
    """A paper, or a part of one."""

    def __call__(self, files: Files, seed: int, strength: float = 1.0) -> Iterator[Figure]:
        """Yield its figures, with so many times the noise, window or group size that it states."""


PAPERS: dict[str, Paper] = {
    "chapter 5": chapter_5,
    "slides, table": slides_tables,
    "slides, example": slides_example,
    "slides, rank swapping": slides_rank_swapping,
    "slides, IPSO": slides_ipso,
    "slides, clustering": slides_clustering,
    "slides, fuzzy clustering": slides_fuzzy_clustering,
    "Census report, Table 1": table_1,
    "Census report, Table 2": table_2,
    "Census report, Table 3": table_3,
    "Census report, findings": census_findings,
    "Census report, from print": figures_from_print,
    "post-masking": masked_rows,
    "post-masking optimised": optimised_rows,
    "outliers paper": outlier_findings,
}

__all__ = ["PAPERS", "Figure", "FigureKind", "Files", "Verdict"]
