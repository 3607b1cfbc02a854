"""Pickers as processes of the tests (the examples), and one that records its requests."""

import http.server
import json
import os
import pathlib
import socket
import sqlite3
import sys
import threading
from datetime import datetime, timedelta, timezone

from support.kube_api_server import free_port
from support.loopback_server import LoopbackServer
from support.process import Child, eventually

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = REPOSITORY / "examples" / "pickers"
COMPILED = REPOSITORY / "build" / "pickers"  # scripts/picker-examples

COMMANDS = {
    "python-airflow": [sys.executable, str(EXAMPLES / "python-airflow" / "picker.py")],
    "java-game-shards": ["java", "-cp", str(COMPILED / "java"), "GameShards"],
    "typescript-regions": ["node", str(COMPILED / "typescript" / "dist" / "picker.js")],
    "python-grpc": [sys.executable, str(EXAMPLES / "python-grpc" / "picker.py")],
}


class ExamplePicker:
    """One of examples/pickers, unchanged, configured by its environment."""

    def __init__(self, name, folder, **environment):
        self.name = name
        self.log = pathlib.Path(folder) / f"{name}.log"
        self.port = free_port()
        self.environment = {
            **os.environ,
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            **environment,
        }
        self.child = None

    def start(self):
        self.child = Child(COMMANDS[self.name], self.log, env=self.environment)
        eventually(self._listens, timeout=60)
        return self

    def _listens(self):
        assert self.child.running(), self.child.output()
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        except OSError:
            return False

    def kill(self):
        self.child.kill()

    def http(self, **more):
        """The settings that lead to it."""
        return {"http": {"host": "127.0.0.1", "port": self.port, "path": "/pick", **more}}

    def grpc(self, **more):
        return {"grpc": {"host": "127.0.0.1", "port": self.port, **more}}

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.kill()


class AirflowDatabase:
    """As much of Airflow's metadata as the picker reads."""

    def __init__(self, folder):
        self.path = folder / "airflow.db"
        self._do("CREATE TABLE task_instance (hostname TEXT, state TEXT, start_date TEXT)")

    def _do(self, statement, values=()):
        with sqlite3.connect(self.path) as database:
            database.execute(statement, values)
        database.close()

    def run_task(self, worker, minutes, state="running"):
        began = datetime.now(timezone.utc) - timedelta(minutes=minutes)
        self._do(
            "INSERT INTO task_instance VALUES (?, ?, ?)",
            (worker, state, began.strftime("%Y-%m-%d %H:%M:%S.%f")),
        )


class RecordingPicker:
    """Chooses the first candidates by name by default, and records every request."""

    def __init__(self, answer=None):
        self.requests = []  # (headers with names in lower case, body)
        self.answer = answer or first_by_name
        picker = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                picker.requests.append((headers, body))
                code, content = picker.answer(body)
                content = json.dumps(content).encode()
                self.send_response(code)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = LoopbackServer(Handler)
        self.port = self.server.port

    def http(self, **more):
        return {"http": {"host": "127.0.0.1", "port": self.port, "path": "/pick", **more}}

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def first_by_name(request):
    wanted = request["number_of_pods_requested"]
    return 200, {"chosen_pods": sorted(request["candidate_pods"])[:wanted], "tied_pods": []}


def blocks(path, language):
    """The code blocks of a Markdown file in this language."""
    found, current = [], None
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        if current is None and line == f"```{language}":
            current = []
        elif current is not None and line == "```":
            found.append("\n".join(current) + "\n")
            current = None
        elif current is not None:
            current.append(line)
    return found
