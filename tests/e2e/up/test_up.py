"""`ebb up` as a program: what it prints, writes, stores and refuses."""

import os
import signal
import socket
import ssl
import stat
import subprocess

import pytest
from support.api import Access, Api
from support.ebb import BINARY, QUICK, EbbCluster
from support.names import make_namespace
from support.objects import config_map, deployment, owner_reference, pod
from support.process import eventually

pytestmark = pytest.mark.ebb_only


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def test_it_says_where_it_is_and_that_it_is_ready(tmp_path):
    with EbbCluster(tmp_path, *QUICK) as cluster:
        text = cluster.child.output()
        assert f"127.0.0.1:{cluster.port}" in text
        assert str(cluster.kubeconfig) in text
        assert "kubectl" in text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_cleanly(tmp_path, number):
    with EbbCluster(tmp_path, *QUICK) as cluster:
        # An open watch must not keep it from stopping.
        with cluster.api.watch(
            "/api/v1/pods",
            resourceVersion=cluster.api.get("/api/v1/pods")["metadata"]["resourceVersion"],
        ):
            cluster.child.process.send_signal(number)
            assert cluster.child.process.wait(15) == 0


def test_keys_and_data_are_for_the_owner_only(tmp_path):
    data = tmp_path / "data"
    with EbbCluster(tmp_path / "up", *QUICK, data_dir=data) as cluster:
        assert mode(cluster.kubeconfig) == 0o600
        files = [p for p in data.rglob("*") if p.is_file()]
        assert files
        assert {str(p): oct(mode(p)) for p in files if mode(p) != 0o600} == {}


def test_the_kubeconfig_is_in_the_data_folder_by_default(tmp_path):
    data = tmp_path / "data"
    process = subprocess.Popen(
        [BINARY, "up", "--port=0", f"--data-dir={data}", *QUICK],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        eventually((data / "ebb.kubeconfig").exists, timeout=20)
        assert not (tmp_path / "ebb.kubeconfig").exists()
    finally:
        process.terminate()
        process.wait(20)


def test_without_a_data_folder_nothing_stays(tmp_path):
    cluster = EbbCluster(tmp_path, *QUICK)
    path = "/api/v1/namespaces/default/configmaps"
    with cluster:
        cluster.api.create(path, {"metadata": {"name": "x"}})
    with cluster:
        assert cluster.api.request("GET", f"{path}/x").code == 404


def test_credentials_stay_the_same_with_a_data_folder(tmp_path):
    cluster = EbbCluster(tmp_path / "up", *QUICK, data_dir=tmp_path / "data")
    with cluster:
        before = Access.from_kubeconfig(cluster.kubeconfig)
    with cluster:
        assert Access.from_kubeconfig(cluster.kubeconfig) == before


def test_it_refuses_plain_http(tmp_path):
    with (
        EbbCluster(tmp_path, *QUICK) as cluster,
        socket.create_connection(("127.0.0.1", cluster.port), 10) as plain,
    ):
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"200 OK" not in plain.recv(1000)


def test_requests_without_a_token_are_refused(tmp_path):
    with EbbCluster(tmp_path, *QUICK) as cluster:
        access = Access.from_kubeconfig(cluster.kubeconfig)
        anonymous = Api(Access(access.host, access.port, "", access.ca))
        for path in ("/api", "/api/v1/pods", "/openapi/v3", "/nowhere"):
            assert anonymous.request("GET", path).code == 401, path
        assert anonymous.request("POST", "/api/v1/namespaces/default/pods", {}).code == 401


def test_it_listens_on_the_loopback_address_only(tmp_path):
    with EbbCluster(tmp_path, *QUICK) as cluster:
        port = f"{cluster.port:04X}"
        with open(f"/proc/{cluster.child.process.pid}/net/tcp", encoding="ascii") as table:
            listening = [
                line.split()[1]
                for line in table
                if line.split()[1].endswith(port) and line.split()[3] == "0A"
            ]
        assert listening == [f"0100007F:{port}"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_old_tls_is_refused(tmp_path):
    with EbbCluster(tmp_path, *QUICK) as cluster:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
        context.set_ciphers("ALL:@SECLEVEL=0")
        with (
            socket.create_connection(("127.0.0.1", cluster.port), 10) as plain,
            pytest.raises(ssl.SSLError),
        ):
            context.wrap_socket(plain)


def test_a_damaged_database_is_reported_and_left_alone(tmp_path):
    data = tmp_path / "data"
    cluster = EbbCluster(tmp_path / "up", *QUICK, data_dir=data)
    with cluster:
        cluster.api.create("/api/v1/namespaces/default/configmaps", {"metadata": {"name": "x"}})
    database = max(
        (p for p in data.rglob("*") if p.is_file() and p.suffix in (".db", ".sqlite", ".sqlite3")),
        key=lambda p: p.stat().st_size,
    )
    damaged = b"no database at all" * 1000
    database.write_bytes(damaged)
    with pytest.raises(AssertionError, match="ended"):
        cluster.start()
    assert cluster.child.process.wait(10) != 0
    assert database.read_bytes() == damaged
    assert str(database) in cluster.child.output() or str(data) in cluster.child.output()


def test_a_data_folder_is_used_by_one_process_at_a_time(tmp_path):
    data = tmp_path / "data"
    with EbbCluster(tmp_path / "one", *QUICK, data_dir=data):
        second = EbbCluster(tmp_path / "two", *QUICK, data_dir=data)
        with pytest.raises(AssertionError, match="ended"):
            second.start()


def test_a_port_that_is_taken_is_reported(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        cluster = EbbCluster(tmp_path, port=taken.getsockname()[1])
        with pytest.raises(AssertionError, match="ended"):
            cluster.start()
        assert cluster.child.process.wait(10) != 0


def test_nodes_are_made_as_asked(tmp_path):
    with EbbCluster(tmp_path, "--nodes=2x3", *QUICK) as cluster:
        nodes = cluster.api.get("/api/v1/nodes")["items"]
        zones = [n["metadata"]["labels"]["topology.kubernetes.io/zone"] for n in nodes]
        assert sorted(zones.count(z) for z in set(zones)) == [3, 3]


def test_a_cluster_that_is_started_again_keeps_its_nodes(tmp_path):
    data = tmp_path / "data"
    with EbbCluster(tmp_path / "first", "--nodes=1x3", *QUICK, data_dir=data) as cluster:
        cluster.api.delete("/api/v1/nodes/node-a2")
    with EbbCluster(tmp_path / "second", *QUICK, data_dir=data) as cluster:
        nodes = cluster.api.get("/api/v1/nodes")["items"]
        assert [n["metadata"]["name"] for n in nodes] == ["node-a1", "node-a3"]


def test_the_demo_has_workloads_in_three_zones(tmp_path):
    with EbbCluster(tmp_path, "--demo", *QUICK) as cluster:
        deployments = cluster.api.get("/apis/apps/v1/deployments")["items"]
        assert deployments
        zones = {
            n["metadata"]["labels"]["topology.kubernetes.io/zone"]
            for n in cluster.api.get("/api/v1/nodes")["items"]
        }
        assert len(zones) == 3


def test_the_demo_is_made_to_run_by_the_controllers(tmp_path):
    with EbbCluster(tmp_path, "--demo", *QUICK) as cluster:

        def all_ready():
            items = cluster.api.get("/apis/apps/v1/namespaces/shop/deployments")["items"]
            return all(d["status"].get("readyReplicas", 0) >= 3 for d in items)

        eventually(all_ready, timeout=20)


def test_each_scale_down_is_printed(tmp_path):
    with EbbCluster(tmp_path, *QUICK) as cluster:
        path = "/apis/apps/v1/namespaces/default/deployments"
        cluster.api.create(path, deployment("web", 4))
        eventually(
            lambda: cluster.api.get(f"{path}/web")["status"].get("readyReplicas") == 4, timeout=20
        )
        cluster.api.patch(f"{path}/web/scale", {"spec": {"replicas": 1}})
        eventually(lambda: "3 pods of default/web-" in cluster.child.output())


def test_without_controllers_workloads_are_only_stored(tmp_path):
    with EbbCluster(tmp_path, "--controllers=", *QUICK) as cluster:
        path = "/apis/apps/v1/namespaces/default/deployments"
        cluster.api.create(path, deployment("web", 4))
        assert "No controllers run" in cluster.child.output()
        assert cluster.api.get("/apis/apps/v1/replicasets")["items"] == []


def test_without_the_garbage_collector_only_namespaces_are_emptied(tmp_path):
    with EbbCluster(tmp_path, "--controllers=", *QUICK) as cluster:
        api = cluster.api
        namespace = make_namespace(api, "garbage")
        maps = f"/api/v1/namespaces/{namespace}/configmaps"
        for policy in ("Background", "Foreground", "Orphan"):
            owner = api.create(maps, config_map(f"owner-{policy.lower()}"))
            dependent = config_map(f"of-{policy.lower()}")
            dependent["metadata"]["ownerReferences"] = [owner_reference(owner)]
            api.create(maps, dependent)
            api.delete(f"{maps}/{owner['metadata']['name']}", propagationPolicy=policy)
        # Ours would have been done by now: another namespace comes and goes in the meantime.
        passing = make_namespace(api, "passing")
        api.delete(f"/api/v1/namespaces/{passing}")
        eventually(lambda: api.request("GET", f"/api/v1/namespaces/{passing}").code == 404)
        left = {thing["metadata"]["name"]: thing["metadata"] for thing in api.get(maps)["items"]}
        assert left["owner-foreground"]["finalizers"] == ["foregroundDeletion"]
        assert left["owner-orphan"]["finalizers"] == ["orphan"]
        assert "owner-background" not in left
        for policy in ("background", "foreground", "orphan"):
            assert "deletionTimestamp" not in left[f"of-{policy}"]
            assert len(left[f"of-{policy}"]["ownerReferences"]) == 1
            # A namespace is deleted unless an owner in it waits for the garbage collector.
            if f"owner-{policy}" in left:
                api.patch(f"{maps}/owner-{policy}", {"metadata": {"finalizers": None}})
        api.delete(f"/api/v1/namespaces/{namespace}")
        eventually(lambda: api.request("GET", f"/api/v1/namespaces/{namespace}").code == 404)


def test_a_mistake_on_the_command_line_is_reported(tmp_path):
    for flags in (["--nodes=three"], ["--port=banana"], ["--no-such-flag"]):
        done = subprocess.run(
            [BINARY, "up", *flags],
            capture_output=True,
            text=True,
            timeout=20,
            cwd=tmp_path,
            check=False,
        )
        assert done.returncode != 0
        assert flags[0].split("=")[0] in done.stderr


def test_without_its_gate_deletion_costs_are_not_checked(tmp_path):
    cost = {"controller.kubernetes.io/pod-deletion-cost": "much"}
    off = "--feature-gates=PodDeletionCost=false"
    with EbbCluster(tmp_path, "--nodes=1x2", off, *QUICK) as cluster:
        pods = "/api/v1/namespaces/default/pods"
        cluster.api.create(pods, pod("single", annotations=cost))
        thing = deployment("web", 2)
        thing["spec"]["template"]["metadata"]["annotations"] = cost
        cluster.api.create("/apis/apps/v1/namespaces/default/deployments", thing)

        def pods_of_web():
            items = cluster.api.get(pods, labelSelector="app=web")["items"]
            return len(items) == 2 and [p["metadata"]["annotations"] for p in items]

        assert eventually(pods_of_web) == [cost, cost]
    with EbbCluster(tmp_path / "on", "--nodes=1x2", *QUICK) as cluster:
        refused = cluster.api.request("POST", pods, pod("single", annotations=cost))
        assert refused.code == 422
