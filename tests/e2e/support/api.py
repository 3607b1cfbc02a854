"""A plain HTTP client for a Kubernetes API."""

import base64
import dataclasses
import http.client
import json
import os
import queue
import select
import socket
import ssl
import threading
import urllib.parse

import yaml

JSON = "application/json"
JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_PATCH = "application/strategic-merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
PROTOBUF = "application/vnd.kubernetes.protobuf"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"

NOTHING_YET = object()


@dataclasses.dataclass
class Access:
    """Where a server is and how to be let in."""

    host: str
    port: int
    token: str
    ca: str  # PEM; empty: none

    @staticmethod
    def from_kubeconfig(path):
        with open(path, encoding="utf-8") as file:
            config = yaml.safe_load(file)
        context = next(c for c in config["contexts"] if c["name"] == config["current-context"])
        cluster = next(
            c["cluster"] for c in config["clusters"] if c["name"] == context["context"]["cluster"]
        )
        user = next(u["user"] for u in config["users"] if u["name"] == context["context"]["user"])
        if "certificate-authority-data" in cluster:
            ca = base64.b64decode(cluster["certificate-authority-data"]).decode()
        else:
            ca_path = os.path.join(os.path.dirname(path), cluster["certificate-authority"])
            with open(ca_path, encoding="utf-8") as file:
                ca = file.read()
        url = urllib.parse.urlsplit(cluster["server"])
        return Access(url.hostname, url.port, user["token"], ca)


@dataclasses.dataclass
class Response:
    code: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def warnings(self):
        return [value for name, value in self.headers if name.lower() == "warning"]

    def header(self, wanted):
        return next((value for name, value in self.headers if name.lower() == wanted.lower()), None)


class Refused(AssertionError):
    """An answer other than 2xx where the test wanted one."""

    def __init__(self, request, response):
        super().__init__(
            f"{request}: {response.code} {response.body.decode(errors='replace')[:2000]}"
        )
        self.response = response


def closed_by_server(connection):
    """Whether an idle connection has ended: a server says nothing between two requests, so
    whatever is there to read is the end. A test that lasts longer than the server keeps idle
    connections would fail otherwise, and a POST cannot be sent twice to find out."""
    if connection.sock is None:
        return True
    poll = select.poll()
    poll.register(connection.sock, select.POLLIN)
    ended = bool(poll.poll(0))
    if ended:
        connection.close()
    return ended


class Api:
    """Each thread has a connection of its own, kept open between requests."""

    def __init__(self, access, timeout=30.0):
        self.access = access
        self.timeout = timeout
        self._tls = ssl.create_default_context(cadata=access.ca or None)
        self._local = threading.local()

    def connect(self, timeout=None):
        connection = http.client.HTTPSConnection(
            self.access.host, self.access.port, timeout=timeout or self.timeout, context=self._tls
        )
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def target(self, path, query):
        pairs = {k: str(v) for k, v in query.items() if v is not None}
        return path + ("?" + urllib.parse.urlencode(pairs) if pairs else "")

    def headers(self, content_type=None, accept=JSON, token=None):
        headers = {"Accept": accept}
        token = self.access.token if token is None else token
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if content_type:
            headers["Content-Type"] = content_type
        return headers

    def request(
        self,
        method,
        path,
        body=None,
        content_type=None,
        accept=JSON,
        token=None,
        more_headers=None,
        **query,
    ):
        """The answer, whatever it is. A connection that the server closed while it was idle is
        replaced first; one that breaks during the request is the caller's business."""
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if body is not None and content_type is None:
            content_type = JSON
        headers = {**self.headers(content_type, accept, token), **(more_headers or {})}
        connection = getattr(self._local, "connection", None)
        if connection is None or closed_by_server(connection):
            connection = self._local.connection = self.connect()
        try:
            connection.request(method, self.target(path, query), body, headers)
            answer = connection.getresponse()
            return Response(answer.status, answer.getheaders(), answer.read())
        except (OSError, http.client.HTTPException):
            connection.close()
            self._local.connection = None
            raise

    def ok(self, method, path, body=None, **options):
        response = self.request(method, path, body, **options)
        if not 200 <= response.code < 300:
            raise Refused(f"{method} {path}", response)
        return response.json

    def get(self, path, **options):
        return self.ok("GET", path, **options)

    def create(self, path, body, **options):
        return self.ok("POST", path, body, **options)

    def update(self, path, body, **options):
        return self.ok("PUT", path, body, **options)

    def patch(self, path, body, content_type=MERGE_PATCH, **options):
        return self.ok("PATCH", path, body, content_type=content_type, **options)

    def delete(self, path, body=None, **options):
        return self.ok("DELETE", path, body, **options)

    def watch(self, path, accept=JSON, **query):
        return Watch(self, path, accept, query)


class Watch:
    """A watch whose events a thread reads, so that a test can wait for one for a while."""

    def __init__(self, api, path, accept, query):
        self.connection = api.connect(timeout=600)
        target = api.target(path, {"watch": "true", **query})
        self.connection.request("GET", target, headers=api.headers(accept=accept))
        self.socket = self.connection.sock
        self.answer = self.connection.getresponse()
        self.code = self.answer.status
        self.headers = self.answer.getheaders()
        self.events = []
        self._queue = queue.Queue()
        if self.code != 200:
            self.body = self.answer.read()
            self.connection.close()
            return
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def status(self):
        return json.loads(self.body)

    def _read(self):
        try:
            while line := self.answer.readline():
                if line.strip():
                    self._queue.put(json.loads(line))
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
            self._queue.put(error)
        self._queue.put(None)

    def poll(self, timeout):
        """The next event; NOTHING_YET if none comes in time; None if the stream ended, or broke."""
        try:
            event = self._queue.get(timeout=timeout)
        except queue.Empty:
            return NOTHING_YET
        return None if isinstance(event, Exception) else event

    def next(self, timeout=10.0):
        """The next event; None at the end of the stream."""
        assert self.code == 200, f"the watch was refused: {self.code} {self.body}"
        try:
            event = self._queue.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(
                f"no event within {timeout} s; so far: {brief(self.events)}"
            ) from None
        if isinstance(event, Exception):
            raise event
        if event is not None:
            self.events.append(event)
        return event

    def take(self, count, timeout=10.0):
        return [self.next(timeout) for _ in range(count)]

    def until(self, wanted, timeout=10.0):
        while True:
            event = self.next(timeout)
            assert event is not None, f"the watch ended; so far: {brief(self.events)}"
            if wanted(event):
                return event

    def quiet(self, seconds=0.5):
        """Holds if nothing comes for so long."""
        try:
            event = self._queue.get(timeout=seconds)
        except queue.Empty:
            return True
        if isinstance(event, dict):
            self.events.append(event)
        return False

    def close(self):
        # Shutting the socket down also wakes the thread that reads from it.
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def brief(events):
    return [
        (
            e["type"],
            e["object"].get("metadata", {}).get("name"),
            revision(e["object"]) if "metadata" in e["object"] else None,
        )
        for e in events
    ]


def revision(thing):
    """The resourceVersion of an object or list. Ours, like Kubernetes', are numbers."""
    return int(thing["metadata"].get("resourceVersion") or 0)
