"""Records of parameters and the YAML documents that hold them: `load` reads any record, `dump` writes it."""

from sfumato.documents.document import Document, KeyPath
from sfumato.documents.entries import ListOf, MapOf, OneOf, read_each, read_list, read_places
from sfumato.documents.loader import load, load_file, read_text
from sfumato.documents.messages import format_value, kind_of
from sfumato.documents.paths import ExistingFile, FilePath, resolve_path
from sfumato.documents.record import Record
from sfumato.documents.writer import dump, dump_plain

__all__ = [
    "Document",
    "ExistingFile",
    "FilePath",
    "KeyPath",
    "ListOf",
    "MapOf",
    "OneOf",
    "Record",
    "dump",
    "dump_plain",
    "format_value",
    "kind_of",
    "load",
    "load_file",
    "read_each",
    "read_list",
    "read_places",
    "read_text",
    "resolve_path",
]
