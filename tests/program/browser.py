# SPDX-License-Identifier: MIT
"""Chromium for the tests of served pages.

It speaks the browser's own protocol over two pipes, so that nothing has to be put into the page,
whose policy would refuse it.
"""
import json
import os
import subprocess
import time


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
        while not self.evaluate(f"!!({text})"):
            if time.monotonic() > end:
                raise RuntimeError(f"this did not come: {text}; " + self.evaluate("document.body.innerText"))
            time.sleep(0.05)

    def mouse(self, kind, x, y):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def open(self, url):
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.command(f"{domain}.enable")
        self.command("Page.navigate", url=url)

    def key(self, key, text=None):
        sent = {"key": key, "code": key, "windowsVirtualKeyCode": {"Enter": 13, "Escape": 27}.get(key, 0)}
        if text:
            sent["text"] = text
        self.command("Input.dispatchKeyEvent", type="keyDown", **sent)
        self.command("Input.dispatchKeyEvent", type="keyUp", **sent)

    def complaints(self):
        """Where the page went, and what went wrong."""
        return {
            "urls": sorted({e["params"]["request"]["url"].split("?")[0] for e in self.events
                            if e.get("method") == "Network.requestWillBeSent"}),
            "errors": [e["params"] for e in self.events if e.get("method") == "Runtime.exceptionThrown"],
            "policy": [e["params"]["entry"]["text"] for e in self.events
                       if e.get("method") == "Log.entryAdded" and e["params"]["entry"]["source"] == "security"]}

    def close(self):
        self.process.kill()
        self.process.wait()
