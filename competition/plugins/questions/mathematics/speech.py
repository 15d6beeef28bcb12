"""Say formulas in English words, for screen readers."""

from xml.etree.ElementTree import Element


def say(formula: Element) -> str:
    """The formula in words."""
    return " ".join(part for part in formula.itertext() if part.strip())
