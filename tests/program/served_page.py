# SPDX-License-Identifier: MIT
"""Uses the page of `semblance serve` in Chromium as a reader would, and prints what happened as JSON.

usage: served_page.py PORT ROW

It speaks the browser's own protocol over two pipes, so that nothing has to be put into the page,
whose policy would refuse it. ROW is a right row of the model, as CSV.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

PORT, ROW = sys.argv[1:3]


class Browser:
    def __init__(self, profile):
        to_browser, self.writing = os.pipe()
        self.reading, from_browser = os.pipe()
        # It reads commands from descriptor 3 and writes to 4. Its sandbox needs rights that
        # containers and root do not have; the page is our own.
        def descriptors():
            commands, answers = os.dup(to_browser), os.dup(from_browser)
            os.dup2(commands, 3)
            os.dup2(answers, 4)
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", f"--user-data-dir={profile}", "--window-size=1100,1400",
             "--remote-debugging-pipe", "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.number, self.rest, self.events, self.session = 0, b"", [], None

    def message(self):
        while b"\0" not in self.rest:
            data = os.read(self.reading, 1 << 16)
            if not data:
                raise RuntimeError("the browser has ended")
            self.rest += data
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def command(self, method, **parameters):
        self.number += 1
        sent = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            sent["sessionId"] = self.session
        os.write(self.writing, json.dumps(sent).encode() + b"\0")
        while True:
            found = self.message()
            if found.get("id") == self.number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                return found["result"]
            self.events.append(found)

    def evaluate(self, text):
        found = self.command("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{text}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def wait_for(self, text, seconds=30):
        end = time.monotonic() + seconds
        while not self.evaluate(text):
            if time.monotonic() > end:
                raise RuntimeError(f"this did not come: {text}; " + self.evaluate("document.body.innerText"))
            time.sleep(0.05)

    def mouse(self, kind, x, y):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)


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
    target = browser.command("Target.createTarget", url="about:blank")["targetId"]
    browser.session = browser.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network"):
        browser.command(f"{domain}.enable")
    browser.command("Page.navigate", url=f"http://127.0.0.1:{PORT}/")
    browser.wait_for("document.querySelector('#try') && !document.querySelector('#try').hidden")
    verdict = {
        "title": browser.evaluate("document.title"),
        "pad": browser.evaluate("!document.querySelector('#drawing').hidden"),
        "overflow": browser.evaluate("document.documentElement.scrollWidth - innerWidth"),
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
    browser.evaluate("0")
    verdict["urls"] = sorted({e["params"]["request"]["url"].split("?")[0] for e in browser.events
                              if e.get("method") == "Network.requestWillBeSent"})
    verdict["errors"] = [e["params"] for e in browser.events if e.get("method") == "Runtime.exceptionThrown"]
    verdict["policy"] = [e["params"]["entry"]["text"] for e in browser.events
                         if e.get("method") == "Log.entryAdded" and e["params"]["entry"]["source"] == "security"]
    return verdict


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(profile)
    try:
        print(json.dumps(use(browser)))
    finally:
        browser.process.kill()
        browser.process.wait()
