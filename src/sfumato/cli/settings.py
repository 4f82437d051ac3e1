"""Parse options written as NAME=VALUE."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from sfumato.contracts import MaskingMethod
from sfumato.documents import Document
from sfumato.errors import DocumentError, ParameterError


def read_pairs(option: str, example: str, given: Sequence[str]) -> dict[str, str]:
    """Return what an option gives as `NAME=VALUE`, by name; a name may be given once.

    Examples
    --------
    >>> read_pairs("--importance", "region=3", ["region=3", "sex = 1"])
    {'region': '3', 'sex': '1'}
    """
    pairs: dict[str, str] = {}
    for text in given:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise ParameterError([f"{option} must be written as {example}; got '{text}'"])
        if name in pairs:
            raise ParameterError([f"{option} gives {name} twice; keep one"])
        pairs[name] = value
    return pairs


def read_names(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas; none where it says none.

    Examples
    --------
    >>> read_names("age, sex"), read_names("none")
    (('age', 'sex'), ())
    """
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    return () if names == ("none",) else names


def read_numbers(option: str, example: str, given: Sequence[str]) -> dict[str, float]:
    """Return the numbers that an option gives by name."""
    numbers = {}
    for name, text in read_pairs(option, example, given).items():
        try:
            numbers[name] = float(text)
        except ValueError:
            raise ParameterError([f"{option} must give {name} a number, as in {name}=3; got '{text}'"]) from None
    return numbers


def read_number_steps(recipe: Path | None, keeps_numbers: bool) -> tuple[MaskingMethod, ...] | None:
    """Return the steps of the recipe that `--number-recipe` names, none with `--keeps-numbers`; None without both."""
    from sfumato.recipe import Recipe

    if recipe is None:
        return () if keeps_numbers else None
    if keeps_numbers:
        raise ParameterError(["--number-recipe and --keeps-numbers contradict each other; keep one"])
    return Recipe.load(recipe).steps


def read_settings(given: Sequence[str], taken: Collection[str]) -> dict[str, Any]:
    """Return the values, written as YAML, that `--set` gives by name; those in `taken` have options of their own."""
    settings = {}
    for name, text in read_pairs("--set", "NAME=VALUE, as in scale=0.5", given).items():
        if name in taken:
            raise ParameterError([f"{name} is given twice, with an option and with --set; keep one"])
        try:
            settings[name] = Document.parse(text, "value").value
        except DocumentError:
            raise ParameterError([f"--set {name}: the value is not valid YAML; put text into quotes"]) from None
    return settings
