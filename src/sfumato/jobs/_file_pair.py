"""An original file and its masked form, read alike and matched."""

from dataclasses import dataclass, replace
from pathlib import Path

from sfumato.assessment.matching import match_records, with_original_schema
from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.files import ReadOptions, WriteOptions, fit_options, read_with_dialect
from sfumato.recipe.record_key import find_record_key
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
    steps
        The methods that masked the file, where its manifest tells them.
    dialect
        How the masked file is written, where it is text.
    """

    source: Source
    masked: Microdata
    masked_file: Path
    options: ReadOptions
    how_matched: str
    steps: tuple[MaskingMethod, ...] = ()
    dialect: WriteOptions = WriteOptions()

    @property
    def original(self) -> Microdata:
        """The original records."""
        return self.source.data


def read_pair(original: Path, masked: Path, options: ReadOptions, manifest: Path | None = None) -> FilePair:
    """Read both files with the same options; the schema is that of the original.

    Records are matched by the key in the manifest of the masked file, which is looked for beside it when none is given;
    else by an identifier, else by their order. Options that only one of the two formats knows are for that file.
    """
    for_original, for_masked = fit_options(options, [original, masked])
    source = read_source(original, for_original)
    read, dialect = read_with_dialect(masked, replace(for_masked.without_columns(), schema=None))
    after = with_original_schema(read, source.data.schema)
    key = find_record_key(source, masked, manifest)
    if key.row_ids is not None:
        after, how = Microdata(after.frame, after.schema, key.row_ids), key.sentence
    else:
        after, found = match_records(source.data, after)
        how = f"{key.sentence} {found}".lstrip()
    return FilePair(source, after, masked, options.without_columns(), how, key.steps, dialect)
