"""Why a limit on k is not met: against whom k does not hold, and what helps against that one."""

from typing import NamedTuple


class Cause(NamedTuple):
    """Whom a limit on k does not hold against, and what to do about it."""

    against: str
    advice: str


READ_OFF = Cause(
    "whoever reads a key, or a part of it, off other columns",
    "leave out the columns off which a key can be read, or make them keys too (see the notes)",
)
GAPS = Cause("whoever reads gaps of keys", "join categories whose gaps tell them, or leave the key out (see the notes)")
TOGETHER = Cause(
    "whoever reads who lives together off other columns",
    "leave out the columns off which that can be read, or put them into larger classes (see the notes)",
)
ONE_SIDE = Cause(
    "whoever looks for one person by keys, gaps and other columns",
    "drop columns, weights too, that rule out all but a few records of a person, or put them into larger classes (see "
    "the notes)",
)
LEARNING = Cause(
    "whoever learns from other records what goes with what",
    "drop or coarsen the columns by which that is learnt (see the notes)",
)
REPEATED = Cause(
    "whoever knows that one person has several records",
    "keep one record of each person, or protect a file with one row for each (see the notes)",
)
FEW_UNITS = Cause(
    "whoever knows which records are of one person or household, by whole records",
    "name that number in the step that makes records equal, or give it its role; where another has it, make larger "
    "groups (see the notes)",
)
BY_KEYS = Cause("whoever knows the keys", "take a larger k, broader hierarchies or fewer keys")
