# SPDX-License-Identifier: MIT
"""Uses the page of `semblance serve` in Chromium as a reader would, and prints what happened as JSON.

usage: served_page.py PORT ROW

ROW is a right row of the model, as CSV.
"""
import json
import sys
import tempfile

from browser import Browser
from page_layout import problems

PORT, ROW = sys.argv[1:3]


ANSWERS = """[...document.querySelectorAll('#answers > li')].map((item) => ({
  class: item.querySelector('.class').textContent,
  scores: [...item.querySelectorAll('.scores dt')].map((name) => name.textContent),
  bars: item.querySelectorAll('.scores .bar i').length,
  nearest: item.querySelectorAll('.nearest-bases tbody tr').length,
  canvases: item.querySelectorAll('canvas.basis').length,
  elements: item.querySelectorAll('b, img, script').length}))"""

DROP = """(async () => {
  const data = new DataTransfer();
  data.items.add(%s);
  document.querySelector('#drop').dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true}));
})()"""

PICTURE = """await new Promise((done) => {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 50;
  canvas.getContext('2d').fillRect(10, 10, 20, 30);
  canvas.toBlob((blob) => done(new File([blob], 'x.png', {type: 'image/png'})));
})"""


def answers_of(browser, act):
    """What the page shows after this."""
    browser.evaluate("document.querySelector('#answers').replaceChildren()")
    browser.evaluate(act)
    browser.wait_for("document.querySelectorAll('#answers > li').length > 0 || !document.querySelector('#problem').hidden")
    return {"answers": browser.evaluate(ANSWERS), "problem": browser.evaluate("document.querySelector('#problem').textContent")}


def drawn(browser):
    box = browser.evaluate("""(() => { const pad = document.querySelector('#pad');
      pad.scrollIntoView();
      document.querySelector('#answers').replaceChildren();
      const box = pad.getBoundingClientRect(); return [box.left, box.top, box.width]; })()""")
    left, top, width = box
    browser.mouse("mousePressed", left + width / 3, top + width / 4)
    for step in range(10):
        browser.mouse("mouseMoved", left + width / 3 + step, top + width / 4 + step * width / 20)
    browser.mouse("mouseReleased", left + width / 3 + 9, top + width * 3 / 4)
    browser.wait_for("document.querySelectorAll('#answers > li').length > 0")
    return {"answers": browser.evaluate(ANSWERS)}


def typed(text):
    return (f"document.querySelector('#row').value = {json.dumps(text)};"
            "document.querySelector('#send').click()")


def use(browser):
    browser.open(f"http://127.0.0.1:{PORT}/")
    browser.wait_for("document.querySelector('#try') && !document.querySelector('#try').hidden")
    verdict = {
        "title": browser.evaluate("document.title"),
        "pad": browser.evaluate("!document.querySelector('#drawing').hidden"),
        "unlabelled": browser.evaluate(
            "[...document.querySelectorAll('input, textarea')].filter((e) => e.labels.length == 0).length"),
        "typed": answers_of(browser, typed(ROW + "\n" + ROW)),
        "many": answers_of(browser, typed((ROW + "\n") * 130)),
        "wrong": answers_of(browser, typed("<img src=x onerror=alert(1)>")),
        "dropped": answers_of(browser, DROP % f"new File([{json.dumps(ROW)}], 'x.csv')"),
        "unknown": answers_of(browser, DROP % "new File(['x'], '<b>x.doc')"),
        "picture": answers_of(browser, DROP % PICTURE)}
    if verdict["pad"]:
        verdict["drawn"] = drawn(browser)
        if verdict["drawn"]["answers"][0]["canvases"] > 0:
            browser.wait_for("document.querySelectorAll('canvas.basis[data-drawn]').length == "
                             "document.querySelectorAll('canvas.basis').length")
            verdict["inked"] = browser.evaluate("""[...document.querySelectorAll('canvas.basis')].map((canvas) => {
              const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
              const grey = [...data].filter((value, i) => i % 4 == 0);
              return [canvas.width, Math.min(...grey), Math.max(...grey)]; })""")
    verdict["layout"] = []
    for text in (ROW + "\n" + ROW, "wrong"):
        answers_of(browser, typed(text))
        verdict["layout"].append(problems(browser))
    verdict.update(browser.complaints())
    return verdict


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(profile)
    try:
        print(json.dumps(use(browser)))
    finally:
        browser.close()
