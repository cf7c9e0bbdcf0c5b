# SPDX-License-Identifier: MIT
"""Looks at pages as readers on a phone and at a desk see them, in light and in dark.

usage: page_layout.py PAGE...

A PAGE is a file or an address. Nothing may be wider than the window, no text over another, cut off,
tiny, or fainter than WCAG 2.1's level AA asks for, and each picture has a name for those who cannot
see it. Whatever can be opened is open. Prints as JSON what is wrong, by page, width and scheme:
{PAGE: {"400 light": [PROBLEM, ...], ...}, ...}, without what is right.
"""
import json
import sys
import tempfile
from pathlib import Path

from browser import Browser

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
WIDTHS = (400, 1400)
SCHEMES = ("light", "dark")
SETTLED = "new Promise((done) => setTimeout(() => requestAnimationFrame(done), 150))"


def problems(browser):
    """What is wrong with the page that the browser shows now."""
    found = {}
    for width in WIDTHS:
        browser.command("Emulation.setDeviceMetricsOverride", width=width, height=2000, deviceScaleFactor=1,
                        mobile=False)
        for scheme in SCHEMES:
            browser.command("Emulation.setEmulatedMedia",
                            features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.evaluate("for (const closed of document.querySelectorAll('details')) closed.open = true")
            browser.evaluate(SETTLED)
            wrong = browser.evaluate(SCRIPT)
            if wrong:
                found[f"{width} {scheme}"] = wrong
    browser.command("Emulation.clearDeviceMetricsOverride")
    return found


def main(pages):
    verdict = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            for page in pages:
                browser.open(page if "://" in page else Path(page).resolve().as_uri())
                browser.wait_for("document.readyState == 'complete' && location.href != 'about:blank'")
                found = problems(browser)
                if found:
                    verdict[page] = found
        finally:
            browser.close()
    print(json.dumps(verdict, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
