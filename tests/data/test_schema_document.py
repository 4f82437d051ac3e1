from hypothesis import given

from sfumato.data import Schema
from sfumato.data.schema_document import commented_yaml
from tests.data.test_schema import SCHEMA, schemas


@given(schemas)
def test_a_commented_schema_is_read_as_it_was(schema: Schema) -> None:
    comments = {name: ["first\nline: {", "# second"] for name in schema.names}
    assert Schema.from_yaml(commented_yaml(schema, ["a title"], comments)) == schema


def test_roles_and_kinds_are_written_out_and_no_label_is_lost() -> None:
    text = commented_yaml(SCHEMA)
    assert "  age: {kind: continuous, role: other, label: Age in years}" in text
    assert "value_labels: {1: male, 2: female}" in text
