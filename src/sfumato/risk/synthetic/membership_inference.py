"""Membership inference: whether a person is among those whom a synthetic file was made from."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, ClassVar

from pydantic import Field

from sfumato.contracts import ControlledRisk, Measurement
from sfumato.data import Kind, Microdata
from sfumato.parameters import Columns
from sfumato.risk.synthetic._coded_files import code_files
from sfumato.risk.synthetic._membership_figures import measure_copies, measure_membership

NO_CONTROL = (
    "Without a control it cannot be told who is taken for a member wrongly: these are the persons whose record, unique "
    "in the original, stands in the file whole; noise on one value hides them, and not that they are members"
)


class MembershipInference(ControlledRisk):
    """Tell members, whom the file was made from, from other persons by the strongest of seven attacks.

    Each attack gives every person of original and control a score: how near the nearest synthetic record is; that in
    proportion to the nearest record of a reference; how much denser synthetic records are than the reference; what a
    classifier takes for synthetic; how many synthetic records are near; how much more frequent the person's values are,
    each by itself, than in the reference; whether a synthetic record is equal. The reference is one half of the
    control, and the attacks that use it are tried on the other half. Numbers are compared by ranks, other values are
    equal or not.

    The value is the percent of members whom the strongest attack finds where it takes 1 % of the others for members.
    Parts, each that of the strongest attack: `MIAauc`, the area under the curve in percent, 50 where nothing is learnt;
    `MIAtenth`, the members found where .1 % of the others are taken for members; and `MIAeps`, what the epsilon of
    differential privacy is at least, with 95 % confidence. `MIAlow`, which scores use, is the lower end of the interval
    of the value. Then area and members found of each attack. Without a control, the
    value is the percent of members whose record, unique in the original, is copied whole.

    Parameters
    ----------
    columns
        Columns of any kind.
    attacks
        How many persons of each file are asked about at most; all of a smaller file. Of few, chance decides much:
        where 4,000 persons are drawn, one in a hundred of the others who are not in the reference are 20.
    seed
        Where the draws of persons and halves begin.

    Meaning
        1: guessing finds so many, so nothing is learnt. 100: everybody in the file is found. What chance alone would
        show, in the area or among the 1 % or .1 % with the highest scores, in fewer than 2 of 1,000 files, over all
        attacks, is called a leak, unless it is surely small, and then a trace: at most 2 % of the members are found,
        areas are below 55 % with their intervals, exact copies are no more than by chance, among the .1 % are not twice
        as many members as others, and of no column come back 10 % more of the members' values than of the others'.
        That nothing is found is no proof: stronger attacks may exist. Where files
        tell who lives together, tests, intervals and the bound on epsilon count such persons for as many as they tell.
    Intruder
        Knows all columns of a person exactly, has a sample of other persons of the population, and sees the synthetic
        file. To be in it can be confidential in itself, as in a register of patients; and who cannot be told to be in a
        file is not found in it.
    Missing values
        Missing is a value of its own, and so is each code for it.
    Source
        Carlini, Chien, Nasr, Song, Terzis and Tramèr (2022), Membership inference attacks from first principles, for
        true positives at few false ones; Chen, Yu, Zhang and Fritz (2020), GAN-Leaks (nearest, and calibrated by a
        reference); van Breugel, Sun, Qian and van der Schaar (2023), Membership inference attacks against synthetic
        data through overfitting detection (density ratio); Hilprecht, Härterich and Bernau (2019), Monte Carlo and
        reconstruction membership inference attacks against generative models (local neighbourhood). The bound on
        epsilon: Jagielski, Ullman and Oprea (2020), Auditing differentially private machine learning.

    Examples
    --------
    >>> import numpy as np
    >>> import polars
    >>> draw = np.random.default_rng(1).normal
    >>> people, others = (Microdata(polars.DataFrame({"a": draw(size=80), "b": draw(size=80)})) for _ in range(2))
    >>> found = MembershipInference(columns=("a", "b")).with_control(others).measure(people, people)
    >>> found.value, found.parts["MIAauc"], found.shows_leak
    (100.0, 100.0, True)
    """

    symbol: ClassVar[str] = "MIA"
    part_symbols: ClassVar[tuple[str, ...]] = ("MIAauc", "MIAtenth", "MIAeps", "MIAlow")
    part_units: ClassVar[Mapping[str, str]] = MappingProxyType({"MIAeps": ""})
    family: ClassVar[str] = "synthetic"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns
    attacks: Annotated[int, Field(ge=2, le=1_000_000)] = 20_000
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of members found at 1 % false positives."""
        files = code_files(self, original, masked)
        if not files.has_control:
            return measure_copies(self, files, NO_CONTROL)
        return measure_membership(self, files, self.attacks, self.seed, "members")
