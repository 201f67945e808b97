"""The manual as a site: docs/build.sh."""

import importlib.util
import os
import sys


def has(module):
    return importlib.util.find_spec(module) is not None


project = "speclab"
author = "the speclab authors"
copyright = "the speclab authors, Apache-2.0"
extensions = ["myst_parser"]
exclude_patterns = ["README.md"]  # index.md is the first page of the site
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]
html_title = "speclab"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
root_doc = "index"
version = release = os.environ.get("SPECLAB_VERSION", "")

# Furo and the copy buttons are left out where they are not installed.
left_out = []
if has("furo"):
    html_theme = "furo"
else:
    left_out.append("the theme Furo (Debian: furo)")
    html_theme = "alabaster"
    html_theme_options = {"description": "the theory of speculative decoding, checked",
                          "page_width": "1100px", "sidebar_width": "240px"}
if has("sphinx_copybutton"):
    extensions.append("sphinx_copybutton")
    copybutton_prompt_text = "$ "
    copybutton_only_copy_prompt_lines = False
else:
    left_out.append("copy buttons (Debian: python3-sphinx-copybutton)")
if left_out:
    print("left out, as not installed: " + "; ".join(left_out), file=sys.stderr)
