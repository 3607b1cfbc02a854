"""Helm, from its Go module: releases of a small chart are installed, upgraded, rolled back and
uninstalled.
"""

import base64

import pytest
from support.ebb import QUICK, EbbCluster
from support.helm import CHART, Helm
from support.kube import KubeCluster
from support.names import make_namespace
from support.our_kinds import GROUP, serve_our_kinds
from support.process import eventually

# Pods become ready at once, so a longer wait would not help.
WAIT = ("--wait", "--timeout=60s")


@pytest.fixture(scope="module")
def working_cluster(cluster, tmp_path_factory):
    """A server whose Deployments get pods."""
    folder = tmp_path_factory.mktemp("helm")
    own = EbbCluster(folder, "--nodes=3x2", *QUICK)
    if cluster.real:
        own = KubeCluster(folder, "deployment-controller", "replicaset-controller")
    with own:
        serve_our_kinds(own)
        yield own


class Place:
    """A namespace, Helm in it, and what the server has there."""

    def __init__(self, cluster, name, folder):
        self.api = cluster.api
        self.namespace = make_namespace(cluster.api, name)
        self.helm = Helm(cluster.kubeconfig, self.namespace, folder)
        self.core = f"/api/v1/namespaces/{self.namespace}"
        self.deployments = f"/apis/apps/v1/namespaces/{self.namespace}/deployments"
        self.policies = f"{GROUP}/namespaces/{self.namespace}/downscalepolicies"

    def deployment(self):
        return self.api.get(f"{self.deployments}/shop")

    def state(self):
        """Of the release: what can be seen of it."""
        secret = self.api.get(f"{self.core}/secrets/shop")
        container = self.deployment()["spec"]["template"]["spec"]["containers"][0]
        return (
            self.deployment()["status"].get("availableReplicas", 0),
            container["image"],
            self.api.get(f"{self.core}/configmaps/shop")["data"]["greeting"],
            base64.b64decode(secret["data"]["password"]).decode(),
        )

    def names(self, path):
        found = {i["metadata"]["name"] for i in self.api.get(path)["items"]}
        return found - {"kube-root-ca.crt"}

    def history(self):
        return [(h["revision"], h["status"]) for h in self.helm.json("history", "shop")]


@pytest.fixture
def place(request, working_cluster, tmp_path):
    made = Place(working_cluster, request.node.name, tmp_path)
    yield made
    made.api.request("DELETE", f"/api/v1/namespaces/{made.namespace}")


@pytest.mark.parametrize("how", ["--server-side=true", "--server-side=false"])
def test_a_release_from_install_to_uninstall(place, how):
    """By apply on the server, as Helm 4 does it, and by patches, as Helm 3 did."""
    helm = place.helm
    told = helm("install", "shop", str(CHART), how, *WAIT)
    assert "STATUS: deployed\nREVISION: 1\nDESCRIPTION: Install complete\n" in told
    assert told.endswith("NOTES:\nshop has 2 replicas.\n")
    first = (2, "registry.example/shop:1", "hello", "hello of shop")
    assert place.state() == first
    assert place.names(place.policies) == {"shop"}
    assert "shop" in place.names(f"{place.core}/services")
    labels = place.deployment()["metadata"]["labels"]
    assert labels["app.kubernetes.io/managed-by"] == "Helm"

    changes = ("--set=replicas=3,greeting=bye", "--set=image=registry.example/shop:2")
    told = helm("upgrade", "shop", str(CHART), *changes, *WAIT)
    assert told.startswith('Release "shop" has been upgraded. Happy Helming!\n')
    assert place.state() == (3, "registry.example/shop:2", "bye", "bye of shop")

    assert helm("rollback", "shop", "1", *WAIT) == "Rollback was a success! Happy Helming!\n"
    assert place.state() == first
    assert place.history() == [(1, "superseded"), (2, "superseded"), (3, "deployed")]

    assert helm("uninstall", "shop", *WAIT) == 'release "shop" uninstalled\n'
    for path in (place.deployments, place.policies):
        assert not place.names(path)
    for resource in ("configmaps", "secrets", "services"):
        assert not place.names(f"{place.core}/{resource}")
    eventually(lambda: not place.names(f"{place.core}/pods"), timeout=30)


def test_list_status_and_get(place):
    helm = place.helm
    helm("install", "shop", str(CHART), "--set=replicas=1", *WAIT)
    [release] = helm.json("list")
    assert {key: release[key] for key in ("name", "namespace", "revision", "status", "chart")} == {
        "name": "shop",
        "namespace": place.namespace,
        "revision": "1",
        "status": "deployed",
        "chart": "shop-1.0.0",
    }
    status = helm("status", "shop")
    kinds = [line.removeprefix("==> ") for line in status.split("\n") if line.startswith("==> ")]
    assert sorted(kinds) == [
        "v1/ConfigMap",
        "v1/Deployment",
        "v1/Pod(related)",
        "v1/Secret",
        "v1/Service",
        "v1alpha1/DownscalePolicy",
    ]
    assert helm.json("get", "values", "shop") == {"replicas": 1}
    assert "kind: DownscalePolicy\n" in helm("get", "manifest", "shop")
    stored = place.api.get(f"{place.core}/secrets", fieldSelector="type=helm.sh/release.v1")
    assert [s["metadata"]["name"] for s in stored["items"]] == ["sh.helm.release.v1.shop.v1"]


def test_what_would_be_installed_is_shown_and_not_kept(place):
    told = place.helm("install", "shop", str(CHART), "--dry-run=server")
    assert "DESCRIPTION: Dry run complete\n" in told
    assert "kind: DownscalePolicy\n" in told
    assert not place.names(place.deployments)
    assert place.helm.json("list") == []


def test_a_release_that_does_not_get_ready_fails_and_is_taken_back(place):
    helm = place.helm
    helm("install", "shop", str(CHART), *WAIT)
    stuck = ("--set=scheduler=nobody", "--wait", "--timeout=3s")
    assert "UPGRADE FAILED" in helm.fails("upgrade", "shop", str(CHART), *stuck)
    assert place.history() == [(1, "deployed"), (2, "failed")]

    refused = helm.fails("upgrade", "shop", str(CHART), *stuck, "--rollback-on-failure")
    assert "release shop failed, and has been rolled back due to rollback-on-failure" in refused
    assert place.history()[-1] == (4, "deployed")
    template = place.deployment()["spec"]["template"]["spec"]
    assert template["schedulerName"] == "default-scheduler"


def test_a_release_does_not_take_over_what_others_changed(place):
    helm = place.helm
    helm("install", "shop", str(CHART), *WAIT)
    more = [{"op": "replace", "path": "/spec/replicas", "value": 5}]
    place.api.patch(
        f"{place.deployments}/shop",
        more,
        content_type="application/json-patch+json",
        fieldManager="somebody",
    )
    change = ("upgrade", "shop", str(CHART), "--set=replicas=3")
    assert 'conflict with "somebody" using apps/v1: .spec.replicas' in helm.fails(*change)
    helm(*change, "--force-conflicts", *WAIT)
    assert place.deployment()["spec"]["replicas"] == 3


def test_an_object_outside_any_release_is_not_overwritten(place):
    body = {"metadata": {"name": "shop"}, "data": {"greeting": "mine"}}
    place.api.create(f"{place.core}/configmaps", body)
    refused = place.helm.fails("install", "shop", str(CHART))
    assert f'ConfigMap "shop" in namespace "{place.namespace}" exists and cannot be' in refused
    place.helm("install", "shop", str(CHART), "--take-ownership", "--force-conflicts", *WAIT)
    assert place.state()[2] == "hello"
