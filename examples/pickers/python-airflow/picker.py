"""A pod picker for Airflow's Celery workers: the workers that would lose the least work go first.

For each request it reads the running tasks from Airflow's metadata database. It keeps no state and
changes nothing: the same tasks give the same answer.
"""

import hmac
import json
import os
import sqlite3
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DATABASE = os.environ.get("AIRFLOW_DB", "airflow.db")
# The expected value of the header `Authorization` ("Bearer ..."). If empty, all clients are admitted.
AUTHORIZATION = os.environ.get("PICKER_AUTHORIZATION", "").strip()


def running_tasks():
    """The worker and start time of every running task. For PostgreSQL, change only `connect`."""
    database = sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True, timeout=1)
    try:
        return database.execute(
            "SELECT hostname, start_date FROM task_instance WHERE state = 'running'"
        ).fetchall()
    finally:
        database.close()


def weights(tasks, now):
    """How much work would be lost with each worker. A task counts 1, plus 1 for every full hour that
    it has run. Full hours, so that workers with about the same load are tied."""
    weight_of = {}
    for host, began in tasks:
        worker = host.split(".")[0]  # Airflow may store a full name; the pod's name is its first part.
        began = datetime.fromisoformat(began)
        if began.tzinfo is None:
            began = began.replace(tzinfo=timezone.utc)
        hours = max(0, int((now - began).total_seconds() // 3600))
        weight_of[worker] = weight_of.get(worker, 0) + 1 + hours
    return weight_of


def pick(wanted, candidates, weight_of):
    """The chosen and the tied pods. Pods that should stay are not named."""
    wanted = min(wanted, len(candidates))
    idle = [pod for pod in candidates if pod not in weight_of]
    if len(idle) >= wanted:
        # Enough workers are idle. More names than wanted are fine: the default order decides.
        return idle, []
    load = {pod: weight_of.get(pod, 0) for pod in candidates}
    limit = sorted(load.values())[wanted - 1]
    # All pods below the limit have to go. Of those at the limit only some, whichever they are.
    return [p for p in candidates if load[p] < limit], [p for p in candidates if load[p] == limit]


class Picker(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):  # for the kubelet's probes
        self.answer(200 if self.path == "/healthz" else 404, {})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        given = self.headers.get("Authorization", "")
        if AUTHORIZATION and not hmac.compare_digest(given.encode(), AUTHORIZATION.encode()):
            return self.answer(401, {"error": "wrong or no Authorization"})
        try:
            request = json.loads(body)
            wanted = int(request["number_of_pods_requested"])
            candidates = list(request["candidate_pods"])
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"error": "not a picker request"})
        try:
            weight_of = weights(running_tasks(), datetime.now(timezone.utc))
        except sqlite3.Error as error:
            # Report the failure rather than guess: ebb retries, then uses the default order.
            self.log_error("cannot read %s: %s", DATABASE, error)
            return self.answer(503, {"error": "the metadata database does not answer"})
        chosen, tied = pick(wanted, candidates, weight_of)
        self.log_message("%d of %d wanted: %s, or of %s", wanted, len(candidates), chosen, tied)
        self.answer(200, {"chosen_pods": chosen, "tied_pods": tied})

    def answer(self, code, content):
        body = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    where = (os.environ.get("HOST", "0.0.0.0"), int(os.environ.get("PORT", "8080")))
    ThreadingHTTPServer(where, Picker).serve_forever()
