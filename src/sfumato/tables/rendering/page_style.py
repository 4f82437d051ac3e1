"""How tables look on a page, beyond what all pages share."""

STYLE = """
thead th.part { font-weight: 400; }
thead th.across { text-align: left; border-bottom: 1px solid #bbb; }
tbody th:first-child { position: sticky; left: 0; background: #fff; }
.suppressed { text-align: center; border-radius: 2px; white-space: nowrap; }
td.suppressed { outline: 1px solid #fff; outline-offset: -1px; }
.legend { display: flex; flex-wrap: wrap; gap: .3em 1.6em; font-size: .92em; color: #444; }
.legend .suppressed { display: inline-block; min-width: 1.6em; }
.primary { background: #f3c9a5; font-weight: 600; }
.secondary { background: repeating-linear-gradient(45deg, #d7e3ee, #d7e3ee 4px, #bcd0e2 4px, #bcd0e2 6px); }
.given { background: #d9d9d9; }
.unexplained { background: repeating-linear-gradient(45deg, #e8e4de, #e8e4de 4px, #d3ccc2 4px, #d3ccc2 6px); }
td.suppressed.suppressed:focus { outline: 2px solid #8c2d04; }
@page { size: landscape; margin: 12mm; }
@media print {
  .wide table { font-size: 7.5pt; } .wide th, .wide td { padding: .15em .4em; }
  .suppressed { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
