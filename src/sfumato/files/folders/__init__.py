"""Files larger than memory: read by ranges of rows, written as parts."""

from sfumato.files.folders.folder import Folder
from sfumato.files.folders.opening import open_folder, read_first_rows
from sfumato.files.folders.part_files import Files, folder_path, is_folder_name, schema_beside

__all__ = ["Files", "Folder", "folder_path", "is_folder_name", "open_folder", "read_first_rows", "schema_beside"]
