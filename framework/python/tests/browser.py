# SPDX-License-Identifier: MIT
"""Outputs of cells in a page like a notebook's, as Chromium shows them."""

import json
import re
import shutil
import subprocess

CHROMIUM = shutil.which("chromium")

#: What JupyterLab has around an output, in its light and its dark theme.
THEMES = {"light": ("white", "rgba(0, 0, 0, 0.87)"), "dark": ("#111111", "rgba(255, 255, 255, 1)")}

PAGE = """<!doctype html>
<meta charset="utf-8">
<style>
body {{ margin: 0; background: {paper}; color: {ink}; font: 13px/1.3 Arial, sans-serif; }}
.rendered_html ul:not(.list-inline), .rendered_html ol:not(.list-inline) {{ padding-left: 2em; }}
.rendered_html dt {{ font-weight: bold; }}
.rendered_html td, .rendered_html th {{ text-align: right; }}
.jp-OutputArea-output {{ width: 800px; padding: 8px; margin: 10px; }}
</style>
<p id="outside">words of the notebook</p>
{outputs}
<pre id="verdict" style="display: none"></pre>
<script>{script}</script>
"""

OUTPUT = '<div class="jp-OutputArea-output rendered_html">{}</div>'

#: For each output: its text, its size, what leaves its frame or has to be scrolled to, and the
#: least contrast of a text with what is behind it (WCAG 2.1: the ratio of luminances).
SCRIPT = """
const channels = (color) => color.match(/[\\d.]+/g).map(Number);
const luminance = (rgb) => rgb.slice(0, 3)
    .map((value) => value / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
const over = (top, below) => {
  const alpha = top.length > 3 ? top[3] : 1;
  return [0, 1, 2].map((k) => alpha * top[k] + (1 - alpha) * below[k]);
};
const behind = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) {
    const style = getComputedStyle(at);
    const gradient = style.backgroundImage.match(/gradient\\((rgba?\\([^)]*\\))/);  // a single colour
    if (gradient) layers.push(channels(gradient[1]));
    layers.push(channels(style.backgroundColor));
  }
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
};
const contrast = (element) => {
  const paper = behind(element);
  const lights = [luminance(over(channels(getComputedStyle(element).color), paper)),
                  luminance(paper)];
  return (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
};
const texts = (root) => [...root.querySelectorAll('*')].filter((element) =>
    !['STYLE', 'SCRIPT'].includes(element.tagName) && element.checkVisibility() &&
    channels(getComputedStyle(element).color)[3] !== 0 &&  // zeros appear below the pointer
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()));
const verdict = [...document.querySelectorAll('.jp-OutputArea-output')].map((output) => {
  const frame = output.getBoundingClientRect();
  const shown = texts(output);
  return {
    text: output.innerText, left: frame.left, top: frame.top, width: frame.width,
    height: frame.height, overflow: output.scrollWidth - output.clientWidth,
    hidden: Math.max(0, ...[...output.querySelectorAll('*')].map((element) =>
        element.scrollWidth - element.clientWidth > 1 &&
        getComputedStyle(element).overflowX === 'auto' ?
            element.scrollWidth - element.clientWidth : 0)),
    contrast: Math.min(...shown.map(contrast)),
    small: Math.min(...shown.map((element) => parseFloat(getComputedStyle(element).fontSize))),
  };
});
const outside = getComputedStyle(document.querySelector('#outside'));
document.querySelector('#verdict').textContent = JSON.stringify(
    {outputs: verdict, font: outside.font, color: outside.color})
    .replace(/[<>&\\u0080-\\uffff]/g,
             (c) => '\\\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
"""


def page(outputs, theme="light"):
    """The text of a page that shows these texts of HTML as a notebook shows a cell's output."""
    paper, ink = THEMES[theme]
    return PAGE.format(paper=paper, ink=ink, script=SCRIPT,
                       outputs="\n".join(OUTPUT.format(text) for text in outputs))


def visit(folder, address, *options):
    """What Chromium prints of a page, and its log."""
    # Its sandbox needs rights that containers and root do not have; the pages are our own.
    done = subprocess.run(
        [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--no-first-run", f"--user-data-dir={folder}/profile", "--hide-scrollbars",
         "--window-size=900,2400", "--timeout=60000", *options, address],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout, done.stderr


def verdict_on(folder, outputs, theme="light"):
    """What the browser measured of outputs that are HTML."""
    (folder / "page.html").write_text(page(outputs, theme), encoding="utf-8")
    dom, log = visit(folder, f"file://{folder}/page.html", "--dump-dom")
    found = re.search(r'<pre id="verdict"[^>]*>(.+?)</pre>', dom, re.S)
    if not found:
        raise RuntimeError(f"the browser gave no verdict:\n{log}")
    return json.loads(found[1])


def screenshot_of(folder, outputs, theme="light"):
    """A picture of the page, (height, width, 3) with values from 0 to 1."""
    from matplotlib import image
    (folder / "page.html").write_text(page(outputs, theme), encoding="utf-8")
    file = folder / "screenshot.png"
    log = visit(folder, f"file://{folder}/page.html", f"--screenshot={file}")[1]
    if not file.exists():
        raise RuntimeError(f"the browser took no screenshot:\n{log}")
    return image.imread(file)[..., :3]
