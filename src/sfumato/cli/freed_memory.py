"""Keep freed memory for what comes next: a command allocates columns of the same size again and again."""

import ctypes

# of glibc's `mallopt`: blocks up to the first size are cut from memory that was freed, and so much of it is not given
# back. Without that the system clears the pages of every column anew, a tenth of the time of some commands
MMAP_THRESHOLD, TRIM_THRESHOLD = -3, -1
MAX_BLOCK, MAX_KEPT = 1 << 27, 1 << 28
MAX_BLOCK_BEFORE = 1 << 25  # in older versions


def keep_freed_memory() -> bool:
    """Tell the C library to keep freed memory, and return whether it does; only that of GNU can be told."""
    try:
        set_option = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another library, or Windows
        return False
    is_kept = set_option(MMAP_THRESHOLD, MAX_BLOCK) or set_option(MMAP_THRESHOLD, MAX_BLOCK_BEFORE)
    return bool(is_kept and set_option(TRIM_THRESHOLD, MAX_KEPT))
