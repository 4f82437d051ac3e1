"""Output checking: a large log, and many small ones that a reader who is written apart from the audit judges."""

import time
from functools import cache

import numpy as np
import polars as pl
from tests.outputs.random_logs import MadeLog, make_log
from tests.outputs.reader import disclosed_counts, disclosed_sums

from benchmarks.case import QUICK, Case, records
from sfumato.outputs import OutputLog, audit_outputs

TABLES = 3 if QUICK else 50
LOGS = 3 if QUICK else 1000
CONDITIONS = (
    None,
    "sex == 'f'",
    "age != '5'",
    "year != '1'",
    "education != '0'",
    "age == '1' or age == '2' or age == '4'",
    "sex == 'm' and year != '1'",
    "education != '2'",
    "age == '0' or age == '4'",
    "sex == 'f' and age != '3'",
)
FURTHER = (None, "age != '4'", "year != '0'", "education != '1'", "age != '4' and year != '0'")


def _people(count: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(2, 22)
    shares /= shares.sum()
    return pl.DataFrame(
        {
            "region": [f"r{code:02}" for code in rng.choice(20, count, p=shares)],
            "job": [f"j{code:02}" for code in rng.choice(20, count, p=shares)],
            "sex": rng.choice(["f", "m"], count),
            **{name: rng.integers(0, size, count).astype(str) for name, size in _SIZES.items()},
        }
    )


_SIZES = {"age": 6, "year": 3, "education": 3}


def _condition(number: int) -> str | None:
    """Return a filter that overlaps with those before it; no two of fifty select the same people."""
    both = CONDITIONS[number % len(CONDITIONS)], FURTHER[number // len(CONDITIONS)]
    return " and ".join(f"({one})" for one in both if one) or None


@cache
def large_log() -> tuple[OutputLog, float]:
    """Return a log of tables of 400 cells with overlapping filters, and the CPU seconds that asking for them took."""
    log = OutputLog(_people(records(100_000)))
    start = time.process_time()
    for number in range(TABLES):
        log.crosstab("region", "job", where=_condition(number))
    return log, time.process_time() - start


def check_large_log() -> float:
    """Return the CPU seconds of auditing all tables of the log together."""
    log, _ = large_log()
    facts = [output.facts for output in log.outputs if output.facts is not None]
    start = time.process_time()
    assert audit_outputs(facts, {}, log.rules) == ()
    return time.process_time() - start


@cache
def judged_logs() -> tuple[list[MadeLog], int]:
    """Return made logs, and how many groups their readers can narrow down too far."""
    made = [make_log(seed, max_records=90) for seed in range(LOGS)]
    found = [[*disclosed_counts(log.counts), *disclosed_sums(log.sums, log.values, p=10, n=2, k=90)] for log in made]
    return made, sum(map(len, found))


def hidden_percent() -> float:
    """Return the hidden cells in percent of those that are not exact when small ones are hidden and others rounded."""
    made, _ = judged_logs()
    return 100 * sum(log.hidden for log in made) / sum(log.not_multiples_of_five for log in made)


CASES = [
    Case(
        "outputs: audit 50 tables of 20,000 cells together",
        check_large_log,
        20.0,
        is_long=True,
        note="every cell is cut by 49 filters, and each of its parts is a group to be proven safe",
    ),
    Case(
        "outputs: ask for those tables, each audited beside all before",
        lambda: large_log()[1],
        400.0,
        is_long=True,
        note="a part that a new table tells nothing of is not searched again",
    ),
    Case(
        "outputs: disclosed groups in 1,000 logs of 2 to 6 tables",
        lambda: float(judged_logs()[1]),
        0.5,
        "groups",
        is_long=True,
    ),
    Case(
        "outputs: hidden cells, against hiding small cells and rounding the rest to 5",
        hidden_percent,
        100.0,
        "%",
        is_long=True,
    ),
]
