"""An original file and its masked form, read alike and matched."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sfumato.assessment.masked_schema import with_original_schema
from sfumato.assessment.pairing import pair_records, what_to_do
from sfumato.contracts import Part
from sfumato.data import Microdata
from sfumato.errors import DataError, FileError
from sfumato.files import ReadOptions, WriteOptions, fit_options, read_with_dialect
from sfumato.numerics.arrays import Rows
from sfumato.recipe.record_key import check_not_exchanged, find_record_key
from sfumato.recipe.release import Source, read_source

NEAREST = "The figures compare each masked record with the original one that is nearest to it."


@dataclass(frozen=True, eq=False)
class FilePair:
    """An original file and its masked form, read.

    Parameters
    ----------
    source
        The original.
    masked, masked_file
        The masked records, and their file; their row ids tell which original each came from where a manifest does.
    options
        How both were to be read.
    how_matched
        A sentence about how the manifest matched the records, or why it did not; empty where there is none.
    parts
        The methods that masked the file and what improved it after them, where its manifest tells them.
    dialect
        How the masked file is written, where it is text.
    is_matched
        Whether it is known which masked record came from which original one.
    sampled_ids
        The original records that a synthetic file was made from, where its manifest tells that others were kept back.
    """

    source: Source
    masked: Microdata
    masked_file: Path
    options: ReadOptions
    how_matched: str
    parts: tuple[Part, ...] = ()
    dialect: WriteOptions = WriteOptions()
    is_matched: bool = True
    sampled_ids: Rows | None = None

    @property
    def original(self) -> Microdata:
        """The original records."""
        return self.source.data

    @property
    def members(self) -> Microdata:
        """The original records without those that were kept back before a synthetic file was made."""
        if self.sampled_ids is None:
            return self.original
        return self.original.take_rows(np.flatnonzero(np.isin(self.original.row_ids, self.sampled_ids)))


def read_pair(original: Path, masked: Path, options: ReadOptions, manifest: Path | None = None) -> FilePair:
    """Read both files with the same options; the schema is that of the original.

    The manifest of the masked file, which is looked for beside it when none is given, tells which record is which; what
    else may tell is a matter of `pair_records`. Options that only one of the two formats knows are for that file.
    """
    if original.exists() and masked.exists() and original.samefile(masked):
        raise FileError(f"the original and the masked file are one and the same, {masked}; give the masked file second")
    for_original, for_masked = fit_options(options, [original, masked])
    source = read_source(original, for_original)
    check_not_exchanged(source, masked)
    read, dialect = read_with_dialect(masked, replace(for_masked.without_columns(), schema=None))
    after = with_original_schema(read, source.data.schema)
    key = find_record_key(source, masked, manifest)
    if key.row_ids is not None:
        after = Microdata(after.frame, after.schema, key.row_ids)
    return FilePair(
        source,
        after,
        masked,
        options.without_columns(),
        key.sentence,
        key.parts,
        dialect,
        sampled_ids=key.sampled_ids,
    )


def read_control(pair: FilePair, control: Path) -> Microdata:
    """Read records that the masked file was not made from as the original of a pair is read."""
    if control.exists() and any(control.samefile(file) for file in (pair.source.file, pair.masked_file)):
        raise FileError(
            f"the control is one of the two files, {control}; give records that the masked file was not made from"
        )
    _, fitted = fit_options(pair.options, [pair.source.file, control])
    read, _ = read_with_dialect(control, replace(fitted, schema=None))
    return with_original_schema(read, pair.original.schema)


def match_pair(pair: FilePair, *, same_order: bool = False, may_differ: bool = False) -> FilePair:
    """Return a pair of which it is known which record is which, and how; refuse one of which nothing tells it.

    With `may_differ` files of different length are taken as they are.
    """
    pairing = pair_records(pair.original, pair.masked, same_order=same_order)
    sentences = (pair.how_matched, *pairing.sentences) if pair.how_matched else pairing.sentences
    if not pairing.is_known and may_differ and pair.original.n != pair.masked.n:
        return replace(pair, how_matched=f"{' '.join(sentences)} {NEAREST}", is_matched=False)
    if not pairing.is_known:
        to_do = what_to_do(pair.original.n, pair.masked.n)
        raise DataError(f"{' '.join(sentences)} {to_do[:1].upper()}{to_do[1:]}.")
    return replace(pair, masked=pairing.masked, how_matched=" ".join(sentences))
