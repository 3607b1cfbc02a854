"""kube-apiserver supports streaming lists with a current etcd, but not with Debian's, which all
other scenarios use. ebb then lists in pages. These tests check both.
"""

import contextlib
import json
import subprocess

import pytest
from rig.controllers import OurControllers
from rig.place import Place
from rig.recorder import PodRecorder
from rig.systems import KubeSystem
from support.ebb import BINARY
from support.names import make_namespace
from support.process import eventually

pytestmark = [pytest.mark.own_system("faults"), pytest.mark.systems("ebb")]

NOW = "2030-01-01T00:00:00Z"
REFUSED = "streaming lists are not supported"


@contextlib.contextmanager
def ready_controllers(system):
    with OurControllers(system.server, system.folder) as controllers:
        eventually(controllers.ready, timeout=60)
        yield controllers


def plan(*arguments):
    command = [BINARY, "plan", "deploy/web", "--replicas=20", "-o=json", f"--now={NOW}"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def plan_says_the_same_of_files(place, folder):
    """Pods and nodes come live in protobuf, here in JSON."""
    here = f"namespaces/{place.namespace}"
    items = []
    for path, kind in (
        (f"/apis/apps/v1/{here}/deployments", "Deployment"),
        (f"/apis/apps/v1/{here}/replicasets", "ReplicaSet"),
        (f"/api/v1/{here}/pods", "Pod"),
        ("/api/v1/nodes", "Node"),
    ):
        listed = place.api.get(path)
        version = listed["apiVersion"]
        items += [{"apiVersion": version, "kind": kind, **item} for item in listed["items"]]
    file = folder / "all.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    kubeconfig = place.system.server.kubeconfig
    live = plan(f"--kubeconfig={kubeconfig}", f"-n={place.namespace}")
    assert live == plan(f"-f={file}", f"-n={place.namespace}")


@pytest.mark.parametrize("etcd", ["debian", "module"])
def test_controllers_and_nodes_list_as_the_store_allows(etcd, system_name, request):
    folder = request.config.logs / f"lists-{etcd}"
    with KubeSystem(folder, None, etcd=etcd) as system:
        place = Place(system, make_namespace(system.server.api, "lists"))
        with ready_controllers(system) as controllers:
            place.deployment("web", 50)
            place.wait_complete("web", 50)
            plan_says_the_same_of_files(place, folder)
            with PodRecorder(place.api, place.namespace) as recorder:
                place.scale("deployments", "web", 20)
                recorder.expect_exactly(deleted=30, created=0)
        assert (REFUSED in controllers.log.read_text()) == (etcd == "debian")
        # And once more from the beginning, with pods already there.
        with (
            ready_controllers(system),
            PodRecorder(place.api, place.namespace) as recorder,
        ):
            place.scale("deployments", "web", 5)
            recorder.expect_exactly(deleted=15, created=0)
