"""Text files larger than memory: read once, in a stream, into Parquet copies that go when they are no longer needed."""

import shutil
import weakref
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir, mkdtemp

from sfumato.errors import FileError
from sfumato.files.formats import suffix_of
from sfumato.files.library_errors import translate_read_errors
from sfumato.files.read_options import ReadOptions
from sfumato.files.sidecar import load_schema
from sfumato.files.text import csv
from sfumato.files.text.column_types import find_types
from sfumato.storage.atomic import is_disk_full

TEXT_SUFFIXES = (".csv", ".tsv", ".csv.gz")


class ConvertedParts:
    """Parquet copies of text files in a private folder, removed on demand or when nobody here holds them any more.

    Parameters
    ----------
    sources
        The text files.
    files
        Their copies, in the same order.
    folder
        Where these lie.
    """

    def __init__(self, sources: tuple[Path, ...], files: tuple[Path, ...], folder: Path) -> None:
        self.sources = sources
        self.files = files
        self.remove = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        return type(None), ()  # other processes read the copies, and do not keep them


def convert_parts(sources: tuple[Path, ...], options: ReadOptions, place: Path | None) -> ConvertedParts:
    """Convert text files to Parquet: all with the same types, which are those of memory, found from all their rows.

    Parameters
    ----------
    sources
        The text files, with the same columns.
    options
        How they are to be read.
    place
        The folder in which a private one is made for the copies, which are as confidential; a temporary one when None.
    """
    folder = Path(mkdtemp(prefix=".sfumato-csv-", dir=place or gettempdir()))  # only its owner may look into it
    files = tuple(folder / f"part-{number:05d}.parquet" for number in range(len(sources)))
    converted = ConvertedParts(sources, files, folder)
    try:
        _convert(sources, options, files)
    except OSError as error:
        if is_disk_full(error):
            raise FileError(
                f"the disk is full, at {folder.parent}, where a copy as Parquet goes; give another"
            ) from None
        raise
    return converted


def _convert(sources: tuple[Path, ...], options: ReadOptions, files: tuple[Path, ...]) -> None:
    import polars as pl

    if isinstance(options.schema, Path):
        options = replace(options, schema=load_schema(options.schema.expanduser()))
    with ExitStack() as opened:
        texts = []
        for source in sources:
            known = replace(options, format=options.format or suffix_of(source).removeprefix("."))
            texts.append(opened.enter_context(csv.open_text(source, known)))
        for source, text in zip(sources, texts, strict=True):
            if text.names != texts[0].names:
                raise FileError(
                    f"{source.name} has other columns than {sources[0].name}, or in another order; write all with the "
                    f"same"
                )
        with translate_read_errors(sources[0], csv.NAME):
            together = pl.concat([text.lazy for text in texts])
            found = find_types(together, decimal=options.decimal, text_columns=options.text_columns)
            if texts[0].separator != ",":
                csv.check_unambiguous(sources[0], found.ambiguous)
            lost = set[int]()
            while True:
                cells = found.cells(lost)
                for text, file in zip(texts, files, strict=True):
                    text.lazy.select(cells).sink_parquet(file, compression="zstd", compression_level=1)
                kept = pl.scan_parquet(list(files), glob=False).select(pl.all().count()).collect().row(0)
                still = found.lost(kept) - lost
                if not still:
                    return
                lost |= still
