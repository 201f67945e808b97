"""Makes text from files harmless: it controls neither the terminal nor the page or picture that shows it."""

import re

# Control characters and the marks that change the writing direction; tabs and line ends are kept.
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def harmless(value, mark="?"):
    """A text with each of them replaced, or a document of JSON with them replaced in its strings and names."""
    if isinstance(value, str):
        return CONTROLS.sub(mark, value)
    if isinstance(value, list):
        return [harmless(each, mark) for each in value]
    if isinstance(value, dict):
        return {harmless(name, mark): harmless(each, mark) for name, each in value.items()}
    return value
