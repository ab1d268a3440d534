"""A plugin for Knowledge Warehouse as a Temporal activity worker in Python."""
import asyncio, json, os, signal, time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from urllib.request import Request, urlopen

from temporalio import activity
from temporalio.client import Client
from temporalio.exceptions import ApplicationError, CancelledError
from temporalio.worker import Worker

PLUGIN = {"id": "reading-time", "name": "Reading time", "kind": "activity", "produces": ["reading-time"]}
ROUTING = {"task_queue": f"kw-plugin-{PLUGIN['id']}", "activity_type": PLUGIN["id"], "heartbeat_seconds": 30}

# Addresses come from the environment, or from what `npm start` writes into its data directory.
DATA = Path(os.environ.get("KW_DATA_DIR", ".kw"))
STACK = json.loads((DATA / "stack.json").read_text()) if (DATA / "stack.json").exists() else {}
CORE, KEY = os.environ.get("KW_URL"), os.environ.get("KW_API_KEY")
if not CORE:
    CORE, KEY = STACK["api"], KEY or (DATA / "admin-key").read_text().strip()


def call(method, url, token, body=None):
    """Sends a request to Core, again and again while Core is away, and returns the open response."""
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    request, pause = Request(url, body and json.dumps(body).encode(), headers, method=method), 0.5
    while True:
        try:
            return urlopen(request, timeout=20)
        except OSError as error:
            reason = getattr(error, "code", getattr(error, "reason", error))
            if not isinstance(reason, OSError) and reason not in (408, 425, 429, 502, 503, 504):
                raise  # Core refuses the request, or, with 500, cannot read the bytes.
            print(f"{error}: trying {url} again", flush=True)
        if activity.in_activity():
            activity.heartbeat()  # The worker is alive. Once the attempt is out of time, an exception ends the wait.
        time.sleep(pause := min(2 * pause, 5))


def reading_time(step):
    """The plugin itself: estimates the reading time of the text from an earlier step, or else of the source."""
    pace = step["plugin"]["config"].get("words_per_minute", 200)
    if not isinstance(pace, int) or pace < 1:
        # The type is the error code that users see. After any other exception the step is retried.
        raise ApplicationError("words_per_minute must be 1 or more", type="INVALID_CONFIG", non_retryable=True)
    url = next((each["url"] for each in step["inputs"] if each["type"] == "text"), step["resource"]["source_url"])
    words = 0
    with call("GET", url, step["callback"]["token"]) as text:
        for number, line in enumerate(text):
            if number % 10_000 == 0:  # Every second or so: shows that the work goes on, and receives a cancellation.
                activity.heartbeat()
            words += len(line.split())
        if text.length:  # The bytes that are missing. The connection broke, and Python does not say so.
            raise ConnectionError("The text ended early.")
    content = {"words": words, "minutes": round(words / pace, 1)}
    return [{"type": "reading-time", "content_type": "json", "content": content}]


@activity.defn(name=ROUTING["activity_type"])
def run(message: dict):
    """Claims the attempt, which returns the step, and returns its artifacts: at most 256 KiB in total."""
    attempt = message["attempt_base"] + activity.info().attempt
    claim = {key: message[key] for key in ("resource_id", "run", "step_index")}
    try:
        with call("POST", f"{CORE}/api/v1/internal/attempts", KEY, {**claim, "attempt": attempt}) as answer:
            step = json.load(answer)
        return None if "settled" in step else {"artifacts": reading_time(step)}  # None: it is already over.
    except CancelledError:
        if activity.is_worker_shutdown():  # Another worker runs the step again, and no attempt is used up.
            raise ApplicationError("stopped", {"attempt": attempt}, type="KW_INTERRUPTED", non_retryable=True)
        raise


async def main():
    call("PUT", f"{CORE}/api/v1/plugins/{PLUGIN['id']}", KEY, {**PLUGIN, **ROUTING}).close()
    address = os.environ.get("TEMPORAL_ADDRESS") or STACK["temporal_address"]
    namespace = os.environ.get("TEMPORAL_NAMESPACE") or STACK.get("temporal_namespace", "default")
    api_key = os.environ.get("TEMPORAL_API_KEY") or None  # Turns TLS on, as in the service.
    tls = (os.environ.get("TEMPORAL_TLS") or str(api_key is not None)).lower() in ("true", "1", "yes", "on")
    stop = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stop.set)
    async with Worker(
        await Client.connect(address, namespace=namespace, api_key=api_key, tls=tls),
        task_queue=ROUTING["task_queue"],
        activities=[run],
        activity_executor=ThreadPoolExecutor(10),
        max_concurrent_activities=10,
        graceful_shutdown_timeout=timedelta(seconds=5),
        max_heartbeat_throttle_interval=timedelta(seconds=3),
    ):
        print(f"{PLUGIN['id']} works on the task queue {ROUTING['task_queue']}.", flush=True)
        await stop.wait()


asyncio.run(main())
