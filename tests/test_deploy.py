"""What `deploy/` has can be taken as it is: by Ray's own check, and by Kubernetes' schemas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

DEPLOY = Path(__file__).parents[1] / "deploy"
KUBERNETES = "1.33"

yaml = pytest.importorskip("yaml")


def documents(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / name).read_text()))


def test_ray_takes_the_cluster_file() -> None:
    """By the check that `ray up` makes first."""
    pytest.importorskip("ray", reason="comes with scenthound[cluster]")
    from ray.autoscaler._private.util import prepare_config, validate_config

    [config] = documents("ray-cluster.yaml")
    validate_config(prepare_config(config))
    with pytest.raises(Exception, match="max_worker"):
        validate_config(prepare_config({**config, "max_worker": 2}))


def pods() -> list[dict[str, Any]]:
    [cluster] = [each for each in documents("kuberay.yaml") if each["kind"] == "RayCluster"]
    groups = [cluster["spec"]["headGroupSpec"], *cluster["spec"]["workerGroupSpecs"]]
    return [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}, "spec": each["template"]["spec"]}
        for each in groups
    ]


def test_kubernetes_takes_the_manifest() -> None:
    """The claim and the pods of the RayCluster; the operator's own fields have no schema on the package indexes."""
    kubernetes = pytest.importorskip("kubernetes_validate")
    claims = [each for each in documents("kuberay.yaml") if each["kind"] == "PersistentVolumeClaim"]
    assert claims
    for each in (*claims, *pods()):
        kubernetes.validate(each, KUBERNETES, strict=True)
    wrong = pods()[0]
    wrong["spec"]["container"] = []
    with pytest.raises(kubernetes.ValidationError):
        kubernetes.validate(wrong, KUBERNETES, strict=True)


def test_what_pods_mount_is_claimed() -> None:
    claims = {each["metadata"]["name"] for each in documents("kuberay.yaml") if each["kind"] != "RayCluster"}
    for pod in pods():
        volumes = {each["name"]: each["persistentVolumeClaim"]["claimName"] for each in pod["spec"]["volumes"]}
        assert set(volumes.values()) <= claims
        mounted = {mount["name"] for container in pod["spec"]["containers"] for mount in container["volumeMounts"]}
        assert mounted == set(volumes)
