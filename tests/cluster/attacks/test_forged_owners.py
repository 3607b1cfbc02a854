"""A tenant forges owner references, in another namespace and in the victim's own. The forged
objects must not delay the victim's rollouts, change its status, or make a scale-down remove
more or fewer pods than the surplus.
"""

import pytest
from rig.place import controller_of
from support.forger import Forger, reference
from support.names import make_namespace
from support.process import eventually


@pytest.fixture
def elsewhere(place):
    name = make_namespace(place.api, "forger")
    with Forger(place.api, name) as forger:
        yield forger
    place.api.request("DELETE", f"/api/v1/namespaces/{name}")


@pytest.fixture
def beside(place):
    with Forger(place.api, place.namespace) as forger:
        yield forger


def image(number):
    return f"registry.example/web:{number}"


def labels_of(thing):
    return thing["spec"]["template"]["metadata"]["labels"]


def only_replica_set(place, name):
    """As a GET shows it: items of lists leave out what they are."""
    return place.get("replicasets", place.only_replica_set(name)["metadata"]["name"])


def own_sets(place, name):
    """The ReplicaSets that belong to the Deployment, whatever else names it."""
    uid = place.get("deployments", name)["metadata"]["uid"]
    owner = {"kind": "Deployment", "name": name, "uid": uid}
    return [
        found
        for found in place.api.get(f"{place.apps}/replicasets")["items"]
        if owner.items() <= (controller_of(found) or {}).items()
    ]


def own_pods(place, name):
    """Their active pods."""
    uids = {found["metadata"]["uid"] for found in own_sets(place, name)}
    return [pod for pod in place.active() if (controller_of(pod) or {}).get("uid") in uids]


def test_recreate_goes_on_while_foreign_pods_name_the_old_replica_set(place, elsewhere):
    place.deployment("web", 3, strategy={"type": "Recreate"})
    place.wait_complete("web", 3)
    old = only_replica_set(place, "web")
    for number in range(3):
        elsewhere.pod(f"forged-{number}", reference(old), labels_of(old))
    place.set_image("web", image(2))
    place.wait_complete("web", 3)
    assert len(place.replica_sets("web")) == 2
    assert elsewhere.there() == 3


def test_recreate_goes_on_while_pods_beside_it_name_the_old_replica_set_wrongly(place, beside):
    place.deployment("web", 3, strategy={"type": "Recreate"})
    place.wait_complete("web", 3)
    old = only_replica_set(place, "web")
    beside.pod("other-kind", reference(old, kind="StatefulSet"), {"app": "other"})
    beside.pod("other-name", reference(old, name="web-not"), {"app": "other"})
    place.set_image("web", image(2))
    place.wait_complete("web", 3)
    assert beside.there() == 2


def test_a_foreign_replica_set_does_not_count_for_a_deployment(place, elsewhere, beside):
    web = place.deployment("web", 3)
    place.wait_complete("web", 3)
    elsewhere.replica_set("forged", reference(web), labels_of(web), 2)
    wrong = reference(web, kind="Job", apiVersion="batch/v1")
    beside.replica_set("other-kind", wrong, {"app": "other"}, 2)
    place.scale("deployments", "web", 4)
    place.wait_complete("web", 4)
    place.set_image("web", image(2))
    place.wait_complete("web", 4)

    def settled():
        assert sorted(found["spec"]["replicas"] for found in own_sets(place, "web")) == [0, 4]
        assert len(own_pods(place, "web")) == 4
        return True

    eventually(settled, timeout=30)


@pytest.mark.parametrize("name", ["forged", "web"])
def test_scaling_down_removes_the_surplus_and_no_more(place, elsewhere, recorder, name):
    web = place.replica_set("web", 10)
    place.wait_ready(10)
    for number in range(5):
        elsewhere.pod(f"{name}-{number}", reference(web), labels_of(web))
    recorder.wait_for_silence()
    place.scale("replicasets", "web", 6)
    recorder.expect_exactly(deleted=4, created=10)
    place.wait_status("replicasets", "web", replicas=6, readyReplicas=6)
    assert elsewhere.there() == 5
