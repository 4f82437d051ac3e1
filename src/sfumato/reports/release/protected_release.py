"""What a report on tables is about: the tables, what makes their cells unsafe, and what was made of them."""

from dataclasses import dataclass, field

from sfumato.data import Schema
from sfumato.tables import ProtectedTables, Protection, Rule
from sfumato.tables.audit.findings import Audit


@dataclass(frozen=True, eq=False)
class ProtectedRelease:
    """What is reported on.

    Parameters
    ----------
    names, protected
        The tables by name, and what the protection made of them.
    protection
        The protection.
    rules
        What makes a cell unsafe.
    audit
        What intruders can conclude; None where no rule says what is unsafe.
    facts
        Sentences on what was done and what the audit found, for the house.
    looks_for_insiders
        Whether the specification asks to keep out contributors who are alone in a cell.
    schema
        What is known of the variables of the tables: labels, units, and labels of codes.
    weight
        The variable that contributions are weighted by; empty where none is.
    holding
        The variable whose values are the contributors, such as households; empty where each record is one.
    """

    names: tuple[str, ...]
    protected: ProtectedTables
    protection: Protection
    rules: tuple[Rule, ...]
    audit: Audit | None
    facts: tuple[str, ...] = ()
    looks_for_insiders: bool = True
    schema: Schema = field(default_factory=lambda: Schema(variables=()))
    weight: str = ""
    holding: str = ""

    @property
    def is_safe(self) -> bool:
        """Whether the audit found every unsafe cell protected."""
        return self.audit is not None and self.audit.is_safe

    @property
    def tells_least_counts(self) -> bool:
        """Whether readers know of suppressed counts that they are at least 1, which no audit reckons with."""
        return self.protection.suppresses and self.protected.shows_empty_places

    @property
    def has_insiders(self) -> bool:
        """Whether the audit looked at contributors who know cells, beside the outsider."""
        return self.audit is not None and len(self.audit.problem.intruders) > 1
