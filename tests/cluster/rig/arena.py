"""A system that tests can damage: an API server with nodes, and controllers that a test starts,
stops and kills.
"""

import contextlib

from rig.controllers import OurControllers, StockControllers
from rig.place import REVISION, Place, controller_of
from rig.recorder import PodRecorder
from rig.systems import KubeSystem, UpSystem
from support.names import make_namespace

KINDS = {"stock": StockControllers, "ebb": OurControllers}


class Arena:
    def __init__(self, name, folder):
        self.name = name
        self.folder = folder
        if name == "up":
            self.system = UpSystem(folder, "garbage-collector")
        else:
            self.system = KubeSystem(folder, None)

    @property
    def server(self):
        return self.system.server

    @property
    def own_kind(self):
        """The controllers under test; for `stock`, a rehearsal of the scenario itself."""
        return "stock" if self.name == "stock" else "ebb"

    def make(self, kind=None, **options):
        return KINDS[kind or self.own_kind](self.server, self.folder, **options)

    @contextlib.contextmanager
    def place(self, name):
        place = Place(self.system, make_namespace(self.server.api, name))
        try:
            yield place
        finally:
            place.release_pods()
            place.api.request("DELETE", f"/api/v1/namespaces/{place.namespace}")


class Crowd:
    """A Deployment of many running pods in the middle of something, and what must hold of it
    in the end: exactly the surplus went, nothing was rolled out, nothing has no owner."""

    def __init__(self, arena, place, size, name="crowd"):
        self.place = place
        self.name = name
        with arena.make():
            place.deployment(name, size)
            place.wait_complete(name, size, timeout=150)
        self.size = size
        self.recorder = PodRecorder(place.api, place.namespace)

    def __enter__(self):
        self.recorder.__enter__()
        return self

    def __exit__(self, *_):
        self.recorder.__exit__()

    def begin_scale_down(self, to, least):
        """Returns in the middle of it, after so many deletions."""
        surplus = self.size - to
        self.place.scale("deployments", self.name, to)
        self.recorder.wait_for_deletions(least)
        assert len(self.recorder.leaving) < surplus, "it was over before the middle was reached"
        self.size = to
        return surplus

    def expect_only_the_surplus(self, surplus, created=0, timeout=150):
        self.recorder.expect_exactly(surplus, created, timeout=timeout)
        place = self.place
        place.wait_complete(self.name, self.size)
        only = place.only_replica_set(self.name)
        assert only["metadata"]["annotations"][REVISION] == "1"
        pods = place.active(f"app={self.name}")
        assert len(pods) == self.size
        assert {(controller_of(p) or {}).get("uid") for p in pods} == {only["metadata"]["uid"]}
