"""Labels of values where codes are meant: `marital == 'single'` for a column in which 1 stands for single."""

from sfumato.data import Microdata, Variable
from sfumato.errors import DataError
from sfumato.expressions.expression import Expression


def check_labels(where: str, expression: Expression, data: Microdata) -> None:
    """Refuse an expression that compares a column with the label of a code, and say the code."""
    for name, constants in expression.constants_equalled().items():
        for text in (one for one in constants if isinstance(one, str) and name in data.schema):
            if hint := label_hint(data.schema[name], text):
                raise DataError(f"{where} compares '{name}' with a label: {hint}")


def label_hint(variable: Variable, text: str) -> str:
    """Say which code of a column a text is the label of; nothing where it is none, or a code itself.

    Examples
    --------
    >>> label_hint(Variable(name="sex", kind="nominal", value_labels={1: "man", 2: "woman"}), "woman")
    "codes are meant, and 'woman' is the label of 2 in 'sex'"
    """
    codes = [code for code, label in variable.value_labels.items() if label == text]
    if not codes or any(str(code) == text for code in variable.value_labels):
        return ""
    whole = (int(code) if isinstance(code, float) and code.is_integer() else code for code in codes)
    shown = " and of ".join(map(repr, whole))
    return f"codes are meant, and '{text}' is the label of {shown} in '{variable.name}'"
