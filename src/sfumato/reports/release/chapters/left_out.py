"""The section of the public edition on what it leaves out, one by one and with the reason: nothing goes in silence."""

from collections.abc import Iterator, Sequence

from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.figure import in_sentence
from sfumato.reports.release.public_edition import READERS
from sfumato.reports.release.question import Edition, ReleaseQuestion, Standard
from sfumato.reports.release.sections import Audience, Code, FigureTable, Prose, Subheading, WordTable

TITLE = "What this edition leaves out"
OF_ORIGINAL = "It shows figures of the original."
REASONS = {
    "Notes, to be read with the figures": "They say where to look. What they hold against the release is in the "
    "verdict, in general words.",
    "Unsafe cells before protection": "How many cells are unsafe helps to tell which.",
    "How near the nearest comes": "How wide the intervals are tells the parameters of the rules, which are secret.",
    "What protecting unsafe cells costs": "It tells how much of what is not published is unsafe.",
    "Risk by subgroup": "It would point to the groups whose persons are found most easily.",
    "The trade-off: alternatives": "It tells what else was tried, and with it how the release was made.",
    "The recipe, without its seed": "Its parameters help to undo what it did. Its methods are named.",
}
"""Why a heading is for the house; else it shows figures of the original."""
ALWAYS = (
    ("Figures of the file or the cells before protection", "They are what is protected."),
    (
        "Counts of few records",
        "They may tell of single persons or firms; a bound stands in their place.",
    ),
)
WHO_IS_ALONE = ("Whether any contributor is alone in a cell", "It tells how many are in a cell.")
KEPT_BACK = ("Variables and records that are not released", "Which and how many they are may tell of persons.")
STANDARDS = {
    Standard.WP216: "Opinion 05/2014 (WP216)",
    Standard.HIPAA: "HIPAA: expert determination",
    Standard.ISO27559: "ISO/IEC 27559:2022",
}
OTHERS_FOUND = ("Other releases of the same original, if any", "What else was made of it is for the house.")
OF_OUTLIERS = ("Figures of outliers", "They are of few persons, who are found most easily.")
NOT_ASKED = "This edition was not asked to answer it; whether another one does is not told here."
NO_STUDY_SHOWN = "The trade-off: alternatives"
NO_LIMITS = "This edition was given no limits: what the board asked for, and whether it is met, is not on this page."
ALL_LIMITS = "Every limit that was set for this page stands in the verdict, met or not."


def left_out_section(
    drafts: Sequence[Draft],
    question: ReleaseQuestion | None = None,
    *,
    is_synthetic: bool = False,
    further: Sequence[tuple[str, str]] = (),
) -> Draft:
    """Return the section, which only the public edition has.

    Parameters
    ----------
    drafts
        All other sections, with all their parts.
    question
        What a report on a file was asked; None for tables.
    is_synthetic
        Whether the released records come from nobody.
    further
        What else is left out, each with the reason.
    """
    rows = [*ALWAYS, *further, *((heading, REASONS.get(heading, OF_ORIGINAL)) for heading in _for_the_house(drafts))]
    if question is not None:
        rows = [row for row in rows if row[0] != NO_STUDY_SHOWN or question.trade_off is not None]
        rows += [KEPT_BACK] if _keeps_back(question, is_synthetic=is_synthetic) else []
        rows += [(words, NOT_ASKED) for standard, words in STANDARDS.items() if standard not in question.standards]
    table = WordTable("", ("not shown", "why"), _by_reason(rows), Audience.PUBLIC)
    told = [] if question is None else [*_about_limits(question)]
    parts = [Prose(" ".join(told), audience=Audience.PUBLIC)] if told else []
    return draft("left_out", TITLE, [*parts, table])


def _keeps_back(question: ReleaseQuestion, *, is_synthetic: bool) -> bool:
    """Tell whether variables or records of the original are not released; of synthetic ones records are no question."""
    original, released = question.original, question.released
    gone = any(name not in released.schema for name in original.schema.names)
    return gone or (released.n < original.n and not is_synthetic)


def _about_limits(question: ReleaseQuestion) -> Iterator[str]:
    """Yield that all limits are shown, or that none was given."""
    if not question.limits:
        yield NO_LIMITS
        return
    yield ALL_LIMITS


def _by_reason(rows: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return a row for each reason, with all that is not shown for it.

    Examples
    --------
    >>> _by_reason([("A regression", "Secret."), ("A seed", "Never."), ("Correlations", "Secret.")])
    (('A regression; correlations', 'Secret.'), ('A seed', 'Never.'))
    """
    names: dict[str, list[str]] = {}
    for name, reason in rows:
        names.setdefault(reason, []).append(name)
    return tuple(("; ".join([some[0], *map(in_sentence, some[1:])]), reason) for reason, some in names.items())


def _for_the_house(drafts: Sequence[Draft]) -> Iterator[str]:
    """Yield the headings and sections of which everybody sees nothing."""
    for one in drafts:
        section = one.section
        if all(part.audience not in READERS[Edition.PUBLIC] for part in section.parts):
            yield section.title
            continue
        is_named = False
        for part in section.parts:
            if isinstance(part, Subheading):
                is_named = part.audience is Audience.HOUSE
                yield from [part.text] if is_named else []
            elif part.audience is Audience.HOUSE and isinstance(part, Code | FigureTable) and not is_named:
                yield from [part.title] if part.title else []
