#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A web server on loopback that serves files as badly as servers can.

usage: range_server.py FOLDER LOG

Prints its port, then serves FOLDER/NAME under /MODE/NAME until its standard input ends. MODE says
what goes wrong. Every request becomes a line of LOG: path, Range or -, and the status.
"""
import http.server
import os
import socket
import socketserver
import sys
import threading

FOLDER, LOG = sys.argv[1:3]
counts = {}
lock = threading.Lock()


def count(path):
    with lock:
        counts[path] = counts.get(path, 0) + 1
        return counts[path]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=(), claimed=None):
        with lock, open(LOG, "a") as log:
            log.write(f"{self.path} {self.headers.get('Range', '-')} {status}\n")
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if claimed is None else claimed))
        self.end_headers()
        try:
            self.wfile.write(body)
            self.wfile.flush()
        except OSError:
            pass
        if claimed is not None and claimed != len(body):
            self.close_connection = True
            try:
                self.connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def do_GET(self):
        mode, _, name = self.path.lstrip("/").partition("/")
        times = count(self.path)
        if mode == "redirect":
            return self.answer(302, headers=[("Location", f"/ok/{name}")])
        if mode == "loop":
            return self.answer(302, headers=[("Location", f"/loop/{name}")])
        if mode == "tofile":
            return self.answer(302, headers=[("Location", "file:///etc/passwd")])
        if mode == "forbidden":
            return self.answer(403)
        if mode == "busy" and times < 3:
            return self.answer(503)
        path = os.path.join(FOLDER, os.path.basename(name))
        if mode == "missing" or not os.path.exists(path):
            return self.answer(404, b"nothing here")
        with open(path, "rb") as file:
            body = file.read()
        if mode == "wrong":
            body = body[:-1] + bytes([body[-1] ^ 1])
        if mode == "short":
            body = body[: len(body) // 2]
        if mode == "long":
            body += b"x" * 1000
        if mode == "lying" and times == 1:  # the first part is of another file
            body = bytes(b ^ 255 for b in body)
        headers = [("Accept-Ranges", "bytes")]
        wanted = self.headers.get("Range")
        begin = 0
        if wanted and mode not in ("norange", "half"):
            begin = int(wanted.removeprefix("bytes=").rstrip("-"))
            if begin >= len(body):
                return self.answer(416, headers=[("Content-Range", f"bytes */{len(body)}")])
            headers.append(("Content-Range", f"bytes {begin}-{len(body) - 1}/{len(body)}"))
        if mode == "otherpart" and begin:
            headers[-1] = ("Content-Range", f"bytes 0-{len(body) - 1}/{len(body)}")
        part = body[begin:]
        sent = part
        if mode in ("cut", "norange", "lying", "otherpart") and times == 1:
            sent = part[: len(part) // 2]
        if mode == "drip":  # a little each time
            sent = part[: max(1, len(body) // 5)]
        if mode == "half":  # each time, and without ranges
            sent = part[: len(part) // 2]
        if mode == "dead":
            sent = b""
        self.answer(206 if begin else 200, sent, headers, len(part))


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # clients are killed on purpose
            super().handle_error(request, client_address)


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
