"""Kubernetes protobuf for tests, translated by ebb-protobuf, which is built beside ebb."""

import copy
import http.client
import json
import pathlib
import subprocess

from support.api import PROTOBUF
from support.ebb import BINARY


class Translator:
    def __init__(self):
        program = pathlib.Path(BINARY).resolve().parent / "ebb-protobuf"
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def _ask(self, verb, text):
        self.process.stdin.write(f"{verb} {text}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().rstrip("\n")
        assert not answer.startswith("error: "), f"{verb}: {answer}"
        return answer

    def decode(self, data):
        """An object or list in its envelope."""
        return json.loads(self._ask("decode", data.hex()))

    def event(self, frame):
        return json.loads(self._ask("event", frame.hex()))

    def encode(self, thing):
        return bytes.fromhex(self._ask("encode", json.dumps(thing)))

    def close(self):
        self.process.stdin.close()
        self.process.wait(5)


class FrameWatch:
    """A watch in protobuf: frames that begin with their length. Read on demand."""

    def __init__(self, api, translator, path, accept=PROTOBUF, **query):
        self.translator = translator
        self.connection = api.connect(timeout=20)
        target = api.target(path, {"watch": "true", **query})
        self.connection.request("GET", target, headers=api.headers(accept=accept))
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200, self.answer.read()
        self.content_type = self.answer.headers["Content-Type"]

    def next(self):
        """The next event; None at the end of the stream."""
        try:
            head = self.answer.read(4)
        except http.client.IncompleteRead:
            return None
        if not head:
            return None
        return self.translator.event(self.answer.read(int.from_bytes(head, "big")))

    def close(self):
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def without_nulls(thing):
    """Removes nulls, which Go writes for some absent fields, and the kinds of list items, which ebb
    writes in JSON and Kubernetes does not; items in protobuf have none either."""
    if isinstance(thing, dict):
        thing = {k: without_nulls(v) for k, v in thing.items() if v is not None}
        for item in thing.get("items") or []:
            if isinstance(item, dict) and "metadata" in item:
                item.pop("kind", None)
                item.pop("apiVersion", None)
        return thing
    if isinstance(thing, list):
        return [without_nulls(item) for item in thing]
    return thing


def as_new(thing, name):
    """The same object under another name, without what the server fills in."""
    fresh = copy.deepcopy(thing)
    kept = ("labels", "annotations", "finalizers", "namespace", "ownerReferences")
    fresh["metadata"] = {k: v for k, v in fresh["metadata"].items() if k in kept}
    fresh["metadata"]["name"] = name
    return fresh
