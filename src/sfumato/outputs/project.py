"""A project: a folder that remembers what was finalised in any of its logs, and what was decided about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.errors import DataError, FileError
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.outputs.audit.joint_audit import Disclosure, audit_outputs
from sfumato.outputs.facts import Facts, is_of_records
from sfumato.outputs.memory_files import (
    read_facts,
    read_json,
    read_values,
    write_facts,
    write_json,
    write_values,
)
from sfumato.outputs.output import Output
from sfumato.outputs.output_list import OutputList
from sfumato.outputs.rules import OutputRules
from sfumato.storage.atomic import write_text
from sfumato.storage.digests import bytes_sha256, text_sha256
from sfumato.storage.locks import folder_lock
from sfumato.storage.private_folders import ONLY_OWNER

FORMAT = 1
WAITING, ACCEPTED, REJECTED = "waiting", "accepted", "rejected"


@dataclass(frozen=True)
class Entry:
    """An output of a project, as its record says it.

    Parameters
    ----------
    plain
        The record: request, status, reasons, shown figures, rules, versions, exception, decision.
    """

    plain: Mapping[str, Any] = field(repr=False)

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.plain["name"])

    @property
    def decision(self) -> str:
        """What the output checker decided."""
        return str(self.plain["decision"]["is"])

    @property
    def needs_eyes(self) -> bool:
        """Whether the checker has to look at it and has not decided."""
        return self.decision == WAITING and bool(self.plain["exception"])


class Project(OutputList):
    """The folder of a project.

    Parameters
    ----------
    folder
        The folder; it holds confidential data in `memory`, which only its owner can read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._settings = read_json(folder / "project.json")
        if self._settings.get("format") != FORMAT:
            raise FileError(f"{folder} is a project of another version of Sfumato; use that version")
        self.rules = OutputRules(**self._settings["rules"])

    @classmethod
    def open(cls, folder: Path, rules: OutputRules | None = None) -> "Project":
        """Return the project of a folder; it is made if there is none."""
        folder = folder.expanduser()
        if not (folder / "project.json").exists():
            if folder.exists() and any(folder.iterdir()):
                raise FileError(f"{folder} holds other files and no project; name a new folder")
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "memory").mkdir(mode=ONLY_OWNER, exist_ok=True)
            (folder / "outputs").mkdir(exist_ok=True)
            with folder_lock(folder):
                if not (folder / "project.json").exists():
                    settings = {"format": FORMAT, "rules": (rules or OutputRules()).to_plain(), "records": None}
                    write_json(folder / "project.json", settings)
        project = cls(folder)
        if rules is not None and rules != project.rules:
            raise DataError(
                f"{folder} has rules of its own, given when it was made; leave `rules` out, or begin another project"
            )
        return project

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All outputs that were finalised, in their order."""
        found = [Entry(read_json(path)) for path in (self.folder / "outputs").glob("*/record.json")]
        return tuple(sorted(found, key=lambda entry: int(entry.plain["number"])))

    @property
    def names(self) -> tuple[str, ...]:
        """What the outputs are called."""
        return tuple(entry.name for entry in self.entries)

    def to_plain(self) -> list[Mapping[str, Any]]:
        """Return the outputs as plain values."""
        return [entry.plain for entry in self.entries]

    def facts(self, records: int | None = None) -> list[Facts]:
        """Return what outputs tell, but for rejected ones, over so many records; by default all of the project."""
        count = self._read_settings()["records"] or 0 if records is None else records
        paths = [self.folder / "memory" / f"{one.name}.npz" for one in self.entries if one.decision != REJECTED]
        return [read_facts(path, count) for path in paths if path.exists()]

    def values(self, records: int | None = None) -> dict[str, FloatColumn]:
        """Return the variables that outputs add up."""
        count = self._read_settings()["records"] or 0 if records is None else records
        found = [read_values(path, count) for path in sorted((self.folder / "memory").glob("variable-*.npz"))]
        return dict(found)

    def places(self, data: Microdata, record_id: str | None) -> tuple[Rows, int]:
        """Return where each record of a file stands among those of the project, and how many it has then.

        Parameters
        ----------
        data
            The file.
        record_id
            The column that tells which record is which; None if every file has the same rows in the same order.
        """
        with folder_lock(self.folder):
            settings = self._read_settings()
            if settings["records"] is not None and settings["by"] != (record_id or ""):
                way = f"column '{settings['by']}'" if settings["by"] else "their order"
                raise DataError(f"{self.folder} tells records apart by {way}; do the same in every log of it")
            places, records = (
                self._by_order(data, settings) if record_id is None else self._by_column(data, record_id, settings)
            )
            write_json(self.folder / "project.json", {**settings, "records": records, "by": record_id or ""})
        return places, records

    def finalise(
        self, log: str, outputs: Sequence[Output], values: Mapping[str, FloatColumn], seen: Sequence[str]
    ) -> tuple[str, ...]:
        """Write outputs, if they are safe together with all that is there; else write nothing.

        Parameters
        ----------
        log
            Who kept the log.
        outputs
            The outputs.
        values
            The variables that they add up.
        seen
            The outputs of the project that all of them were judged beside.
        """
        from sfumato.outputs.page import write_page

        with folder_lock(self.folder):
            taken = {*self.names}
            if taken - {*seen}:
                self._check_still_safe(outputs, values)
            repeated = [output.name for output in outputs if output.name in taken]
            if repeated:
                raise DataError(f"{self.folder} has {repeated[0]} already; give the log another name")
            number = len(taken)
            for output in outputs:
                number += 1
                self._write(log, number, output, values)
            write_page(self)
        return tuple(output.name for output in outputs)

    def decide(self, name: str, decision: str, *, by: str, reason: str = "") -> Entry:
        """Write down what the output checker decided of an output; a rejection needs a reason."""
        from sfumato.outputs.page import write_page

        if decision == REJECTED and not reason.strip():
            raise DataError(f"{name}: a rejection needs a reason, so that the researcher knows what to change")
        with folder_lock(self.folder):
            found = [entry for entry in self.entries if entry.name == name]
            if not found:
                raise DataError(f"{self.folder} has no output {name!r}; it has {', '.join(self.names) or 'none'}")
            plain = {**found[0].plain, "decision": {"is": decision, "by": by, "reason": reason.strip()}}
            write_json(self.folder / "outputs" / name / "record.json", plain)
            write_page(self)
        return Entry(plain)

    def check(self) -> tuple[Disclosure, ...]:
        """Audit all outputs but rejected ones together, from what the folder holds."""
        return audit_outputs(self.facts(), self.values(), self.rules)

    def _read_settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = read_json(self.folder / "project.json")
        return settings

    def _check_still_safe(self, outputs: Sequence[Output], values: Mapping[str, FloatColumn]) -> None:
        """Refuse what gives something away beside what others finalised meanwhile; exceptions are known to."""
        facts = [output.facts for output in outputs if output.facts is not None]
        excused = [bool(output.exception) for output in outputs if output.facts is not None]
        if not facts:
            return
        records = facts[0].groups.size
        known, before = {**self.values(records), **values}, self.facts(records)
        for fact, is_excused in zip(facts, excused, strict=True):
            silent = fact.hide(np.ones(fact.size, dtype=np.bool_))
            already = () if is_excused else set(audit_outputs([*before, silent], known, self.rules))
            found = () if is_excused else audit_outputs([*before, fact], known, self.rules)
            fresh = [one for one in found if one not in already]
            if fresh:
                raise DataError(
                    f"{fact.output}: {fresh[0]}. It is no longer safe beside what was finalised since it was asked "
                    f"for; remove it from the log and ask again. Nothing was written"
                )
            before.append(fact)

    def _write(self, log: str, number: int, output: Output, values: Mapping[str, FloatColumn]) -> None:
        """Write what is remembered first and the record last: an output is there when its record is."""
        folder = self.folder / "outputs" / output.name
        folder.mkdir(parents=True, exist_ok=True)
        if output.facts is not None:
            for key in output.facts.measures:
                if not is_of_records(key):
                    write_values(self.folder / "memory" / f"variable-{text_sha256(key)[:16]}.npz", key, values[key])
            write_facts(self.folder / "memory" / f"{output.name}.npz", output.facts)
        write_text(folder / "table.csv", output.shown.to_csv())
        record = {
            **output.to_dict(),
            "number": number,
            "log": log,
            "rules": self.rules.to_plain(),
            "sfumato": version("sfumato"),
            "decision": {"is": WAITING, "by": "", "reason": ""},
        }
        write_json(folder / "record.json", record)

    def _by_order(self, data: Microdata, settings: dict[str, Any]) -> tuple[Rows, int]:
        """Return the rows as they stand, if the file is the one that the project began with."""
        if settings["records"] not in (None, data.n):
            raise DataError(
                f"{self.folder} is about {settings['records']} records in a given order; this file has {data.n}. Give "
                f"the same rows in the same order and select by `where`, or begin the project with record_id='column'"
            )
        digests = {name: _column_digest(data, name) for name in data.schema.names}
        known = settings.get("columns", {})
        changed = [name for name, digest in digests.items() if known.get(name, digest) != digest]
        if changed:
            raise DataError(
                f"column '{changed[0]}' is not what it was when {self.folder} began: rows are in another order, or it "
                f"was recoded. Restore the order, and give recoded columns another name"
            )
        settings["columns"] = {**digests, **known}
        return np.arange(data.n), data.n

    def _by_column(self, data: Microdata, name: str, settings: dict[str, Any]) -> tuple[Rows, int]:
        """Return the place of each record by its id; ids that are new get places behind."""
        data.schema[name]  # an unknown column is named
        ids = [text_sha256(f"{self.folder.name} {one}")[:16] for one in data.column(name).to_list()]
        if len(set(ids)) < len(ids) or None in data.column(name).to_list():
            raise DataError(f"'{name}' must tell every record from the others; some have the same value or none")
        path = self.folder / "memory" / "records.json"
        known: list[str] = read_json(path)["ids"] if path.exists() else []
        place = {one: number for number, one in enumerate(known)}
        for one in ids:
            place.setdefault(one, len(place))
        write_json(path, {"ids": list(place)})
        return np.array([place[one] for one in ids], dtype=np.int64), len(place)


def _column_digest(data: Microdata, name: str) -> str:
    """Return the SHA-256 of what a column holds."""
    if data.schema[name].kind is Kind.CONTINUOUS:
        return bytes_sha256(data.values(name).tobytes())
    return text_sha256("\n".join(map(str, data.column(name).to_list())))


def places_of(project: Project | None, data: Microdata, record_id: str | None) -> tuple[Rows, int]:
    """Return where the records of a file stand in a project, and how many it has; without one they stand as they do."""
    return (np.arange(data.n), data.n) if project is None else project.places(data, record_id)
