"""Everything in the five papers, in their order: methods, measures, experiments and figures, and where each is.

`INVENTORY` is read by the page about the papers and checked by its test: every name exists, every computed figure
belongs to one item, and what is not computed says why.
"""

from sfumato.papers.inventory.census_report import CENSUS_REPORT
from sfumato.papers.inventory.chapter_5 import CHAPTER_5
from sfumato.papers.inventory.item import Item, ItemKind, Standing
from sfumato.papers.inventory.outliers import OUTLIERS
from sfumato.papers.inventory.post_masking import POST_MASKING
from sfumato.papers.inventory.slides import SLIDES

INVENTORY: dict[str, tuple[Item, ...]] = {
    "chapter 5": CHAPTER_5,
    "slides": SLIDES,
    "Census report": CENSUS_REPORT,
    "post-masking": POST_MASKING,
    "outliers paper": OUTLIERS,
}

__all__ = ["INVENTORY", "Item", "ItemKind", "Standing"]
