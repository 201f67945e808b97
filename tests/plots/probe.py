"""probe.py PAGE WIDTH PROBE: a page that shows PAGE in a frame of WIDTH pixels and writes into itself what it saw.

A browser's window does not become as narrow as a phone; a frame does, and styles by width depend on the frame. What is seen
stands in the attribute data-seen of the root element:
  images, shown   images of the page, and those that are drawn at 50 pixels or more
  errors          failures of scripts
  sideways        elements that are wider than what they stand in, or 1 where the page scrolls sideways
  paper, plate    lightness (0 to 255) of the page's background, and the least of those behind the images
"""

import json
import sys

PROBE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>probe</title><link rel="icon" href="data:,"></head><body>
<iframe id="frame" style="width:%dpx;height:900px;border:0"></iframe>
<script id="page" type="application/json">%s</script>
<script>
var frame = document.getElementById('frame'), errors = 0;
function light(element) {
  for (; element; element = element.parentElement) {
    var parts = frame.contentWindow.getComputedStyle(element).backgroundColor.match(/[0-9.]+/g).map(Number);
    if (parts.length < 4 || parts[3] > 0) return Math.round((parts[0] + parts[1] + parts[2]) / 3);
  }
  return 255;
}
function look() {
  var page = frame.contentDocument, root = page.documentElement;
  page.querySelectorAll('details').forEach(function (part) { part.open = true; });
  var images = Array.from(page.images);
  var shown = images.filter(function (image) { return image.complete && image.naturalWidth > 0 && image.width > 50; });
  var sideways = root.scrollWidth > root.clientWidth ? 1 : 0;
  page.querySelectorAll('body *').forEach(function (part) {
    if (part.getBoundingClientRect().right > root.clientWidth + 1 || part.scrollWidth > part.clientWidth + 1 &&
        part.clientWidth > 0 && frame.contentWindow.getComputedStyle(part).overflowX !== 'visible') sideways += 1;
  });
  var plates = images.map(light);
  document.documentElement.setAttribute('data-seen', 'images=' + images.length + ' shown=' + shown.length + ' errors=' +
    errors + ' sideways=' + sideways + ' paper=' + light(page.body) + ' plate=' + Math.min.apply(null, plates.concat(256)));
}
frame.addEventListener('load', look);
window.counted = function () { errors += 1; };
frame.srcdoc = JSON.parse(document.getElementById('page').textContent).replace('<head>',
  '<head><script>window.addEventListener("error", function () { parent.counted(); });<' + '/script>');
</script></body></html>
"""


def main():
    page, width, probe = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        content = file.read()
    assert "<head>" in content, page
    with open(probe, "w", encoding="utf-8") as file:
        file.write(PROBE % (int(width), json.dumps(content).replace("<", "\\u003c")))


if __name__ == "__main__":
    main()
