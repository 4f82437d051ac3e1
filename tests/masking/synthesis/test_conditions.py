import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.datasets import demo
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.masking import HouseholdSynthesis, SequentialSynthesis


def synthetic(data: Microdata, *columns: str, **parameters: object) -> Microdata:
    return run_step(SequentialSynthesis(columns=columns, **parameters), data, seed=1, step=0)


def test_conditions_hold_for_every_record() -> None:
    names = ("age", "sex", "education", "marital_status", "wage_income")
    rules = ("age >= 45 or marital_status != 'divorced'", "education < 'bachelor' or wage_income > 0")
    plain, ruled = (synthetic(demo(2000), *names, conditions=chosen).frame for chosen in ((), rules))
    for frame, broken in ((plain, True), (ruled, False)):
        young = frame.filter((pl.col("age") < 45) & (pl.col("marital_status") == "divorced"))
        unpaid = frame.filter(
            pl.col("education").is_in(["bachelor", "master", "doctorate"]) & (pl.col("wage_income") <= 0)
        )
        assert (len(young) > 0, len(unpaid) > 0) == (broken, broken)


def test_a_negative_category_is_compared_as_it_stands() -> None:
    opinions = [(-1, 0, 1)[place % 3] for place in range(600)]
    frame = pl.DataFrame({"age": [10 + place % 40 for place in range(600)], "opinion": opinions})
    data = Microdata(frame, Schema.infer(frame).with_kinds(nominal=["opinion"]))
    made = synthetic(data, "age", "opinion", conditions=("age >= 20 or opinion == -1",)).frame
    young = made.filter(pl.col("age") < 20)
    assert young.height > 20
    assert young["opinion"].unique().to_list() == [-1]
    for wrong in ("opinion != -8", "opinion == -age"):
        with pytest.raises(DataError, match="what is none of its categories"):
            synthetic(data, "age", "opinion", conditions=(wrong,))


def with_codes(household: bool = False) -> Microdata:
    """Return persons whose pay does not apply (-8) to children, and is refused (-9) by some others."""
    rows = [(place // 2, 5 + place % 50, [-9, 700 + place % 90][place % 7 > 1]) for place in range(700)]
    frame = pl.DataFrame(
        [(home, age, -8 if age < 16 and home % 5 else pay) for home, age, pay in rows],
        schema=["home", "age", "pay"],
        orient="row",
    )
    roles = "role: household, kind: nominal" if household else "kind: continuous"
    kinds = "age: {kind: continuous}, pay: {kind: continuous, missing_codes: [-8, -9]}"
    return Microdata(frame, Schema.from_yaml(f"variables: {{home: {{{roles}}}, {kinds}}}"))


def test_a_condition_asks_for_one_code_for_no_answer() -> None:
    rules = ("age >= 16 or missing(pay, -8)", "age < 16 or not missing(pay, -8)")
    persons, homes = with_codes().without_columns(("home",)), with_codes(household=True)
    together = HouseholdSynthesis(columns=("age", "pay"), conditions=rules)
    made = [synthetic(persons, "age", "pay", conditions=rules), run_step(together, homes, seed=1, step=0)]
    for frame in (file.frame for file in made):
        assert frame.filter(pl.col("age") < 16)["pay"].unique().to_list() == [-8]
        others = frame.filter(pl.col("age") >= 16)["pay"]
        assert (others == -9).any()
        assert not (others == -8).any()


def test_what_is_no_code_for_no_answer_cannot_be_asked_for() -> None:
    with pytest.raises(DataError, match=r"missing\(pay, -7\), which is no code .* its codes are -8, -9"):
        synthetic(with_codes(), "age", "pay", conditions=("missing(pay, -7)",))
    with pytest.raises(DataError, match="it has none"):
        synthetic(with_codes(), "age", "pay", conditions=("missing(age, -8)",))


def test_a_condition_that_no_record_can_meet_is_refused() -> None:
    with pytest.raises(DataError, match="200 of 200 records still do not meet a condition after 100 draws"):
        synthetic(demo(200), "age", conditions=("age > 500",))


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("sex == 'female'", "reads 'sex', which is neither in columns nor in given"),
        ("region == 'Nowhere'", "none of its categories"),
        ("age == 'old'", "a number with text"),
        ("region == ''", r"for no answer missing\(region\)"),
        (
            "age >= 20 or -8 == age",
            r"'age' with a code for no answer.* write missing\(age\), missing\(age, code\) or not missing\(age\)",
        ),
        ("age < 20 or age != -50", "'age' with a code for no answer"),
    ],
)
def test_refuses_conditions_that_cannot_be_read(rule: str, said: str) -> None:
    people = demo(200)
    codes = people.schema["age"].replace(missing_codes=(-8,), missing_ranges=((-60, -40),))
    some = Microdata(people.frame, people.schema.with_variables(codes))
    with pytest.raises(DataError, match=f"SequentialSynthesis.conditions: number 1 .*{said}"):
        synthetic(some, "age", "region", conditions=(rule,))


@pytest.mark.parametrize("rule", ["age >= 20 or missing(pay)", "not (age < 20 and not missing(pay))"])
def test_a_condition_may_ask_for_a_missing_value(rule: str) -> None:
    frame = pl.DataFrame({"age": [15, 30] * 60, "pay": [None, 900] * 55 + [700, 900] * 5})
    data = Microdata(frame, Schema.infer(frame).with_kinds(continuous=["age", "pay"]))
    plain, ruled = (synthetic(data, "age", "pay", conditions=chosen).frame for chosen in ((), (rule,)))
    young = [made.filter(pl.col("age") < 20)["pay"] for made in (plain, ruled)]
    assert young[0].null_count() < len(young[0])
    assert 0 < young[1].null_count() == len(young[1])


@pytest.mark.parametrize("rule", ["age", "age >", "open('x') == 1", "age in region", "(lambda: 1) == 1"])
def test_refuses_what_is_no_condition(rule: str) -> None:
    with pytest.raises(ParameterError, match="conditions"):
        SequentialSynthesis(columns=("age",), conditions=(rule,))


@pytest.mark.parametrize("kind", ["nominal", "continuous"])
def test_a_label_in_a_condition_is_refused_with_its_code(kind: str) -> None:
    text = (
        f"variables: {{marital: {{kind: {kind}, value_labels: {{1: single, 2: married}}}}, age: {{kind: continuous}}}}"
    )
    frame = pl.DataFrame(
        {"marital": [1 + place % 2 for place in range(100)], "age": [20 + place for place in range(100)]}
    )
    data = Microdata(frame, Schema.from_yaml(text))
    with pytest.raises(
        DataError, match="compares 'marital' with a label: codes are meant, and 'single' is the label of 1"
    ):
        synthetic(data, "age", "marital", conditions=("age >= 16 or marital == 'single'",))
    assert synthetic(data, "age", "marital", conditions=("age >= 16 or marital == 1",)).n == 100
