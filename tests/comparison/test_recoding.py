"""Which variables are in other classes than before."""

from sfumato.comparison.recoding import has_same_classes, with_same_classes
from tests.reports.release.surveys import released, survey


def test_recoded_categories_are_other_classes() -> None:
    assert has_same_classes(survey(), released(), "ill")
    assert not has_same_classes(survey(), released(), "town")


def test_variables_that_kept_their_classes_stay_in_the_order_asked_for() -> None:
    assert with_same_classes(survey(), released(), ("town", "sex", "ill")) == ("sex", "ill")
