"""Checks a built site: links.py SITE PERMALINKS. Every link inside it leads to a page and a place there, ids are unique,
every page that was ever published is there, all facts of the front page are in the HTML, and budgets are kept."""

import html.parser
import os
import sys
import urllib.parse

FRONT_BYTES = 200_000
VOID = {"meta", "link", "input", "br", "wbr", "img", "hr"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.ids, self.faults, self.open, self.entries = [], set(), [], [], 0

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("href", "src"):
            if values.get(name):
                self.links.append(values[name])
        if "id" in values:
            if values["id"] in self.ids:
                self.faults.append(f"the id {values['id']} is there twice")
            self.ids.add(values["id"])
        self.entries += "data-kind" in values
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-1] if self.open else 'nothing'}")
        else:
            self.open.pop()


def read(path):
    page = Page()
    with open(path, encoding="utf-8") as file:
        page.feed(file.read())
    if page.open:
        page.faults.append(f"<{page.open[-1]}> is not closed")
    return page


def check(site, permalinks):
    pages = {}
    for folder, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                pages[os.path.relpath(path, site)] = read(path)
    faults = [f"{path}: {fault}" for path, page in pages.items() for fault in page.faults]
    reached = {"index.html"}
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            to = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(parts.path))) if parts.path else path
            if not os.path.exists(os.path.join(site, to)):
                faults.append(f"{path}: {link} leads nowhere")
            elif parts.fragment and to in pages and parts.fragment not in pages[to].ids:
                faults.append(f"{path}: {link} has no such place")
            reached.add(to)
    faults += [f"{path}: no page links it" for path in pages if path not in reached]
    with open(permalinks, encoding="utf-8") as file:
        faults += [f"{line}: was published and is gone" for line in file.read().split() if line not in pages]
    if "index.html" in pages:
        size = os.path.getsize(os.path.join(site, "index.html"))
        for name in ("zoo.css", "zoo.js"):
            size += os.path.getsize(os.path.join(site, name))
        if size > FRONT_BYTES:
            faults.append(f"index.html: {size} bytes with its style and script, at most {FRONT_BYTES}")
        if pages["index.html"].entries != len(pages) - 1:
            faults.append(f"index.html: {pages['index.html'].entries} entries of {len(pages) - 1} pages")
    return pages, faults


def main():
    pages, faults = check(*sys.argv[1:3])
    for fault in faults[:50]:
        print(fault)
    print(f"{len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
