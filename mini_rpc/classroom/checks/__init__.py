"""Checking an answer: run it, judge it, name the mistake, help."""
