"""How a page of tables looks: on screen, and in black on paper."""

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; margin: 2em; }
h1, h2, h3, p, ul { max-width: 60em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2em; } h3 { font-size: 1em; margin: 1.6em 0 .4em; }
ul { padding-left: 1.2em; }
.notice { border: 2px solid #8c2d04; color: #8c2d04; padding: .5em .8em; font-weight: 600; }
.wide { overflow-x: auto; margin-bottom: 1.2em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3em 0; }
th, td { padding: .18em .6em; border-bottom: 1px solid #ddd; text-align: right; white-space: nowrap; }
tbody th { text-align: left; font-weight: 400; }
thead th { border-bottom: 2px solid #777; } thead td { border: 0; }
thead th.part { font-weight: 400; }
thead th.across { text-align: left; border-bottom: 1px solid #bbb; }
tbody th:first-child { position: sticky; left: 0; background: #fff; }
tr.total td, tr.total th { font-weight: 600; }
.hidden { text-align: center; border-radius: 2px; }
td.hidden { outline: 1px solid #fff; outline-offset: -1px; }
.legend { display: flex; flex-wrap: wrap; gap: .3em 1.6em; font-size: .92em; color: #444; }
.legend .hidden { display: inline-block; min-width: 1.6em; }
.primary { background: #f3c9a5; font-weight: 600; }
.secondary { background: repeating-linear-gradient(45deg, #d7e3ee, #d7e3ee 4px, #bcd0e2 4px, #bcd0e2 6px); }
.given { background: #d9d9d9; }
.untold { background: repeating-linear-gradient(45deg, #e8e4de, #e8e4de 4px, #d3ccc2 4px, #d3ccc2 6px); }
td.hidden.hidden:focus { outline: 2px solid #8c2d04; }
.list td { text-align: left; white-space: normal; }
@page { size: landscape; margin: 12mm; }
@media print {
  body { margin: 0; font-size: 10pt; }
  .wide { overflow: visible; } .wide table { font-size: 7.5pt; } .wide th, .wide td { padding: .15em .4em; }
  tr { break-inside: avoid; } thead { display: table-header-group; }
  .hidden { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
