# SPDX-License-Identifier: MIT
"""Opens pages, whose files come line by line, in one browser, which takes most of a second to start.

Prints a line for each page: the JSON that its scripts leave in the element #verdicts.
usage: told_pages.py FOLDER_OF_BROWSER_PY
"""
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, sys.argv[1])
from browser import Browser  # noqa: E402

TOLD = "document.querySelector('#verdicts')?.textContent"

with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(profile)
    try:
        for line in sys.stdin:
            browser.open("about:blank")
            browser.command("Emulation.setDeviceMetricsOverride", width=1300, height=2100, deviceScaleFactor=1,
                            mobile=False)
            browser.command("Page.navigate", url=Path(line.strip()).as_uri())
            browser.wait_for(TOLD, seconds=120)
            print(json.dumps(json.loads(browser.evaluate(TOLD))), flush=True)
            browser.command("Page.close")
            browser.session = None
    finally:
        browser.close()
