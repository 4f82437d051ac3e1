"""What a column is (its kind) and what it is for (its role)."""

from enum import StrEnum


class Kind(StrEnum):
    """What the values of a column mean."""

    CONTINUOUS = "continuous"
    ORDINAL = "ordinal"
    NOMINAL = "nominal"
    DATE = "date"


class Role(StrEnum):
    """What a column is for when the file is protected."""

    IDENTIFIER = "identifier"
    KEY = "key"
    CONFIDENTIAL = "confidential"
    WEIGHT = "weight"
    HOUSEHOLD = "household"
    STRATUM = "stratum"
    OTHER = "other"


CATEGORICAL = frozenset({Kind.ORDINAL, Kind.NOMINAL})
METRIC = frozenset({Kind.CONTINUOUS, Kind.DATE})  # the kinds whose values have distances; those of dates are in days
CONTENT_ROLES = frozenset(
    {Role.KEY, Role.CONFIDENTIAL, Role.OTHER}
)  # the roles of columns that describe a person or firm
DESIGN_ROLES = frozenset({Role.WEIGHT, Role.STRATUM})  # they tell how a sample was drawn, and are released with it
SINGLE_ROLES = (Role.WEIGHT, Role.HOUSEHOLD)  # the roles of which a file has one column at most
ADDED_ROLES = frozenset({Role.IDENTIFIER, Role.OTHER})  # giving one of these to a column takes it from no other
