"""Clients that change pods all the time, so that watches of pods lag behind others."""

import http.client
import threading
import time

from support.api import Refused

BROKEN = (OSError, http.client.HTTPException, Refused)


class PodTouchers:
    def __init__(self, api, namespace, count=2):
        self.api = api
        self.path = f"/api/v1/namespaces/{namespace}/pods"
        self.writes = 0
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(number,), daemon=True)
            for number in range(count)
        ]

    def _run(self, number):
        while not self._stopping.is_set():
            try:
                pods = self.api.get(self.path, resourceVersion="0")["items"]
                for pod in pods[number :: len(self._threads)]:
                    if self._stopping.is_set():
                        return
                    touched = {"metadata": {"annotations": {"touched": str(time.monotonic())}}}
                    path = f"{self.path}/{pod['metadata']['name']}"
                    self.api.request(
                        "PATCH", path, touched, content_type="application/merge-patch+json"
                    )
                    self.writes += 1
            except BROKEN:
                time.sleep(0.1)

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._stopping.set()
        for thread in self._threads:
            thread.join(10)
