"""kubectl wait: lists, then watches, until a condition holds."""

import pytest
from support.objects import deployment, pod


def test_wait_for_pods_to_become_ready(kubectl):
    kubectl.create(pod("web"))
    assert (
        kubectl("wait pod/web --for=condition=Ready --timeout=20s").out == "pod/web condition met\n"
    )


def test_wait_for_something_that_already_holds(kubectl, ready_pods):
    kubectl.create(pod("web"))
    ready_pods(1)
    assert (
        kubectl("wait pod/web --for=condition=Ready --timeout=5s").out == "pod/web condition met\n"
    )


def test_wait_for_all_pods_of_a_selector(kubectl):
    for name in ("one", "two", "three"):
        kubectl.create(pod(name, {"app": "web"}))
    result = kubectl("wait pods -l app=web --for=condition=Ready --timeout=20s")
    assert sorted(result.lines) == [
        "pod/one condition met",
        "pod/three condition met",
        "pod/two condition met",
    ]


def test_wait_for_deletion(kubectl, ready_pods):
    kubectl.create(pod("web"))
    ready_pods(1)
    with kubectl.start("wait", "pod/web", "--for=delete", "--timeout=20s") as waiting:
        kubectl("delete pod web --wait=false")
        assert waiting.out.next(20) == "pod/web condition met"
        assert waiting.process.wait(10) == 0


def test_wait_for_deletion_of_what_is_not_there(kubectl):
    assert kubectl.run("wait pod/ghost --for=delete --timeout=5s").code == 0


def test_wait_for_a_value(kubectl):
    kubectl.create(deployment("web", 1))
    with kubectl.start(
        "wait", "deploy/web", "--for=jsonpath={.spec.replicas}=4", "--timeout=20s"
    ) as waiting:
        kubectl("scale deploy/web --replicas=4")
        assert waiting.out.next(20) == "deployment.apps/web condition met"


def test_wait_for_a_field_to_be_there(kubectl):
    kubectl.create(pod("web"))
    kubectl("wait", "pod/web", "--for=jsonpath={.spec.nodeName}", "--timeout=20s")


def test_wait_gives_up(kubectl):
    kubectl.create(deployment("web", 1))
    result = kubectl.fails("wait deploy/web --for=jsonpath={.spec.replicas}=9 --timeout=1s")
    assert "timed out waiting for the condition on deployments/web" in result.err


@pytest.mark.kubectl(35)
def test_wait_for_creation(kubectl):
    with kubectl.start("wait", "pod/web", "--for=create", "--timeout=20s") as waiting:
        assert waiting.out.quiet(0.5)
        kubectl.create(pod("web"))
        assert waiting.out.next(20) == "pod/web condition met"
