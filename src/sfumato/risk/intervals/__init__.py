"""Interval disclosure: how narrowly a masked value tells the original one."""
