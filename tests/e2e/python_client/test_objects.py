"""The Python client creates, reads, changes and deletes objects."""

import datetime

import pytest
from kubernetes import client
from kubernetes.client.rest import ApiException
from support.objects import deployment, pod, policy
from support.process import eventually


def config_map(name, **data):
    return client.V1ConfigMap(
        metadata=client.V1ObjectMeta(name=name, labels={"mine": "yes"}), data=data
    )


def test_create_read_replace_delete(core_v1, namespace):
    made = core_v1.create_namespaced_config_map(namespace, config_map("x", a="1"))
    assert made.metadata.uid and made.metadata.resource_version
    read = core_v1.read_namespaced_config_map("x", namespace)
    read.data = {"b": "2"}
    assert core_v1.replace_namespaced_config_map("x", namespace, read).data == {"b": "2"}
    with pytest.raises(ApiException) as stale:
        core_v1.replace_namespaced_config_map("x", namespace, read)
    assert (stale.value.status, stale.value.reason) == (409, "Conflict")
    status = core_v1.delete_namespaced_config_map("x", namespace)
    assert status.status == "Success"
    with pytest.raises(ApiException) as missing:
        core_v1.read_namespaced_config_map("x", namespace)
    assert missing.value.status == 404


def test_paged_lists(core_v1, namespace):
    for index in range(7):
        core_v1.create_namespaced_config_map(namespace, config_map(f"m{index}"))
    names, token = [], None
    while True:
        page = core_v1.list_namespaced_config_map(
            namespace, limit=3, _continue=token, label_selector="mine=yes"
        )
        names += [item.metadata.name for item in page.items]
        token = page.metadata._continue
        if not token:
            break
    assert names == [f"m{index}" for index in range(7)]


def test_list_of_all_namespaces(core_v1, namespace):
    core_v1.create_namespaced_config_map(namespace, config_map("x"))
    found = core_v1.list_config_map_for_all_namespaces(
        field_selector=f"metadata.namespace={namespace},metadata.name=x"
    )
    assert [item.metadata.name for item in found.items] == ["x"]


def test_the_client_types_decode_what_the_server_fills_in(apps_v1, core_v1, namespace):
    made = apps_v1.create_namespaced_deployment(namespace, deployment("web", 2))
    assert made.spec.strategy.rolling_update.max_surge == "25%"
    assert isinstance(made.metadata.creation_timestamp, datetime.datetime)
    core_v1.create_namespaced_pod(namespace, pod("web"))
    running = eventually(lambda: phase(core_v1, namespace, "Running"), timeout=20)
    assert isinstance(running.status.start_time, datetime.datetime)
    eventually(
        lambda: phase(core_v1, namespace, "Running").status.container_statuses[0].ready, timeout=20
    )
    nodes = core_v1.list_node()
    assert all(node.status.capacity["pods"] for node in nodes.items)


def phase(core_v1, namespace, wanted):
    found = core_v1.read_namespaced_pod("web", namespace)
    return found if found.status.phase == wanted else None


def test_the_patch_types(apps_v1, namespace):
    apps_v1.create_namespaced_deployment(namespace, deployment("web", 1))
    strategic = {"spec": {"template": {"spec": {"containers": [{"name": "side", "image": "x"}]}}}}
    patched = apps_v1.patch_namespaced_deployment("web", namespace, strategic)
    assert sorted(c.name for c in patched.spec.template.spec.containers) == ["main", "side"]
    merged = apps_v1.patch_namespaced_deployment("web", namespace, {"spec": {"replicas": 4}})
    assert merged.spec.replicas == 4
    operations = [{"op": "replace", "path": "/spec/replicas", "value": 6}]
    assert apps_v1.patch_namespaced_deployment("web", namespace, operations).spec.replicas == 6
    with pytest.raises(ApiException) as failed:
        apps_v1.patch_namespaced_deployment(
            "web", namespace, [{"op": "remove", "path": "/spec/nothing"}]
        )
    assert failed.value.status == 422


def test_scale(apps_v1, namespace):
    apps_v1.create_namespaced_deployment(namespace, deployment("web", 1))
    scale = apps_v1.read_namespaced_deployment_scale("web", namespace)
    assert (scale.spec.replicas, scale.status.selector) == (1, "app=web")
    scale.spec.replicas = 3
    assert apps_v1.replace_namespaced_deployment_scale("web", namespace, scale).spec.replicas == 3
    apps_v1.patch_namespaced_deployment_scale("web", namespace, {"spec": {"replicas": 5}})
    assert apps_v1.read_namespaced_deployment("web", namespace).spec.replicas == 5


def test_status_and_spec_do_not_leak_into_each_other(apps_v1, namespace):
    made = apps_v1.create_namespaced_deployment(namespace, deployment("web", 1))
    made.spec.replicas = 9
    made.status = client.V1DeploymentStatus(replicas=5, observed_generation=1)
    after = apps_v1.replace_namespaced_deployment_status("web", namespace, made)
    assert (after.spec.replicas, after.status.replicas) == (1, 5)
    assert after.metadata.generation == 1
    after.spec.replicas = 2
    after.status.replicas = 7
    after = apps_v1.replace_namespaced_deployment("web", namespace, after)
    assert (after.spec.replicas, after.status.replicas) == (2, 5)
    assert after.metadata.generation == 2


@pytest.mark.parametrize(("kind", "labels_change"), [("Deployment", False), ("ReplicaSet", True)])
def test_what_a_status_write_changes_in_the_metadata(api, apps, kind, labels_change):
    path = f"{apps}/{kind.lower()}s"
    made = api.create(path, {**deployment("web", 1), "kind": kind})
    made["metadata"]["labels"]["changed"] = "yes"
    made["metadata"]["annotations"] = {"changed": "yes"}
    after = api.update(f"{path}/web/status", made)["metadata"]
    assert ("changed" in after["labels"]) == labels_change
    assert after["annotations"] == {"changed": "yes"}


def test_what_a_status_write_changes_in_a_pod(api, core):
    made = api.create(f"{core}/pods", pod("web", {"app": "web"}, nodeSelector={"no": "where"}))
    owner = {
        "apiVersion": "v1",
        "kind": "Node",
        "name": "n",
        "uid": "99999999-8888-7777-6666-555555555555",
    }
    made["metadata"] |= {
        "labels": {"app": "changed"},
        "annotations": {"a": "b"},
        "ownerReferences": [owner],
    }
    made["spec"]["nodeName"] = "elsewhere"
    made["status"]["message"] = "hello"
    del made["metadata"]["resourceVersion"]
    after = api.update(f"{core}/pods/web/status", made)
    assert after["metadata"]["labels"] == {"app": "changed"}
    assert after["metadata"]["annotations"] == {"a": "b"}
    assert "ownerReferences" not in after["metadata"]
    assert "nodeName" not in after["spec"]
    assert after["status"]["message"] == "hello"


def test_leases(client_api, namespace):
    leases = client.CoordinationV1Api(client_api)
    now = datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc)
    spec = client.V1LeaseSpec(
        holder_identity="one", lease_duration_seconds=15, renew_time=now, acquire_time=now
    )
    made = leases.create_namespaced_lease(
        namespace, client.V1Lease(metadata=client.V1ObjectMeta(name="leader"), spec=spec)
    )
    assert made.spec.renew_time == now
    stale = leases.read_namespaced_lease("leader", namespace)
    made.spec.holder_identity = "two"
    leases.replace_namespaced_lease("leader", namespace, made)
    stale.spec.holder_identity = "three"
    with pytest.raises(ApiException) as refused:
        leases.replace_namespaced_lease("leader", namespace, stale)
    assert refused.value.status == 409
    stale.metadata.resource_version = None
    with pytest.raises(ApiException) as unconditional:
        leases.replace_namespaced_lease("leader", namespace, stale)
    assert unconditional.value.status == 422


def test_eviction(core_v1, namespace):
    core_v1.create_namespaced_pod(namespace, pod("web"))
    eventually(lambda: phase(core_v1, namespace, "Running"), timeout=20)
    core_v1.create_namespaced_pod_eviction(
        "web", namespace, client.V1Eviction(metadata=client.V1ObjectMeta(name="web"))
    )

    def gone():
        try:
            core_v1.read_namespaced_pod("web", namespace)
        except ApiException as error:
            return error.status == 404
        return False

    eventually(gone, timeout=20)


def test_deletecollection(core_v1, namespace):
    for index in range(3):
        core_v1.create_namespaced_config_map(namespace, config_map(f"m{index}"))
    core_v1.delete_collection_namespaced_config_map(namespace, label_selector="mine=yes")
    assert core_v1.list_namespaced_config_map(namespace, label_selector="mine=yes").items == []


@pytest.mark.ebb_only
def test_custom_objects(client_api, namespace):
    custom = client.CustomObjectsApi(client_api)
    where = ("ebb.dev", "v1alpha1", namespace, "downscalepolicies")
    made = custom.create_namespaced_custom_object(*where, policy("slow"))
    assert made["metadata"]["generation"] == 1
    custom.patch_namespaced_custom_object(*where, "slow", {"spec": {"ranking": {"exact": True}}})
    read = custom.get_namespaced_custom_object(*where, "slow")
    assert read["spec"]["ranking"]["exact"] is True and read["metadata"]["generation"] == 2
    assert len(custom.list_namespaced_custom_object(*where)["items"]) == 1
    read["status"] = {"observedGeneration": 2}
    after = custom.replace_namespaced_custom_object_status(*where, "slow", read)
    assert after["status"] == {"observedGeneration": 2} and after["metadata"]["generation"] == 2
    custom.delete_namespaced_custom_object(*where, "slow")
    assert custom.list_namespaced_custom_object(*where)["items"] == []


@pytest.mark.ebb_only
def test_pod_group_costs(client_api, namespace):
    custom = client.CustomObjectsApi(client_api)
    where = ("ebb.dev", "v1alpha1", namespace, "podgroupcosts")
    body = {
        "apiVersion": "ebb.dev/v1alpha1",
        "kind": "PodGroupCost",
        "metadata": {"name": "web"},
        "spec": {
            "owner": {
                "kind": "ReplicaSet",
                "name": "web",
                "uid": "99999999-8888-7777-6666-555555555555",
            },
            "costs": {"web-1": 5, "web-2": -7},
        },
    }
    assert custom.create_namespaced_custom_object(*where, body)["spec"]["costs"] == {
        "web-1": 5,
        "web-2": -7,
    }
