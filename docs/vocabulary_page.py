"""Write the page of the words that all records share."""

from collections.abc import Mapping

from sfumato.parameters.vocabulary import DOCUMENTS, INSTEAD, MANIFESTS, PARAMETERS, Word

OPENING = """# Vocabulary

One idea has one word, in Python, in YAML and on the command line. Shares are in percent, lengths of time in seconds; a
limit begins with `max_` or `min_`. A test holds every field of every record against these tables, so that a new word
needs a line in `sfumato/parameters/vocabulary.py`."""
SECTIONS = {
    "Methods, measures, improvers and scores": PARAMETERS,
    "Recipes, schemas and specifications of tables": DOCUMENTS,
    "Manifests": MANIFESTS,
}


def vocabulary_page() -> str:
    """Return the page: each word with its meaning and unit, and the words that are not used."""
    parts = [OPENING]
    for title, words in SECTIONS.items():
        parts += [f"## {title}", _table(words)]
    unused = "\n".join(f"| `{pattern.replace('|', ' ')}` | {instead} |" for pattern, instead in INSTEAD.items())
    parts += ["## Words that are not used", f"| Pattern | Write instead |\n|---|---|\n{unused}"]
    return "\n\n".join(parts) + "\n"


def _table(words: Mapping[str, Word]) -> str:
    rows = [f"| `{name}` | {word.meaning} | {word.unit} |" for name, word in sorted(words.items())]
    return "\n".join(["| Word | Meaning | Unit |", "|---|---|---|", *rows])
