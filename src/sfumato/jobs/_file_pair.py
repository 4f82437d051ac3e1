"""An original file and its masked form, read alike and matched."""

from dataclasses import dataclass, replace
from pathlib import Path

from sfumato.assessment.matching import match_records, with_original_schema
from sfumato.data import Microdata
from sfumato.files import ReadOptions, fit_options, read_with
from sfumato.recipe.release import Source, read_source


@dataclass(frozen=True, eq=False)
class FilePair:
    """An original file and its masked form, read.

    Parameters
    ----------
    source
        The original.
    masked, masked_file
        The masked records, whose row ids tell which original each came from, and their file.
    options
        How both were to be read.
    how_matched
        A sentence that says how the records were matched.
    """

    source: Source
    masked: Microdata
    masked_file: Path
    options: ReadOptions
    how_matched: str

    @property
    def original(self) -> Microdata:
        """The original records."""
        return self.source.data


def read_pair(original: Path, masked: Path, options: ReadOptions) -> FilePair:
    """Read both files with the same options; the schema is that of the original.

    Records are matched by an identifier, else by their order. Options that only one of the two formats knows are for
    that file.
    """
    for_original, for_masked = fit_options(options, [original, masked])
    source = read_source(original, for_original)
    read = read_with(masked, replace(for_masked.without_columns(), schema=None))
    after, how = match_records(source.data, with_original_schema(read, source.data.schema))
    return FilePair(source, after, masked, options.without_columns(), how)
