"""A cluster with controllers for all picker tests, and a workload to scale."""

import contextlib

import pytest
from support.ebb import QUICK, EbbCluster
from support.scaled import Workload


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    with EbbCluster(tmp_path_factory.mktemp("pickers"), "--nodes=3x2", *QUICK) as cluster:
        yield cluster


@pytest.fixture
def workload(api, namespace):
    return Workload(api, namespace)


@pytest.fixture
def pickers():
    """Pickers that end with the test."""
    with contextlib.ExitStack() as stack:
        yield stack.enter_context
