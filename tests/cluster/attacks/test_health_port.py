"""The health port of `ebb controller` on a real API server, bound as in deploy/controller.yaml:
which clients may read metrics and decisions, and how far attackers can disturb probes and
other clients.
"""

import contextlib
import re
import threading
import time

import pytest
from support.health_port import HealthPort, HeldConnections, expect_probes
from support.process import eventually

pytestmark = [pytest.mark.own_system("attacks"), pytest.mark.systems("ebb")]

RBAC = "/apis/rbac.authorization.k8s.io/v1"
PAGES = ("/metrics", "/decisions")


@pytest.fixture(name="controllers")
def controllers_that_others_can_reach(arena):
    with arena.make(flags=("--bind-address=0.0.0.0",)) as controllers:
        controllers.health = HealthPort(controllers.port, tls=True)
        eventually(controllers.health.answers, timeout=30)
        yield controllers


@pytest.fixture(name="health")
def the_health_port(controllers):
    return controllers.health


def token_of(place, name):
    """A token of a new service account, as a pod has one."""
    accounts = f"{place.core}/serviceaccounts"
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name}}
    place.api.create(accounts, account)
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
    return place.api.create(f"{accounts}/{name}/token", request)["status"]["token"]


@contextlib.contextmanager
def may_read(place, name):
    """The service account has the role of deploy/controller.yaml."""
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": f"{place.namespace}-{name}"},
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "ClusterRole",
            "name": "ebb-metrics-reader",
        },
        "subjects": [{"kind": "ServiceAccount", "name": name, "namespace": place.namespace}],
    }
    place.api.create(f"{RBAC}/clusterrolebindings", binding)
    try:
        yield
    finally:
        place.api.delete(f"{RBAC}/clusterrolebindings/{place.namespace}-{name}")


def reviews_so_far(place):
    """How many TokenReviews the API server has answered."""
    text = place.api.request("GET", "/metrics").body.decode()
    pattern = r'^apiserver_request_total\{.*resource="tokenreviews".*\} (\S+)$'
    return sum(float(count) for count in re.findall(pattern, text, re.MULTILINE))


def test_pages_need_the_right_to_read_them(arena_place, controllers, health):
    place = arena_place
    reader, stranger = token_of(place, "reader"), token_of(place, "stranger")
    with may_read(place, "reader"):
        for path in PAGES:
            code, body = health.get(path)
            assert (code, '"reason":"Unauthorized"' in body) == (401, True)
            assert health.get(path, token="made-up")[0] == 401
            assert health.get(path, token=reader[:-4] + "AAAA")[0] == 401
            code, body = health.get(path, token=stranger)
            account = f"system:serviceaccount:{place.namespace}:stranger"
            assert code == 403
            assert f'forbidden: User \\"{account}\\" cannot get path \\"{path}\\"' in body
            # RBAC is read through a cache, and refusals are remembered for ten seconds.
            eventually(lambda path=path: health.get(path, token=reader)[0] == 200, timeout=30)
        assert "ebb_decisions_total" in health.get("/metrics", token=reader)[1]
        assert health.get("/decisions", token=reader)[1].startswith("[")
    # The right is gone, and noticed soon.
    eventually(lambda: health.get("/metrics", token=reader)[0] == 403, timeout=40)
    log = controllers.child.output()
    for secret in (reader, stranger, "made-up"):
        assert secret not in log


def test_probes_need_no_token(health):
    for path in ("/healthz", "/livez", "/readyz"):
        assert eventually(lambda path=path: health.get(path) == (200, "ok"), timeout=60)
        assert health.get(path, token="made-up") == (200, "ok")


def test_plain_http_is_not_answered(controllers):
    assert not HealthPort(controllers.port, tls=False).answers()


@pytest.mark.parametrize("source", ["127.0.0.2", "127.0.0.1"])
def test_held_connections_cost_no_probe(health, source):
    with HeldConnections(health, 400, source):
        expect_probes(health)


def test_made_up_tokens_neither_flood_the_api_server_nor_lock_others_out(arena_place, health):
    place = arena_place
    reader = token_of(place, "reader")
    with may_read(place, "reader"):
        eventually(lambda: health.get("/metrics", token=reader)[0] == 200, timeout=30)
        before, began = reviews_so_far(place), time.monotonic()
        stopping = threading.Event()
        codes = []

        def flood(thread):
            number = 0
            while not stopping.is_set():
                number += 1
                with contextlib.suppress(OSError):
                    token = f"made-up-{thread}-{number}"
                    codes.append(health.get("/metrics", token=token, source="127.0.0.2")[0])

        threads = [threading.Thread(target=flood, args=(i,)) for i in range(24)]
        for thread in threads:
            thread.start()
        try:
            # Longer than an answer is remembered, so that the reader is reviewed again meanwhile.
            while time.monotonic() - began < 15:
                assert health.get("/metrics", token=reader)[0] == 200
                assert health.get("/livez") == (200, "ok")
        finally:
            stopping.set()
            for thread in threads:
                thread.join(30)
        asked, seconds = reviews_so_far(place) - before, time.monotonic() - began
        assert set(codes) <= {401, 429}
        assert len(codes) > asked, "there were more attempts than reviews"
        # Ten a second, and ten at once; the API server's own count may be a moment behind.
        assert asked <= 10 * seconds + 20


def test_while_the_api_server_is_gone_probes_are_answered_and_pages_are_not(arena, health):
    arena.server.server.kill()
    try:
        code, body = health.get("/metrics", token="made-up-meanwhile", timeout=20)
        assert code == 500
        assert body.startswith('Internal Server Error: "/metrics": ')
        expect_probes(health, 10)
    finally:
        arena.server.restart()
