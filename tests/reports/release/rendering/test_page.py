"""The page of a release report: one file, readable by everybody, and all names are text."""

import html
import itertools
import re
from datetime import date, timedelta
from html.parser import HTMLParser

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from tests.reports.release.surveys import made, page

MARKUP = '<script>alert("x")</script>'
LONG = "long" * 2_500
RIGHT_TO_LEFT = "\u202e\u05e9\u05dc\u05d5\u05dd <i>"


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


def test_the_page_asks_for_nothing_outside_and_runs_nothing() -> None:
    elements = Elements(page())
    assert not [name for name, _ in elements.found if name in {"script", "link", "iframe", "img", "object"}]
    links = [str(attributes.get("href")) for attributes in elements.named("a")]
    assert links
    assert all(link.startswith("#") for link in links)
    assert "url(http" not in page()


def test_every_link_leads_to_a_place_on_the_page() -> None:
    elements = Elements(page())
    places = {attributes.get("id") for _, attributes in elements.found}
    assert {str(one["href"])[1:] for one in elements.named("a")} <= places


def test_tables_have_scoped_headings_and_pictures_have_words() -> None:
    elements = Elements(page())
    assert all("scope" in attributes or "colspan" in attributes for attributes in elements.named("th"))
    pictures = elements.named("svg")
    assert pictures
    assert all(one.get("role") == "img" and one.get("aria-label") for one in pictures)
    headings = [int(name[1]) for name, _ in elements.found if re.fullmatch("h[1-6]", name)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(headings))


def test_markup_and_endless_names_are_shown_as_text() -> None:
    n = 60
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            MARKUP: rng.choice([MARKUP, f"<b>{LONG}</b>", "$x_1$", RIGHT_TO_LEFT], n).tolist(),
            f"{LONG}": rng.normal(size=n),
            "& < > \" '": rng.normal(size=n),
        }
    )
    variables = (
        Variable(name=MARKUP, kind="nominal", role="key", label=f"<img src=x onerror=alert(1)>{LONG}"),
        Variable(name=LONG, kind="continuous", role="confidential", label=MARKUP),
        Variable(name="& < > \" '", kind="continuous", role="confidential"),
    )
    data = Microdata(frame, Schema(variables=variables))
    report = sf.report(data, data, author=MARKUP, title=MARKUP)
    html = report.to_html()
    elements = Elements(html)
    assert not [name for name, _ in elements.found if name in {"script", "img", "b", "i"}]
    assert not [one for _, attributes in elements.found for one in attributes if one.startswith("on")]
    assert "&lt;script&gt;" in html
    assert "overflow-wrap: anywhere" in html
    assert "\u05e9\u05dc\u05d5\u05dd" in html
    assert "\u202e" not in html
    assert "<script>" not in report._repr_html_()


def test_the_definition_of_each_figure_is_text_and_not_only_a_hint() -> None:
    text = html.unescape(re.sub("<[^>]*>", "", page()))
    assert [figure.path for figure in made().figures if figure.definition not in text] == []


def test_values_that_no_bar_shows_are_told_in_text_below_their_picture() -> None:
    n = 200
    pay: list[float | None] = [0.0] * 100 + [None] * 30 + [100.0 + place for place in range(70)]
    data = Microdata(pl.DataFrame({"sex": ["f", "m"] * (n // 2), "pay": pay}))
    data = data.with_schema(data.schema.with_kinds(nominal=["sex"], continuous=["pay"]).with_roles(key=["sex"]))
    shown = html.unescape(sf.report(data, data, same_order=True).to_html())
    assert "<p>Not drawn: 0 in 50.0 % before, 50.0 % after; missing in 15.0 % before, 15.0 % after.</p>" in shown


def test_a_date_that_stands_for_no_end_makes_no_axis_that_cannot_be_drawn() -> None:
    rng = np.random.default_rng(1)
    days = [None if one < 0.8 else int(900 * one) for one in rng.random(200)]
    ends = [date(9999, 12, 31) if day is None else date(2023, 1, 1) + timedelta(days=day) for day in days]
    frame = pl.DataFrame({"town": rng.choice([*"abc"], 200), "until": ends})
    data = sf.Microdata(frame, Schema.infer(frame).with_roles(key=["town"]))
    assert "until" in sf.report(data, data, limits=["k=3"]).to_html()
