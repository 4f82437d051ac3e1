"""The section on provenance: when, by whom and with what the report and the release were made, and how to verify it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sfumato.catalogue.descriptions import describe, title_of
from sfumato.contracts import Named
from sfumato.masking import DropIdentifiers
from sfumato.recipe import Recipe
from sfumato.recipe.manifest import versions
from sfumato.reports.release.draft import Draft, draft
from sfumato.reports.release.release_report import ReportFile
from sfumato.reports.release.sections import Audience, Bullets, Code, Emphasis, Part, Prose, WordTable
from sfumato.reports.release.words.glossary import GLOSSARY

LEFT_OUT = "Columns left out"
LEFT_OUT_MEANS = "Columns of the original that are not released: those that name persons, and any others."
RELEASED, ORIGINAL = "released file", "original file"
OUTSIDE = (
    "Readers outside can check that the file they have is the one that this page is about: its SHA-256 must be the one "
    "above. The figures can be made again by the house only, which has the original."
)
NOT_TOLD = (
    "Checksums of the original file and of the recipe are left out: whoever knows nearly all of a file could try "
    "the rest until its checksum fits."
)

OTHERS = (
    "Other releases of the same original, by the manifests beside the released file and this page, as of the date of "
    "this report: {names}. What several releases tell together is in no figure of this report. Elsewhere "
    "nobody looked."
)
NO_OTHERS = (
    "No manifest beside the released file or this page is of another release of the same original; elsewhere nobody "
    "looked."
)
RECIPE_WAS_RUN = (
    "Attacks of this report ran the recipe with draws of their own; where the file does not look like those runs the "
    "verdict says so."
)
SEE_SECRETS = "What must be kept secret of all this is listed in the verdict."
NOT_LOOKED_FOR = "Other releases of the same original were not looked for."


@dataclass(frozen=True)
class Provenance:
    """What is known of how a report came to be.

    Parameters
    ----------
    date, author
        When it was made, as yyyy-mm-dd, and by whom.
    files
        The files that it is about.
    recipe_yaml
        The recipe without its seed; empty where none is known.
    steps
        The methods of the recipe, by name.
    made
        When the release itself was made, where its manifest tells.
    how_to_check
        Sentences that say how the report and the release are verified.
    versions
        The versions of what computed.
    other_releases
        Other releases of the same original, by the manifests beside the files; None where nobody looked.
    """

    date: str
    author: str = ""
    files: tuple[ReportFile, ...] = ()
    recipe_yaml: str = ""
    steps: tuple[str, ...] = ()
    made: str = ""
    how_to_check: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    other_releases: tuple[str, ...] | None = None


def recipe_facts(recipe: Recipe | None) -> tuple[str, tuple[str, ...]]:
    """Return a recipe as YAML without its seed, and the names of its methods."""
    if recipe is None:
        return "", ()
    return recipe.replace(seed=None).to_yaml(), tuple(_title(type(part)) for part in recipe.parts)


def explain_methods(methods: Iterable[type[Named]]) -> dict[str, str]:
    """Return what methods are called on a page, each with what it does, in a sentence and without its parameters."""
    return {_title(method): _meaning(method) for method in methods}


def _title(method: type[Named]) -> str:
    """Return what a method is called on a page; columns are left out for many reasons, and not only identifiers."""
    return LEFT_OUT if method is DropIdentifiers else title_of(method)


def _meaning(method: type[Named]) -> str:
    return LEFT_OUT_MEANS if method is DropIdentifiers else describe(method).summary.replace("`", "")


def known_versions() -> dict[str, str]:
    """Return the versions of Sfumato, Python and the libraries that compute."""
    from importlib.metadata import version

    return {"sfumato": version("sfumato"), **versions()}


def provenance_section(known: Provenance, *, ran_recipe: bool = False) -> Draft:
    """Return the section; `ran_recipe` tells whether attacks of the report ran the recipe."""
    facts = [("Date of the report", known.date), ("Author", known.author or "not given")]
    facts += [("Release made", known.made)] if known.made else []
    facts.append(("Software", ", ".join(f"{name} {version}" for name, version in known.versions.items())))
    released = [replace(one, file=Path(one.file).name) for one in known.files if one.role.startswith(RELEASED)]
    parts: list[Part] = [
        WordTable("How this report was made", ("", ""), tuple(facts), audience=Audience.ALL),
        *_file_tables(known.files, released),
    ]
    parts.append(_about_others(known.other_releases))
    if known.steps:
        named = ", ".join(known.steps)
        parts.append(
            Prose(
                f"Methods, in this order: {named}. Parameters that are not on this page are confidential.",
                audience=Audience.PUBLIC,
            )
        )
    if known.recipe_yaml:
        parts.append(Code("The recipe, without its seed", known.recipe_yaml))
    parts.append(Prose(f"{OUTSIDE if released else ''} {NOT_TOLD}".strip(), audience=Audience.PUBLIC))
    parts.append(Prose(SEE_SECRETS))
    if known.how_to_check:
        parts.append(Bullets((*known.how_to_check, *([RECIPE_WAS_RUN] if ran_recipe else []))))
    return draft("provenance", "Provenance, and what can be verified", parts)


def _about_others(others: tuple[str, ...] | None) -> Prose:
    """Return which other releases of the same original are known, and where they were looked for; for the house."""
    if others is None:
        return Prose(NOT_LOOKED_FOR)
    return Prose(others_in_words(others), Emphasis.NOTICE) if others else Prose(NO_OTHERS)


def others_in_words(others: Sequence[str]) -> str:
    """Return which other releases of the same original were found; the verdict and the provenance say the same."""
    return OTHERS.format(names=", ".join(others))


def _file_tables(files: Sequence[ReportFile], released: Sequence[ReportFile]) -> list[Part]:
    headings = ("file", "name", "SHA-256")
    tables: list[Part] = []
    for shown, audience in ((files, Audience.HOUSE), (released, Audience.PUBLIC)):
        if shown:
            rows = tuple((one.role, one.file, one.sha256 or "not recorded") for one in shown)
            tables.append(WordTable("Files and checksums", headings, rows, audience))
    return tables


def glossary_section(terms: Sequence[str], methods: Mapping[str, str]) -> Draft:
    """Return the words that the report uses, and the methods and rules that it names, explained."""
    meanings = {**{term: GLOSSARY[term] for term in terms}, **methods}
    rows = tuple(sorted(meanings.items(), key=lambda row: row[0].lower()))
    return draft("glossary", "Glossary", [WordTable("Glossary", ("word", "meaning"), rows, Audience.ALL)])


ALWAYS_EXPLAINED = ("baseline", "confidential variable", "control", "key", "outlier", "recipe", "seed", "weight")
"""Words of every report on a file."""
