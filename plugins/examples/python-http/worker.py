"""A plugin for Knowledge Warehouse as an HTTP worker: needs only Python 3.9 or later and its standard library."""
import base64, collections, hmac, json, os, pathlib, re, sys, threading, time, traceback, urllib.parse, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
PLUGIN = {"id": "word-count", "name": "Word count", "kind": "http", "produces": ["words"], "heartbeat_seconds": 30}
steps = {}  # Steps that have begun, by attempt: a message may arrive twice.

def run(step):  # The plugin itself: counts the words of the text from an earlier step, or else of the source.
    url = next((each["url"] for each in step["inputs"] if each["type"] == "text"), step["resource"]["source_url"])
    lines, counts = call("GET", url, step["callback"]["token"]).decode().splitlines(), collections.Counter()
    for number, line in enumerate(lines):
        progress(step, number / len(lines), f"line {number} of {len(lines)}")
        counts.update(re.findall(r"\w+", line.lower()))
    return [artifact(step, "words", {"total": sum(counts.values()), "counts": counts})]

def work(step):  # A ValueError means that the input is invalid: the step fails. After other errors it is retried.
    try:
        report = {"status": "SUCCESS", "artifacts": run(step)}
    except Exception as error:
        traceback.print_exc()
        report = {"status": "FAILURE", "error": {"code": type(error).__name__, "message": str(error)[:1000],
                                                 "retryable": not isinstance(error, ValueError)}}
    send(step, report)

def progress(step, fraction, message):  # Call it often: Core gives up a worker that is silent for heartbeat_seconds.
    if time.time() > step.get("next_progress", 0):
        step["next_progress"] = time.time() + 1
        send(step, {"status": "PROGRESS", "progress": {"fraction": fraction, "message": message}})

def artifact(step, type, content):  # A report may hold 1 MiB of each content: longer content is uploaded before it.
    head = {"type": type, "content_type": "json"}
    if len(json.dumps(content)) < 1_000_000:
        return {**head, "content": content}
    return {**head, "upload_id": send(step, content, "PUT", "/uploads?" + urllib.parse.urlencode(head))["upload_id"]}

def send(step, body, method="POST", path=""):  # Ends the thread when the attempt is cancelled, closed or out of time.
    pause, url, token = 0.5, step["callback"]["url"], step["callback"]["token"]
    while not step.get("cancelled") and time.monotonic() < step["until"]:
        try:
            pause > 0.5 and call("POST", url, token, {"status": "PROGRESS", "progress": {}})  # "I am still here."
            answer = json.loads(call(method, url + path, token, body))
            step["cancelled"] = step.get("cancelled") or answer.get("cancel_requested")
            return answer
        except OSError as error:
            if getattr(error, "code", 503) < 500:
                print(error, error.read().decode(), flush=True)  # 409: the attempt is closed.
                break
            time.sleep(pause := min(2 * pause, 8))  # Core or the network is down.
    sys.exit()

def call(method, url, token, body=None):
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    request = urllib.request.Request(url, body and json.dumps(body).encode(), headers, method=method)
    return urllib.request.urlopen(request, timeout=30).read()

def is_signed(headers, body):  # See Standard Webhooks. There are two signatures while the secret is being changed.
    sent_at, signatures = headers.get("webhook-timestamp", ""), headers.get("webhook-signature", "").encode()
    signed = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    mac = base64.b64encode(hmac.digest(base64.b64decode(secret[len("whsec_"):]), signed, "sha256"))
    is_valid = len(secret) > 27 and sent_at.isdecimal() and abs(time.time() - int(sent_at)) <= 300
    return is_valid and any(hmac.compare_digest(b"v1," + mac, each) for each in signatures.split())

def take(message):  # Returns the status of the response.
    protocol = message.get("protocol")
    if protocol not in ("kw.step/1", "kw.cancel/1"):
        return 204 if protocol == "kw.cleanup/1" else 400  # This plugin stores nothing that needs a clean-up.
    number = message["attempt"]["number"] if protocol == "kw.step/1" else message["attempt"]
    attempt = (message["resource"]["id"], message["run"], message["step_index"], number)
    if protocol == "kw.cancel/1":
        steps.get(attempt, {})["cancelled"] = True
    elif steps.setdefault(attempt, message) is message:
        message["until"] = time.monotonic() + message["attempt"]["remaining_ms"] / 1000  # Core's clock may differ.
        threading.Thread(target=work, args=[message], daemon=True).start()
    for oldest in list(steps)[:-10_000]: steps.pop(oldest, None)
    return 202

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        self.send_response(take(json.loads(body)) if is_signed(self.headers, body) else 401)
        self.end_headers()

def register(endpoint):  # Returns the signing secret. Core shows it only once, so it is saved to a file.
    read = lambda name: pathlib.Path(os.environ.get("KW_DATA_DIR", ".kw"), name).read_text()  # From `npm start`.
    core, key = os.environ.get("KW_URL"), os.environ.get("KW_API_KEY")
    core, key = (core, key) if core else (json.loads(read("stack.json"))["api"], key or read("admin-key").strip())
    url, host = core + "/api/v1/plugins/" + PLUGIN["id"], re.sub("^localhost(?![^:/])", "127.0.0.1", core.split("//")[-1])
    kept = pathlib.Path(".kw-secrets", re.sub(r"[^\w.-]+", "_", host), PLUGIN["id"])  # A secret per service.
    kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # Before a secret is created that could not be saved.
    kept.touch(mode=0o600)
    ask = lambda method, path, body=None: json.loads(call(method, url + path, key, body)).get("signing_secret")
    secret = ask("PUT", "", {**PLUGIN, "endpoint": endpoint}) or kept.read_text() or ask("POST", "/signing-secret")
    kept.write_text(secret)
    return secret

server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", 8091))), Handler)
endpoint = os.environ.get("KW_ENDPOINT", f"http://127.0.0.1:{server.server_port}/")  # Where Core reaches this worker.
secret = os.environ.get("KW_SIGNING_SECRET") or register(endpoint)
print(f"{PLUGIN['id']} listens on port {server.server_port}.", flush=True)
server.serve_forever()
