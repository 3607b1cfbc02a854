"""A cluster with controllers: ebb's or, with `--against kube`, those of Kubernetes."""

import os

import pytest
from support.ebb import QUICK, EbbCluster
from support.kube import KubeCluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rollout")
    chosen = EbbCluster(folder, "--nodes=3x2", *QUICK)
    if os.environ.get("EBB_E2E_AGAINST") == "kube":
        chosen = KubeCluster(folder, "deployment-controller", "replicaset-controller")
    with chosen:
        yield chosen
