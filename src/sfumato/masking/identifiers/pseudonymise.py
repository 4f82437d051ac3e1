"""Pseudonymise: replace identifiers by keyed hashes."""

import hmac
import os
import secrets
import unicodedata
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata, Role, role
from sfumato.data.category_merging import labels_of_missing
from sfumato.data.column_recoding import missing_codes_after, recode_column, text_of
from sfumato.errors import DataError, FileError, ParameterError
from sfumato.numerics.arrays import CodeColumn
from sfumato.parameters import Columns

MIN_KEY_BYTES = 16
DRAWN_KEY_BYTES = 32
HOUSEHOLDS = b"household"  # what the key of household numbers is derived from


class Pseudonymise(MaskingMethod):
    """Replace each value by a pseudonym that only the holder of a key can connect with it.

    The pseudonym is the beginning of the HMAC-SHA-256 of the value's text, in hexadecimal digits. The same value gets
    the same pseudonym in every column, and in every file that is masked with the same key. Columns with the role
    household are hashed with a key of their own, derived from the other: a person 7 and a household 7 would share a
    pseudonym, which tells who they are to somebody who has the numbers.

    Parameters
    ----------
    columns
        Nominal, continuous or date columns; those with the role identifier when nothing else is said. They become text.
    length
        Number of hexadecimal digits of a pseudonym. When two values would get the same one, the file is refused.
    key_file
        Path of the file that holds the key, seen from the folder in which the recipe is run; at least 16 bytes, where
        blanks and line ends around them do not count. The key itself is never part of a recipe, a manifest or a
        message. Without this and `key_variable` the system draws a key and forgets it after the run.
    key_variable
        Name of the environment variable that holds the key.

    Effect on risk
        Names and numbers are hidden from everybody without the key; with it, all values can be tried out, so keep it
        apart from the data and never publish it. Who has which pseudonym may still show from the rest of a record:
        treat the keys too.
    Effect on utility
        Records of one person or household can still be linked, within the file and to others with the same key. With a
        forgotten key they can be linked within the file only, and the run cannot be repeated: `sfumato verify` then
        reports a difference.
    Missing values
        Stay missing. Codes that stand for missing stay, as text.
        Whole numbers have one text however they are kept (7, 7.0), and so have dates (1990-02-01); text is taken in
        Unicode's normal form C, so that letters with accents agree however they were typed. Otherwise it counts as it
        stands, blanks and case included.
    Source
        Krawczyk, Bellare and Canetti (1997), HMAC: keyed-hashing for message authentication, RFC 2104; truncation as in
        its section 5.

    Examples
    --------
    >>> pseudonyms(["Anna", "Otto", "Anna"], key=b"at least sixteen bytes", length=8)
    ['afd2e04b', '6abfe5d0', 'afd2e04b']
    """

    family: ClassVar[str] = "identifiers"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.NOMINAL, Kind.CONTINUOUS, Kind.DATE})
    layout: ClassVar[Layout] = Layout.WHOLE
    keeps_types: ClassVar[bool] = False
    needs_values: ClassVar[bool] = False

    columns: Columns = role("identifier")
    length: Annotated[int, Field(ge=8, le=64)] = 16
    key_file: str | None = None
    key_variable: str | None = None

    @model_validator(mode="after")
    def _check_key(self) -> Self:
        if self.key_file is not None and self.key_variable is not None:
            raise ValueError("Pseudonymise needs at most one of key_file and key_variable; got both")
        return self

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them and that there is a key."""
        self._key()
        return super().bound_to(data)

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return the file with pseudonyms in the chosen columns."""
        key, masked, sources = self._key(), block, dict[str, tuple[bool, str]]()
        for name in block.select(self.columns):
            codes, values = block.codes(name)
            texts = [canonical_text(value) for value in values]
            is_household = block.schema[name].role is Role.HOUSEHOLD
            hidden = pseudonyms(texts, hmac.digest(key, HOUSEHOLDS, "sha256") if is_household else key, self.length)
            for text, pseudonym in zip(texts, hidden, strict=True):
                if sources.setdefault(pseudonym, (is_household, text)) != (is_household, text):
                    raise DataError(
                        f"Pseudonymise.length: two values get the same pseudonym of {self.length} digits; raise it"
                    )
            if hidden:
                masked = _with_pseudonyms(masked, block, name, codes, hidden)
        return masked

    def _key(self) -> bytes:
        """Return the key that the parameters point to, or a new one from the system."""
        if self.key_file is not None:
            return _check_key_length("key_file", _content(self.key_file))
        if self.key_variable is None:
            return secrets.token_bytes(DRAWN_KEY_BYTES)
        if self.key_variable not in os.environ:
            raise ParameterError([f"Pseudonymise.key_variable: the environment has no '{self.key_variable}'; set it"])
        return _check_key_length("key_variable", os.environ[self.key_variable].encode())


def pseudonyms(texts: Sequence[str], key: bytes, length: int) -> list[str]:
    """Return the first `length` hexadecimal digits of the HMAC-SHA-256 of each text."""
    return [hmac.digest(key, text.encode(errors="surrogatepass"), "sha256").hex()[:length] for text in texts]


def canonical_text(value: Any) -> str:
    """Return the text of a value, the same however the value is stored.

    Examples
    --------
    >>> canonical_text(7), canonical_text(7.0), canonical_text(Decimal("7.50")), canonical_text(date(1990, 2, 1))
    ('7', '7', '7.5', '1990-02-01')
    """
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    if isinstance(value, date):
        return value.isoformat().removesuffix("T00:00:00")  # pandas keeps dates as date-times
    return text_of(value)


def _with_pseudonyms(masked: Microdata, block: Microdata, name: str, codes: CodeColumn, hidden: list[str]) -> Microdata:
    variable, series = block.schema[name], block.table[name]
    listed = sorted(set(hidden))  # in their own order: that of the values would tell of them
    place_of = {pseudonym: place for place, pseudonym in enumerate(listed)}
    places = np.array([*(place_of[pseudonym] for pseudonym in hidden), -1], dtype=np.int64)
    missing = missing_codes_after(series, listed, block.summary.missing_codes(name))
    described = variable.replace(
        kind=Kind.NOMINAL,
        date_format="",
        categories=(),
        value_labels=labels_of_missing(variable, missing),
        missing_codes=tuple(dict.fromkeys(missing.values())),
        missing_ranges=(),
    )
    return masked.with_column(described, recode_column(series, listed, places[codes], missing))


def _content(key_file: str) -> bytes:
    try:
        return Path(key_file).read_bytes()
    except OSError as error:
        raise FileError(f"Pseudonymise.key_file: {key_file} cannot be read: {error.strerror}") from None


def _check_key_length(parameter: str, key: bytes) -> bytes:
    key = key.strip()
    if len(key) < MIN_KEY_BYTES:
        raise ParameterError(
            [f"Pseudonymise.{parameter}: the key must have at least {MIN_KEY_BYTES} bytes; got {len(key)}"]
        )
    return key
