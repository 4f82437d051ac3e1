from typing import Any

from sfumato.app.studies.study_map import on_axes, separating


def study() -> dict[str, Any]:
    figures = [(90.0, 5.0, 1.0), (90.4, 2.0, 3.0), (90.2, 9.0, 9.0), (None, 1.0, 1.0), (1.0, 1.0, 1.0)]
    candidates = [{"figures": {"a": a, "b": b, "loss": c}, "error": ""} for a, b, c in figures]
    candidates[-1]["error"] = "it failed"
    return {"risk": "a", "loss": "loss", "candidates": candidates}


def test_the_front_is_that_of_the_axes_that_were_chosen() -> None:
    fronts = {risk: [one["is_on_front"] for one in on_axes(study(), risk, "loss")["candidates"]] for risk in "ab"}
    assert fronts["a"] == [True, False, False, False, False]
    assert fronts["b"] == [False, False, False, True, False]


def test_an_axis_on_which_all_lie_at_one_place_is_passed_over() -> None:
    found = study()
    found["candidates"].pop()
    assert separating(found, ["a", "b"]) == "b"
    assert separating(found, ["a"]) == "a"
    assert separating(found, []) == ""
