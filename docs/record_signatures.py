"""Show records as they are made: with their fields as keyword parameters, which no `__init__` spells out."""

from typing import Any

import griffe

RECORD = "sfumato.documents.record.Record"


class RecordSignatures(griffe.Extension):
    """Gives each record class the signature that its fields make."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Look through the whole package once all of it is loaded."""
        self._visit(pkg)

    def _visit(self, module: griffe.Module) -> None:
        for member in module.members.values():
            if member.is_alias:
                continue
            if isinstance(member, griffe.Module):
                self._visit(member)
            elif isinstance(member, griffe.Class) and any(base.path == RECORD for base in member.mro()):
                member.set_member("__init__", _maker(member))


def _maker(record: griffe.Class) -> griffe.Function:
    lineage = reversed([record, *record.mro()])
    fields = {field.name: field for cls in lineage for field in cls.members.values() if _is_field(field)}
    parameters = [_parameter(field) for field in fields.values()]
    return griffe.Function("__init__", parameters=griffe.Parameters(griffe.Parameter("self"), *parameters))


def _parameter(field: Any) -> griffe.Parameter:
    kind = griffe.ParameterKind.keyword_only
    return griffe.Parameter(field.name, annotation=_type(field.annotation), kind=kind, default=_default(field.value))


def _type(annotation: Any) -> Any:
    """Return the type of a field without the functions that read it; ranges, written `Field(...)`, stay."""
    if not isinstance(annotation, griffe.ExprSubscript) or annotation.canonical_name != "Annotated":
        return annotation
    first, *rest = annotation.slice.elements if isinstance(annotation.slice, griffe.ExprTuple) else [annotation.slice]
    has_range = any(isinstance(part, griffe.ExprCall) and part.canonical_name == "Field" for part in rest)
    return annotation if has_range else first


def _default(value: Any) -> Any:
    """Return the default that a field has; one that is written `Field(...)` may hold ranges only."""
    if not isinstance(value, griffe.ExprCall) or value.canonical_name != "Field":
        return value
    given = {part.name: part.value for part in value.arguments if isinstance(part, griffe.ExprKeyword)}
    return f"{given['default_factory']}()" if "default_factory" in given else given.get("default")


def _is_field(member: Any) -> bool:
    if not isinstance(member, griffe.Attribute) or member.annotation is None or "property" in member.labels:
        return False
    if member.name.startswith("_"):
        return False
    return not str(member.annotation).startswith("ClassVar")
