"""A schema for people: a file with the choices and doubts as comments, and a table for a notebook."""

from collections.abc import Iterator, Mapping, Sequence

from sfumato.data.kinds import Kind, Role
from sfumato.data.schema import Schema, Variable
from sfumato.documents.writer import dump_plain

MAX_SHOWN = 60  # columns in a notebook
CHOICES = (
    f"kind: {' | '.join(Kind)}",
    f"role: {' | '.join(Role)}",
    "  (key: others may know it of a person; confidential: nobody should learn it from the file)",
    "numbers_persons: true says whose each record is, where a person may have several; give it to an identifier",
    'missing_codes: [-9, 99] stand for "no answer"; valid_codes: [99] look so and are values',
    "date_format: dd/mm/yyyy (or mm/dd/yyyy, d.m.yyyy, yyyymmdd ...) is how dates in text are written",
)


def commented_yaml(
    schema: Schema, title: Sequence[str] = (), comments: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Return a schema as YAML that `Schema.from_yaml` reads, a line for each column, with the choices at the top.

    Parameters
    ----------
    schema
        The schema.
    title
        Lines to be read first.
    comments
        What is to be written above a column, by its name.

    Examples
    --------
    >>> schema = Schema(variables=(Variable(name="age", kind="continuous"),))
    >>> print(commented_yaml(schema, ["Columns of people.csv"], {"age": ["in years?"]}))
    # Columns of people.csv
    # kind: continuous | ordinal | nominal | date
    # role: identifier | key | confidential | weight | household | stratum | other
    #   (key: others may know it of a person; confidential: nobody should learn it from the file)
    # numbers_persons: true says whose each record is, where a person may have several; give it to an identifier
    # missing_codes: [-9, 99] stand for "no answer"; valid_codes: [99] look so and are values
    # date_format: dd/mm/yyyy (or mm/dd/yyyy, d.m.yyyy, yyyymmdd ...) is how dates in text are written
    variables:
      # in years?
      age: {kind: continuous, role: other}
    <BLANKLINE>
    """
    lines = [_comment(line) for line in (*title, *CHOICES)]
    lines.append("variables:" if schema.variables else "variables: {}")
    for variable in schema.variables:
        lines += [f"  {_comment(line)}" for line in (comments or {}).get(variable.name, ())]
        lines += [f"  {line}" for line in _entry(schema, variable)]
    return "\n".join(lines) + "\n"


def _comment(line: str) -> str:
    return "# " + " ".join(line.splitlines())


def _entry(schema: Schema, variable: Variable) -> Iterator[str]:
    plain = schema.subset((variable.name,)).to_plain()["variables"][variable.name]
    complete = {"kind": str(variable.kind), "role": str(variable.role), **plain}
    yield from dump_plain({variable.name: complete}).removesuffix("\n").split("\n")


def show_schema(schema: Schema, title: str) -> str:
    """Return a table of what the columns are, for a notebook; never a value of a record."""
    from sfumato.display import Table, header_column, render_notebook, text_column

    rows = tuple((one.name, one.label, str(one.kind), str(one.role)) for one in schema.variables)
    columns = (header_column("column"), text_column("label"), text_column("kind"), text_column("role"))
    return render_notebook([Table(columns, rows, title=title).first(MAX_SHOWN).to_html()])
