"""A pod picker for Airflow's Celery workers: the workers that would lose least go first.

Who does what is read from Airflow's metadata database at the moment of the question. Nothing is
kept and nothing is changed here: the same tasks give the same answer, however often we are asked.
"""

import hmac
import json
import os
import sqlite3
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DATABASE = os.environ.get("AIRFLOW_DB", "airflow.db")
# What the header `Authorization` has to be, all of it ("Bearer ..."). Empty: everybody may ask.
AUTHORIZATION = os.environ.get("PICKER_AUTHORIZATION", "").strip()


def running_tasks():
    """(worker, when it began) of every task that runs. With PostgreSQL only `connect` differs."""
    database = sqlite3.connect(f"file:{DATABASE}?mode=ro", uri=True, timeout=1)
    try:
        return database.execute(
            "SELECT hostname, start_date FROM task_instance WHERE state = 'running'"
        ).fetchall()
    finally:
        database.close()


def weights(tasks, now):
    """How much would be lost with each worker. A task counts 1, and 1 more for every full hour of
    work; full hours, so that workers with about as much to lose are equal and can be told so."""
    weight_of = {}
    for host, began in tasks:
        worker = host.split(".")[0]  # Airflow may note a full name; the pod's is its first part.
        began = datetime.fromisoformat(began)
        if began.tzinfo is None:
            began = began.replace(tzinfo=timezone.utc)
        hours = max(0, int((now - began).total_seconds() // 3600))
        weight_of[worker] = weight_of.get(worker, 0) + 1 + hours
    return weight_of


def pick(wanted, candidates, weight_of):
    """(chosen, tied). Those that should stay are simply not named."""
    wanted = min(wanted, len(candidates))
    idle = [pod for pod in candidates if pod not in weight_of]
    if len(idle) >= wanted:
        # Enough do nothing. More names than wanted are fine: the normal order decides among them.
        return idle, []
    load = {pod: weight_of.get(pod, 0) for pod in candidates}
    limit = sorted(load.values())[wanted - 1]
    # Below the limit all have to go; at the limit only some, and which is the same to us.
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
            question = json.loads(body)
            wanted = int(question["number_of_pods_requested"])
            candidates = list(question["candidate_pods"])
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"error": "not a question to a picker"})
        try:
            weight_of = weights(running_tasks(), datetime.now(timezone.utc))
        except sqlite3.Error as error:
            # Better to say so than to guess: ebb asks again, and then goes by its normal order.
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
