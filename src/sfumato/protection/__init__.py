"""Protect a file in one call: what is masked and how follows from the roles of its columns."""

from sfumato.protection.protect import protect
from sfumato.protection.protected import Protected

__all__ = ["Protected", "protect"]
