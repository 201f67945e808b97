"""The manual as a site: docs/build.sh."""

import os

project = "speclab"
author = "the speclab authors"
copyright = "the speclab authors, Apache-2.0"
extensions = ["myst_parser"]
exclude_patterns = ["README.md"]  # index.md includes it
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
suppress_warnings = ["myst.header"]
html_theme = "alabaster"
html_theme_options = {
    "description": "the theory of speculative decoding, checked",
    "fixed_sidebar": False,
    "page_width": "1100px",
    "sidebar_width": "240px",
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
root_doc = "index"
version = release = os.environ.get("SPECLAB_VERSION", "")
