"""What the house reads of the rules of protected tables."""

from sfumato.reports.release.words.table_words import rule_sentence
from sfumato.tables import MinUnits


def test_how_uncertain_a_cell_of_few_units_must_stay_is_told_of_amounts() -> None:
    told = rule_sentence(MinUnits(units=3, margin=25), of_amounts=True)
    assert told.endswith("3 units contribute to it; such a cell must stay uncertain by 25 % of it.")
    assert "uncertain" not in rule_sentence(MinUnits(units=3, margin=25))  # of counts the margin is not used
