"""The stock HorizontalPodAutoscaler writes /scale and does not know about pickers. The picker is
called because the size changed, whichever client changed it.
"""

import pytest
from support.kube import controller_manager
from support.objects import metadata
from support.pickers import RecordingPicker
from support.process import eventually

pytestmark = [pytest.mark.own_system("pickers"), pytest.mark.systems("ebb")]


@pytest.fixture
def autoscaler(server):
    """kube-controller-manager with this one controller."""
    child = controller_manager(
        server,
        server.folder / "autoscaler.log",
        "horizontal-pod-autoscaler-controller",
        "--horizontal-pod-autoscaler-sync-period=1s",
    )
    yield child
    child.kill()


class Autoscaling:
    """Bounds for the size of a Deployment. An HPA enforces them even without metrics."""

    def __init__(self, workload):
        self.api = workload.api
        self.path = (
            f"/apis/autoscaling/v2/namespaces/{workload.namespace}/horizontalpodautoscalers"
        )
        self.target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": workload.name}

    def create(self, least, most):
        spec = {"scaleTargetRef": self.target, "minReplicas": least, "maxReplicas": most}
        body = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler"}
        self.api.create(self.path, {**body, "metadata": metadata("web"), "spec": spec})

    def bound(self, least, most):
        self.api.patch(
            f"{self.path}/web", {"spec": {"minReplicas": least, "maxReplicas": most}}
        )


def test_the_stock_autoscaler_shrinks_and_the_picker_chooses_the_pods(
    controllers, autoscaler, workload, pickers
):
    picker = pickers(RecordingPicker())
    workload.add_policy("web", picker.http())
    names = workload.create(6)
    workload.wait_condition("web", "Ready", "True")
    # All that is ever written to the Deployment comes from the autoscaler from here on.
    scaling = Autoscaling(workload)
    scaling.create(1, 4)
    assert workload.wait(4, timeout=60) == names[2:]
    (request,) = [body for _, body in picker.requests]
    assert request == {"number_of_pods_requested": 2, "candidate_pods": names}

    scaling.bound(5, 5)
    names = workload.wait(5, timeout=60)
    scaling.bound(1, 2)
    assert workload.wait(2, timeout=60) == names[3:]
    assert len(picker.requests) == 2
    rescales = eventually(lambda: workload.events("SuccessfulRescale"))
    assert len(rescales) == 3, [e["message"] for e in rescales]
