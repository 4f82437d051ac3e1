"""Tables: which cells give somebody away, what to hide, round or move so that none does, and the proof that it is so.

The walk: `Table` (from records or from cells) -> a sensitivity rule -> `Problem` -> `Pattern` -> `audit`.
"""
