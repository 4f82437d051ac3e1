"""Markup is written in one place only, and all text is escaped there."""

import re
from pathlib import Path

import sfumato
from sfumato.display import (
    Cell,
    Column,
    Table,
    bullet_list,
    detail_column,
    header_column,
    heading,
    legend,
    numbered_list,
    paragraph,
    render_notebook,
    render_page,
    text_column,
)

EVIL = "<script>alert('x')</script>\""


def test_every_text_is_escaped() -> None:
    table = Table(
        (header_column(EVIL), Column(EVIL, unit=EVIL, hint=EVIL), detail_column(EVIL)),
        (EVIL, (EVIL, Cell(EVIL, hint=EVIL), Cell(EVIL, parts=(EVIL,)))),
        title=EVIL,
        spanner=EVIL,
        notes=(EVIL,),
    )
    parts = [table.to_html(), heading(EVIL), paragraph(EVIL), bullet_list([EVIL]), numbered_list([EVIL])]
    parts.append(legend([(Cell(EVIL, style="hidden"), EVIL)], EVIL))
    for html in (render_page(EVIL, parts, notice=EVIL), render_notebook(parts)):
        assert "<script" not in html
        assert 'title="&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt;&quot;"' in html


def test_a_page_loads_nothing_from_elsewhere() -> None:
    html = render_page("Title", [])
    assert html.startswith("<!DOCTYPE html>")
    assert "http" not in html
    assert "<link" not in html
    assert "<title>Title</title>" in html


def test_the_rules_of_a_notebook_hold_inside_it_only() -> None:
    html = render_notebook(["<p></p>"])
    rules = re.findall(r"^([^{}\n]+) \{", html, re.MULTILINE)
    assert rules
    assert all(one.strip().startswith(".sfumato ") for rule in rules for one in rule.split(","))


def test_rows_are_named_totals_marked_and_bars_drawn() -> None:
    table = Table(
        (header_column("town"), Column("risk"), text_column()),
        ((Cell("A", indent=1), 10.0, Cell(bar=50.0)), ("all", 20.0, Cell("met", style="good"))),
        totals=frozenset({1}),
    )
    html = table.to_html()
    assert '<th scope="row" style="padding-left:1.7em">A</th>' in html
    assert '<span style="width:4.00em"></span>' in html
    assert '<tr class="total"><th scope="row">all</th><td>20.00</td><td class="text good">met</td></tr>' in html


def test_cells_with_a_hint_can_be_reached_by_the_keyboard() -> None:
    assert '<td title="why" tabindex="0">x</td>' in Table((Column(),), ((Cell("x", hint="why"),),)).to_html()


def test_no_other_room_writes_markup() -> None:
    root = Path(sfumato.__file__).parent
    markup = re.compile(r"</?(table|thead|tbody|tr|td|th|h[1-6]|p|ul|ol|li|div|span)[ >]")
    written = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*.py"))
        if markup.search(path.read_text(encoding="utf-8")) and path.parent.name != "display"
    ]
    assert written == []


def test_percent_signs_of_narrow_prose_stay_with_their_number() -> None:
    table = Table((detail_column("remark"),), (("in 5 % of 9 files, 95 % sure",),))
    assert "in 5&nbsp;% of 9 files, 95&nbsp;% sure" in table.to_html()
