"""An HTTP worker for Knowledge Warehouse with Python's standard library alone.

It registers itself as the plugin KW_PLUGIN at KW_URL with KW_KEY, a key of the scope plugin:KW_PLUGIN, takes signed
steps, and does with each what the resource's text asks for: "succeed", "fail once", anything else: nothing at all.
What it sees and does it writes down on its standard output, a line of JSON each, with the time in seconds.
"""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CORE = os.environ["KW_URL"]
KEY = os.environ["KW_KEY"]
PLUGIN = os.environ["KW_PLUGIN"]
TOLERANCE_SECONDS = 300
writing = threading.Lock()


def note(event, **fields):
    with writing:
        print(json.dumps({"event": event, "at": time.time(), **fields}), flush=True)


def call(method, url, token, body=None):
    request = urllib.request.Request(url, method=method, headers={"authorization": f"Bearer {token}"})
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("content-type", "application/json")
    with urllib.request.urlopen(request, timeout=30) as response:
        return response.read()


def is_signed(secret, headers, body):
    """Standard Webhooks: HMAC-SHA256 over "id.timestamp.body", one of the signatures listed."""
    try:
        message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
        if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
            return False
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(digest).decode()
        return any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" "))
    except (AttributeError, KeyError, TypeError, ValueError):
        return False


def work(step):
    """Does the step, and reports it by the callback."""
    callback, number = step["callback"], step["attempt"]["number"]
    resource = step["resource"]
    text = call("GET", resource["source_url"], callback["token"]).decode()
    note("read", resource=resource["id"], attempt=number, text=text)
    if text == "succeed" or (text == "fail once" and number > 1):
        artifact = {"type": "shout", "content_type": "text", "content": text.upper(), "metadata": {"attempt": number}}
        report = {"status": "SUCCESS", "artifact": artifact}
    elif text == "fail once":
        report = {"status": "FAILURE", "error": {"code": "TOO_EARLY", "message": "Not yet.", "retryable": True}}
    else:
        return
    # Before it is sent: the pause until the next attempt cannot be shorter than what is measured from here.
    note("report", resource=resource["id"], attempt=number, status=report["status"])
    answer = json.loads(call("POST", callback["url"], callback["token"], report))
    note("answer", resource=resource["id"], attempt=number, answer=answer)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_signed(self.server.secret, self.headers, body):
            note("refused")
            return self.reply(401)
        step = json.loads(body)
        note("step", resource=step["resource"]["id"], attempt=step["attempt"]["number"], max=step["attempt"]["max"])
        self.reply(202)
        threading.Thread(target=work, args=(step,), daemon=True).start()

    def reply(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def main():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    endpoint = f"http://127.0.0.1:{server.server_port}/steps"
    plugin = {"id": PLUGIN, "name": "Shouts", "kind": "http", "endpoint": endpoint, "produces": ["shout"]}
    server.secret = json.loads(call("PUT", f"{CORE}/api/v1/plugins/{PLUGIN}", KEY, plugin))["signing_secret"]
    note("listening", endpoint=endpoint)
    server.serve_forever()


main()
