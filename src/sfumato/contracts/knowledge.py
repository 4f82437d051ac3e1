"""What an intruder who has the recipe knows about how a file was masked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sfumato.data import Microdata, Selection, Selector

if TYPE_CHECKING:
    from sfumato.contracts.improvers import Part
    from sfumato.contracts.methods import MaskingMethod


@dataclass(frozen=True)
class Knowledge:
    """Facts about masked columns, stated by the methods and used by the measures whose intruder can use them.

    A method states a fact only where it holds for every record of the file. A new kind of fact is a new field here,
    with a value that stands for "nothing is known".

    Parameters
    ----------
    rank_windows
        For columns whose values were moved among the ranks: the largest difference between the rank of a record's
        original value and that of its masked value, in percent of the records.
    individually_ranked
        Columns that were averaged over runs of their sorted values, each column by itself, so that no two values
        changed their order.
    steps
        The methods themselves, first one first, and what improved the file after them as one more: whoever has them can
        run them, and knows their likelihood.
    control
        Records of the same population that the masked file was not made from, on which an attack can be tried to see
        what it finds in persons who are not there; None where nobody has such records.
    shown
        What the release shows of who is who beside what its columns tell, in a sentence each, as that its records are
        in the order of the original: nothing is proven of it then.

    Examples
    --------
    >>> known = Knowledge.combine([Knowledge({"age": 10.0}), Knowledge({"income": 5.0})])
    >>> known.rank_window, known.about(("income", "tax")).rank_window, known.about(("tax",)).rank_window
    (10.0, 5.0, None)
    """

    rank_windows: Mapping[str, float] = field(default_factory=dict)
    individually_ranked: frozenset[str] = frozenset()
    steps: tuple["MaskingMethod", ...] = ()
    control: Microdata | None = None
    shown: tuple[str, ...] = ()

    @classmethod
    def of(cls, parts: Sequence["Part"], original: Microdata, control: Microdata | None = None) -> "Knowledge":
        """Return what an intruder knows who has the original file and the recipe of these methods and improvers."""
        steps = tuple(part.as_step(original) for part in parts)
        combined = cls.combine(step.knowledge(original) for step in steps)
        return replace(combined, steps=steps, control=control)

    @classmethod
    def combine(cls, steps: Iterable["Knowledge"]) -> "Knowledge":
        """Return what is known after several steps, one after the other: moves among the ranks of a column add up.

        A step that states nothing, such as noise, may move a column beyond the windows of the others. They are kept all
        the same: an attack with too narrow a window misses some records, and without one it would miss them all.
        """
        windows: dict[str, float] = {}
        ranked: frozenset[str] = frozenset()
        for step in steps:
            for name, window in step.rank_windows.items():
                windows[name] = min(windows.get(name, 0.0) + window, 100.0)
            ranked |= step.individually_ranked
        return cls(windows, ranked)

    @property
    def rank_window(self) -> float | None:
        """The widest window of all columns, in percent of the records; none where no ranks were swapped."""
        return max(self.rank_windows.values(), default=None)

    def about(self, columns: Selection) -> "Knowledge":
        """Return the facts about some columns: those named, or all of them for a rule such as `numeric`."""
        if isinstance(columns, Selector):
            return self
        windows = {name: window for name, window in self.rank_windows.items() if name in columns}
        return Knowledge(windows, self.individually_ranked.intersection(columns), self.steps, self.control, self.shown)


NOTHING = Knowledge()
"""No fact at all: what an intruder knows who does not have the recipe."""
