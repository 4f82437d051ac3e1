"""What a release report is asked about: two files, how one was made from the other, and what is demanded of it."""

from dataclasses import dataclass
from enum import StrEnum

from sfumato.contracts import MaskingMethod, Part
from sfumato.data import Microdata
from sfumato.parameters.limits import Limit

HIPAA_THRESHOLD = 9.0  # percent, the cell size of 11 that US health agencies ask for


class Edition(StrEnum):
    """For whom a report is."""

    INTERNAL = "internal"
    """For those who decide on the release: everything, but no seed."""
    PUBLIC = "public"
    """For everybody: nothing that helps an intruder."""


class Standard(StrEnum):
    """Whose questions a report answers beside its own."""

    WP216 = "wp216"
    """Opinion 05/2014 of the Article 29 Working Party on anonymisation techniques."""
    HIPAA = "hipaa"
    """Expert determination under the HIPAA privacy rule of the United States."""
    ISO27559 = "iso27559"
    """ISO/IEC 27559:2022, a framework for de-identification."""


@dataclass(frozen=True)
class Alternative:
    """One of the ways to protect the file that a study compared: its name, risk and loss."""

    label: str
    risk: float
    loss: float
    is_on_front: bool = False


@dataclass(frozen=True)
class TradeOff:
    """What a study found: the alternatives by two figures.

    Parameters
    ----------
    risk, loss
        The symbols of the figures.
    risk_title, loss_title
        What they are called.
    alternatives
        The alternatives.
    """

    risk: str
    loss: str
    risk_title: str
    loss_title: str
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, eq=False)
class ReleaseQuestion:
    """What is asked.

    Parameters
    ----------
    original, released
        The file as it was, and as it is to be released.
    methods
        The methods that made the release, and what improved it after them; none where nobody tells them.
    control
        Records of the same population that the release was not made from.
    limits
        What is demanded of the release.
    k
        How many records should share the keys of each; None for what the recipe promises, or 3.
    standards, threshold
        Whose questions are answered, too, and the largest risk that HIPAA's expert takes for very small, in percent.
    same_order
        Whether both files are in the same order, where nothing else tells it.
    trade_off
        What a study of alternatives found.
    how_matched
        How the manifest matched the records, where it did.
    whole
        The file that the records of `original` are of, where others of it were kept back; None where none were.
    is_shuffled
        Whether the records were put into an order drawn at random; None where nothing tells it.
    is_release
        Whether the file is as it leaves the house, so that what its order and its numbers tell counts.
    """

    original: Microdata
    released: Microdata
    methods: tuple[Part, ...] = ()
    control: Microdata | None = None
    limits: tuple[Limit, ...] = ()
    k: int | None = None
    standards: tuple[Standard, ...] = ()
    threshold: float = HIPAA_THRESHOLD
    same_order: bool = False
    trade_off: TradeOff | None = None
    how_matched: str = ""
    whole: Microdata | None = None
    is_release: bool = False
    is_shuffled: bool | None = None

    @property
    def steps(self) -> tuple[MaskingMethod, ...]:
        """The methods that made the release."""
        return tuple(part for part in self.methods if isinstance(part, MaskingMethod))
