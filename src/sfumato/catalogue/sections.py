"""Which sections the docstring of a method, measure or improver must have, and which of them are missing."""

from sfumato.catalogue.docstring import parse_docstring
from sfumato.contracts import LossMeasure, MaskingMethod, RiskMeasure
from sfumato.contracts.named import ColumnRecord

EFFECTS = ("Effect on risk", "Effect on utility", "Missing values", "Source")
SECTIONS: dict[type[ColumnRecord], tuple[str, ...]] = {
    MaskingMethod: EFFECTS,
    RiskMeasure: ("Meaning", "Intruder", "Missing values", "Source"),
    LossMeasure: ("Meaning", "Missing values", "Source"),
}


def missing_sections(record: type[ColumnRecord]) -> list[str]:
    """Return what the docstring of a class leaves out: a summary, its parameters, the sections, a running example."""
    parsed = parse_docstring(record.__doc__ or "")
    wanted = next((sections for contract, sections in SECTIONS.items() if issubclass(record, contract)), EFFECTS)
    return [
        *([] if parsed.summary else ["a summary"]),
        *(f"the parameter {name}" for name in record.model_fields if name not in parsed.parameters),
        *(f"the section {section}" for section in wanted if not parsed.sections.get(section)),
        *([] if parsed.example else ["the section Examples"]),
    ]
