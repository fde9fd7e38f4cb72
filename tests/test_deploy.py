"""What `deploy/` has can be taken as it is: by Ray's own checks, Kubernetes' schemas, and readers of compose files."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
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


@pytest.mark.parametrize("wrong", ["", "    prots: ['80']\n"])
def test_compose_takes_its_file(tmp_path: Path, wrong: str) -> None:
    """By the schema of the Compose specification."""
    pytest.importorskip("check_jsonschema")
    file = tmp_path / "compose.yaml"
    file.write_text((DEPLOY / "compose.yaml").read_text().replace("  head:\n", f"  head:\n{wrong}"))
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (not wrong), done.stdout + done.stderr


def ray_cluster() -> dict[str, Any]:
    [cluster] = [each for each in documents("kuberay.yaml") if each["kind"] == "RayCluster"]
    return cluster


def test_ray_reads_the_operators_fields() -> None:
    """By what Ray's own autoscaler reads from a RayCluster: its groups, their numbers, and what a pod has."""
    pytest.importorskip("ray", reason="comes with scenthound[cluster]")
    from ray.autoscaler._private.kuberay.autoscaling_config import _derive_autoscaling_config_from_ray_cr
    from ray.autoscaler._private.util import validate_config

    cluster = ray_cluster()
    cluster["metadata"]["namespace"] = "default"
    config = _derive_autoscaling_config_from_ray_cr(cluster)
    validate_config(config)
    head, crawlers = (config["available_node_types"][name] for name in ("headgroup", "crawlers"))
    assert head["resources"]["CPU"] == 0, "the head crawls nothing"
    assert crawlers["resources"]["CPU"] == 1
    assert (crawlers["min_workers"], crawlers["max_workers"]) == (1, 64)


def test_the_manifest_names_the_ray_that_is_locked() -> None:
    """Head, workers and driver must be of one version."""
    lock = (DEPLOY.parent / "requirements" / "dev.lock").read_text().splitlines()
    assert f"ray=={ray_cluster()['spec']['rayVersion']}" in [line.partition(" ;")[0] for line in lock]


def pods() -> list[dict[str, Any]]:
    cluster = ray_cluster()
    groups = [cluster["spec"]["headGroupSpec"], *cluster["spec"]["workerGroupSpecs"]]
    return [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}, "spec": each["template"]["spec"]}
        for each in groups
    ]


def test_kubernetes_takes_the_manifest() -> None:
    """The claim and the pods of the RayCluster."""
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


# --- the compose file -----------------------------------------------------------------------------------------------

COMPOSERS = ("docker compose", "docker-compose", "podman-compose")


def read_by(composer: str, path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a program makes of a compose file before it starts anything."""
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [*shlex.split(composer), "--file", str(path), "config"],
        env={"PATH": beside, "HOME": os.environ.get("HOME", "/"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def installed(composer: str) -> bool:
    program, *command = shlex.split(composer)
    found = shutil.which(program) or shutil.which(program, path=str(Path(sys.executable).parent))
    return found is not None and not subprocess.run([found, *command, "version"], capture_output=True).returncode


@pytest.mark.parametrize("composer", COMPOSERS)
def test_programs_that_read_compose_files_take_it(composer: str) -> None:
    if not installed(composer):
        pytest.skip(f"{composer} is not installed (podman-compose: pip install podman-compose, and podman)")
    done = read_by(composer, DEPLOY / "compose.yaml", POSTGRES_PASSWORD="secret")
    assert done.returncode == 0, done.stderr
    services = yaml.safe_load(done.stdout)["services"]
    assert set(services) == {"postgres", "head", "worker"}
    assert Path(services["worker"]["build"]["context"]).resolve() == DEPLOY.parent
    refused = read_by(composer, DEPLOY / "compose.yaml")
    assert refused.returncode != 0
    assert "set a password for PostgreSQL" in refused.stderr


def test_what_the_compose_file_names_is_there() -> None:
    [file] = documents("compose.yaml")
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text())["project"]
    for service in file["services"].values():
        assert set(service.get("depends_on", ())) <= set(file["services"])
        assert {volume.split(":")[0] for volume in service["volumes"]} <= set(file["volumes"])
        if "build" in service:
            built = service["build"]
            assert (DEPLOY / built["context"] / built["dockerfile"]).is_file()
            assert set(built["args"]["EXTRAS"].split(",")) <= set(project["optional-dependencies"])
    assert f"--address=head:{port_of(file['services']['head']['command'])}" in file["services"]["worker"]["command"]


def port_of(command: str) -> str:
    [port] = [word.removeprefix("--port=") for word in command.split() if word.startswith("--port=")]
    return port
