"""Cells by the codes of dimensions: what they hold, who stands behind them, and which add up to which."""
