"""Files larger than memory: read by ranges of rows, written as parts."""

from sfumato.files.folders.folder import Folder
from sfumato.files.folders.opening import is_folder_name, open_folder, read_first_rows, schema_beside

__all__ = ["Folder", "is_folder_name", "open_folder", "read_first_rows", "schema_beside"]
