"""The values that the ranker writes on a stock cluster, and the ones that it leaves alone."""

import time

import pytest
from rig.controllers import OurControllers
from support.process import eventually
from support.ranked import COMPANION, COST, annotation

pytestmark = [pytest.mark.own_system("ranker"), pytest.mark.systems("ebb")]


def test_deletion_costs_keep_zones_even(stock, ranker, workload):
    workload.create(9)
    workload.add_ranking("PodDeletionCost")
    workload.wait_ranked()
    found = workload.wait_condition("ranked", "Ranked", "True")
    assert "9 pods of 1 ReplicaSet" in found["message"]
    for size in (7, 4, 3):
        workload.scale(size)
        assert workload.skew() <= 1


def test_foreign_costs_stay(stock, ranker, workload):
    first, second, *_ = workload.create(4)
    pods = f"{workload.core}/pods"
    workload.api.patch(f"{pods}/{first}", {"metadata": {"annotations": {COST: "1000"}}})
    workload.add_ranking("PodDeletionCost")
    message = workload.wait_condition("ranked", "Ranked", "False")["message"]
    assert "1 of 4 pods keep a value that the ranker did not write" in message
    assert workload.costs()[first] == "1000"
    # One that was ours is taken over.
    eventually(lambda: workload.costs()[second] is not None)
    workload.api.patch(f"{pods}/{second}", {"metadata": {"annotations": {COST: "-7"}}})

    def two_are_told():
        assert "2 of 4" in workload.condition("ranked", "Ranked")["message"]
        return True

    eventually(two_are_told, timeout=30)
    workload.api.delete(f"{workload.policies}/ranked")
    others = [name for name in workload.pods() if name not in (first, second)]
    eventually(lambda: all(workload.costs()[name] is None for name in others))
    assert workload.costs()[first] == "1000"
    assert workload.costs()[second] == "-7"


def test_a_program_that_keeps_changing_costs_is_given_way(stock, ranker, workload):
    """As Karpenter does: it does not look at who wrote a cost."""
    workload.create(4)
    workload.add_ranking("PodDeletionCost")
    workload.wait_ranked()

    def removes_costs_until_contested():
        for name in workload.pods():
            patch = {"metadata": {"annotations": {COST: None}}}
            workload.api.patch(f"{workload.core}/pods/{name}", patch)
        return workload.condition("ranked", "CostContested")

    found = eventually(removes_costs_until_contested, timeout=120, interval=2)
    assert (found["status"], found["reason"]) == ("True", "WritesPaused")
    assert "deletionCost: Ignore" in found["message"]

    def has_no_companions():
        return all(annotation(pod, COMPANION) is None for pod, _ in workload.pods().values())

    eventually(has_no_companions)
    workload.scale(6)
    time.sleep(5)
    assert has_no_companions()
    # The remedy ends the pause.
    change = {"spec": {"ranking": {"publish": "PodGroupCost"}, "deletionCost": "Ignore"}}
    workload.api.patch(f"{workload.policies}/ranked", change)
    workload.wait_condition("ranked", "Ranked", "True")
    workload.wait_condition("ranked", "CostContested", "False")


def test_a_policy_that_goes_takes_its_costs_along(stock, ranker, workload):
    workload.create(4)
    workload.add_ranking("PodDeletionCost")
    workload.wait_ranked()
    workload.api.delete(f"{workload.policies}/ranked")

    def nothing_is_left():
        for pod, _ in workload.pods().values():
            assert annotation(pod, COST) is None
            assert annotation(pod, COMPANION) is None
        return True

    eventually(nothing_is_left)


def test_what_a_stock_server_does_not_have_is_said(stock, ranker, workload):
    """pods/status is not even granted: deploy/ranker.yaml says when it is of use."""
    workload.create(2)
    workload.add_ranking("StatusField")
    assert workload.wait_condition("ranked", "Ranked", "False")["reason"] == "WritesRefused"


def test_a_server_that_drops_the_status_field_is_noticed(stock, server, workload):
    """Even with all rights, the API server drops the field, and nothing is left behind."""
    flags = (f"--kubeconfig={server.kubeconfig}", "--controllers=ranker")
    workload.create(3)
    workload.add_ranking("StatusField")
    with OurControllers(server, server.folder, flags=flags):
        assert workload.wait_condition("ranked", "Ranked", "False")["reason"] == "NoStatusField"
        eventually(
            lambda: all(annotation(pod, COMPANION) is None for pod, _ in workload.pods().values())
        )


def test_ranks_as_an_object_of_their_own(ranker, server, workload):
    """Our ReplicaSet controller reads them, from a process of its own."""
    with OurControllers(server, server.folder):
        workload.create(9)
        workload.add_ranking("PodGroupCost")
        name = workload.replica_set()["metadata"]["name"]

        def published():
            found = workload.api.get(f"{workload.group_costs}/{name}")
            assert set(found["spec"]["costs"]) == set(workload.pods())
            told_of = found.get("status", {}).get("observedGeneration")
            assert told_of == found["metadata"]["generation"]
            return found

        eventually(published, timeout=30)
        conditions = ("Ranked", "Ready")
        for condition in conditions:
            workload.wait_condition("ranked", condition, "True")
        for size in (7, 4, 3):
            workload.scale(size)
            assert workload.skew() <= 1
        # A policy that goes takes its object along.
        workload.api.delete(f"{workload.policies}/ranked")
        eventually(lambda: workload.api.get(workload.group_costs)["items"] == [], timeout=30)
