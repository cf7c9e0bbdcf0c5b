# SPDX-License-Identifier: MIT
"""Uses the page of `semblance board` in Chromium as a reader would, and prints what happened as JSON.

usage: board_page.py PORT PROCESS SCENE

SCENE is `few` (the runs a and b are chosen and compared), `many` (a long history), or `live` (a run
goes on, ends, and its folder vanishes). PROCESS is the board's, whose memory is measured.
"""
import json
import shutil
import sys
import tempfile
import time

from browser import Browser
from page_layout import problems

PORT, PROCESS, SCENE = sys.argv[1:4]
ROWS = "[...document.querySelectorAll('.row.item')]"
NAMES = ROWS + ".map((row) => row.querySelector('.name')?.title)"


def text_of(place):
    return f"(document.querySelector('{place}')?.textContent ?? '')"


def filtered(browser, text, expected):
    browser.evaluate(f"(() => {{ const box = document.querySelector('#filter'); box.value = {json.dumps(text)};"
                     "box.dispatchEvent(new Event('input')); })()")
    browser.wait_for(text_of("#facts") + f".startsWith({json.dumps(expected)})")


def chosen(browser, place, value):
    browser.evaluate(f"(() => {{ const box = document.querySelector('{place}'); box.value = '{value}';"
                     "box.dispatchEvent(new Event('change')); })()")


def few(browser):
    verdict = {"names": browser.evaluate(NAMES), "layout": [problems(browser)]}
    browser.key("/", "/")
    verdict["filter_has_focus"] = browser.evaluate("document.activeElement.id")
    filtered(browser, "error_rate<0.05", "0 of")
    verdict["none"] = browser.evaluate(text_of("#empty:not([hidden])"))
    filtered(browser, "RUNS/", "2 of")
    verdict["filtered"] = browser.evaluate(NAMES)
    filtered(browser, "-small", "0 of")
    filtered(browser, "-Other/ small", "2 of")
    verdict["without"] = browser.evaluate(NAMES)
    browser.key("Enter")
    for key in ("x", "ArrowDown", "x", "c"):
        browser.key(key, key if len(key) == 1 else None)
        time.sleep(0.1)
    browser.wait_for("document.querySelector('#tests')")
    verdict["tests"] = browser.evaluate(text_of("#tests"))
    verdict["differing"] = browser.evaluate(
        "[...document.querySelectorAll('#differing tbody tr')].map((row) => row.innerText)")
    verdict["figures"] = browser.evaluate("document.querySelectorAll('#compared tbody tr').length")
    verdict["lines"] = browser.evaluate("document.querySelector('#curves svg').querySelectorAll('path').length")
    verdict["elements"] = browser.evaluate("document.querySelectorAll('main b, main img').length")
    verdict["layout"].append(problems(browser))
    # The declaration of this figure does not say which of two values is better.
    chosen(browser, "#metric", "svm.squared_norm")
    browser.wait_for("document.querySelector('#better')?.hidden === false")
    verdict["asked"] = browser.evaluate(text_of("#tests"))
    chosen(browser, "#better", "lower")
    browser.wait_for("document.querySelector('#tests')?.tagName === 'PRE'")
    verdict["directed"] = browser.evaluate(text_of("#tests"))
    chosen(browser, "#metric", "test.error_rate")
    browser.wait_for("document.querySelector('#better').hidden")
    browser.key("Escape")
    browser.wait_for("document.querySelector('#detail').hidden")
    browser.key("Enter")
    browser.wait_for("document.querySelector('#save')")
    verdict["command"] = browser.evaluate(text_of("#command"))
    browser.evaluate("document.querySelector('#tags').value = 'best'; document.querySelector('#note').value = '<b>n</b>';"
                     "document.querySelector('#save').click()")
    browser.wait_for(text_of("#saved") + ".startsWith('Saved')")
    browser.wait_for(ROWS + ".some((row) => row.querySelector('.tag')?.textContent == 'best')")
    verdict["noted"] = browser.evaluate(ROWS + ".some((row) => row.textContent.includes('<b>n</b>'))")
    verdict["report"] = browser.evaluate("document.querySelector('#detail .actions a').href")
    verdict["unlabelled"] = browser.evaluate(
        "[...document.querySelectorAll('input, textarea, select')].filter((e) => e.labels.length == 0 && "
        "!e.ariaLabel).length")
    verdict["layout"].append(problems(browser))
    return verdict


def memory():
    with open(f"/proc/{PROCESS}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def sorted_by_error(browser, order):
    """The error rates of the rows in view, after a click on their heading."""
    browser.evaluate("[...document.querySelectorAll('#heads button')].find((b) => b.textContent == 'error rate, test').click()")
    browser.wait_for(f"document.querySelector('[data-order={order}]')?.textContent == 'error rate, test'")
    texts = browser.evaluate(ROWS + ".map((row) => row.querySelectorAll('.number')[2].textContent)")
    return [float(text.rstrip(" %")) for text in texts]


def many(browser):
    verdict = {"facts": browser.evaluate(text_of("#facts")),
               "first_row_ms": browser.evaluate("Math.round(window.firstRow ?? performance.now())"),
               "elements": browser.evaluate("document.querySelectorAll('.row').length"),
               "newest": browser.evaluate(NAMES)[0]}
    browser.key("End")
    browser.wait_for(ROWS + ".at(-1)?.dataset.id")
    verdict["last"] = browser.evaluate(ROWS + ".at(-1).dataset.number")
    begin = time.monotonic()
    filtered(browser, "small-7 done", "1,111 of")
    verdict["filter_s"] = time.monotonic() - begin
    begin = time.monotonic()
    best_first = sorted_by_error(browser, "up")
    verdict["sort_s"] = time.monotonic() - begin
    verdict["ascending"] = len(best_first) > 5 and best_first == sorted(best_first)
    worst_first = sorted_by_error(browser, "down")
    verdict["descending"] = worst_first[0] > best_first[-1] and worst_first == sorted(worst_first, reverse=True)
    verdict["memory_kib"] = memory()
    verdict["heap"] = browser.evaluate("performance.memory.usedJSHeapSize")
    return verdict


def live(browser):
    verdict = {}
    browser.wait_for(ROWS + ".some((row) => row.querySelector('.status.running'))", 60)
    browser.key("Enter")
    browser.wait_for("document.querySelector('#live')")
    verdict["live"] = browser.evaluate(text_of("#live"))
    browser.evaluate("window.before = document.querySelector('#live').textContent")
    browser.wait_for("document.querySelector('#live') && document.querySelector('#live').textContent != window.before")
    verdict["log"] = browser.evaluate(text_of("#log"))
    # The run ends by itself, and its figures appear.
    browser.wait_for("document.querySelector('#detail .status.done')", 120)
    browser.wait_for(text_of("#figures") + ".includes('error rate')")
    browser.wait_for(ROWS + "[0].querySelector('.status').textContent == 'done'")
    shutil.rmtree(browser.evaluate(NAMES)[0])
    browser.wait_for(ROWS + "[0]?.classList.contains('gone')")
    browser.key("Escape")
    browser.key("Enter")
    browser.wait_for("document.querySelector('#detail .problem')")
    verdict["gone"] = browser.evaluate(text_of("#detail .problem"))
    return verdict


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(profile)
    try:
        browser.open(f"http://127.0.0.1:{PORT}/")
        if SCENE == "live":
            browser.wait_for("document.querySelector('#list')")
        else:
            browser.wait_for(ROWS + "[0]?.dataset.id")
            browser.evaluate("window.firstRow = performance.now()")
        result = {"few": few, "many": many, "live": live}[SCENE](browser)
        result.update(browser.complaints())
        print(json.dumps(result))
    finally:
        browser.close()
