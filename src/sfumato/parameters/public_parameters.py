"""Which parameters anybody may be told; all others may help an intruder, and are kept from what is published."""

PUBLIC_PARAMETERS = frozenset(
    {
        # which columns are looked at, which the released file shows
        *("columns", "given", "within", "sensitive", "weight", "household", "key_columns"),
        # what is promised of a release
        *("k", "l", "t", "strict"),
        # how a measure counts
        *("max_risk", "max_size", "max_dimensions", "key_count", "missing", "classes", "exact"),
    }
)
"""The words of the vocabulary that may be published: a word that is not here is taken for confidential."""
