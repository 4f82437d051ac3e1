"""Write the page of the words that all records share."""

from collections.abc import Mapping, Sequence

from sfumato.display import Table, text_column
from sfumato.parameters.output_words import OUTPUTS
from sfumato.parameters.preferred_words import PREFERRED_WORDS
from sfumato.parameters.vocabulary import DOCUMENTS, MANIFESTS, PARAMETERS
from sfumato.parameters.word import Word

OPENING = """# Vocabulary

One idea has one word, in Python, in YAML and on the command line. Shares are in percent, lengths of time in seconds; a
limit begins with `max_` or `min_`. A test holds every field of every record against these tables, so that a new word
needs a line in `sfumato/parameters/vocabulary.py`."""
SECTIONS = {
    "Methods, measures, improvers and scores": PARAMETERS,
    "Recipes, schemas and specifications of tables": DOCUMENTS,
    "Manifests": MANIFESTS,
    "Rules of outputs": OUTPUTS,
}


def vocabulary_page() -> str:
    """Return the page: each word with its meaning and unit, and the words that are not used."""
    parts = [OPENING]
    for title, words in SECTIONS.items():
        parts += [f"## {title}", _table(words)]
    unused = [(f"`{pattern.replace('|', ' ')}`", instead) for pattern, instead in PREFERRED_WORDS.items()]
    parts += ["## Words that are not used", _markdown(("Pattern", "Write instead"), unused)]
    return "\n\n".join(parts) + "\n"


def _table(words: Mapping[str, Word]) -> str:
    rows = [(f"`{name}`", word.meaning, word.unit) for name, word in sorted(words.items())]
    return _markdown(("Word", "Meaning", "Unit"), rows)


def _markdown(head: Sequence[str], rows: Sequence[tuple[str, ...]]) -> str:
    return Table(tuple(map(text_column, head)), tuple(rows)).to_markdown()
