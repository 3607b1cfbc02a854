"""The official Python client, configured from the server's kubeconfig."""

import pytest
from kubernetes import client, config


@pytest.fixture(scope="session")
def client_api(cluster):
    settings = client.Configuration()
    config.load_kube_config(config_file=str(cluster.kubeconfig), client_configuration=settings)
    return client.ApiClient(settings)


@pytest.fixture
def core_v1(client_api):
    return client.CoreV1Api(client_api)


@pytest.fixture
def apps_v1(client_api):
    return client.AppsV1Api(client_api)
