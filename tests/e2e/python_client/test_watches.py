"""The Python client watches, resumes, and gets a 410 if its revision is too old."""

import threading
import time

import pytest
from kubernetes import client, watch
from kubernetes.client.rest import ApiException
from support.past import push_out_of_memory


def config_map(name, n="0"):
    return client.V1ConfigMap(
        metadata=client.V1ObjectMeta(name=name, labels={"mine": "yes"}), data={"n": n}
    )


def later(action):
    def run():
        time.sleep(0.5)
        action()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def test_watch_from_a_list(core_v1, namespace):
    core_v1.create_namespaced_config_map(namespace, config_map("old"))
    start = core_v1.list_namespaced_config_map(namespace).metadata.resource_version
    writer = later(lambda: core_v1.create_namespaced_config_map(namespace, config_map("new")))
    watching = watch.Watch()
    for event in watching.stream(
        core_v1.list_namespaced_config_map, namespace, resource_version=start, timeout_seconds=15
    ):
        assert (event["type"], event["object"].metadata.name) == ("ADDED", "new")
        watching.stop()
    writer.join()


def test_watch_from_nothing_starts_with_what_is_there(core_v1, namespace):
    for name in ("a", "b"):
        core_v1.create_namespaced_config_map(namespace, config_map(name))
    stream = watch.Watch().stream(
        core_v1.list_namespaced_config_map, namespace, label_selector="mine=yes", timeout_seconds=2
    )
    assert sorted(event["object"].metadata.name for event in stream) == ["a", "b"]


def test_watch_resumes_by_itself_when_the_server_ends_it(core_v1, namespace):
    """Each stream lasts a second; the client goes on from the last revision and misses nothing."""
    start = core_v1.list_namespaced_config_map(namespace).metadata.resource_version
    seen = []
    for turn in range(3):
        core_v1.create_namespaced_config_map(namespace, config_map(f"m{turn}"))
        watching = watch.Watch()
        for event in watching.stream(
            core_v1.list_namespaced_config_map, namespace, resource_version=start, timeout_seconds=1
        ):
            seen.append(event["object"].metadata.name)
            start = event["object"].metadata.resource_version
    assert seen == ["m0", "m1", "m2"]


@pytest.mark.ebb_only
def test_a_revision_that_is_gone(cluster, core_v1, core, namespace):
    past = push_out_of_memory(cluster, core)
    with pytest.raises(ApiException) as gone:
        for _ in watch.Watch().stream(
            core_v1.list_namespaced_config_map,
            namespace,
            resource_version=str(past),
            timeout_seconds=5,
        ):
            pass
    assert gone.value.status == 410


def test_watch_of_nodes(core_v1, api):
    start = core_v1.list_node().metadata.resource_version
    name = core_v1.list_node().items[0].metadata.name
    writer = later(
        lambda: core_v1.patch_node(name, {"metadata": {"annotations": {"turn": str(time.time())}}})
    )
    watching = watch.Watch()
    for event in watching.stream(core_v1.list_node, resource_version=start, timeout_seconds=15):
        if event["object"].metadata.name == name and "turn" in (
            event["object"].metadata.annotations or {}
        ):
            watching.stop()
    writer.join()
    core_v1.patch_node(name, {"metadata": {"annotations": {"turn": None}}})
