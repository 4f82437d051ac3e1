"""Reports without their charts, which take most of the time that a page takes."""

from unittest.mock import patch

from sfumato.display.figure import new_figure

WITHOUT_CHARTS = patch("sfumato.reports.release.rendering.charts.draw_chart", lambda chart: [new_figure(1, 0.3)])
