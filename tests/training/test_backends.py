"""The same run on every backend, and actors that die."""

import dataclasses
import json
import os
from pathlib import Path

import pytest

from tests.training.tiny import TINY
from training.cli import main
from training.config import BackendConfig
from training.opponents import copy_weights, hash_weights
from training.train import Trainer
from training.workers import Workers

ray = pytest.importorskip("ray", reason="Ray is an extra: pip install 'bitblossom[ray]'")
from training.ray_cluster import RayGroup  # noqa: E402 - an extra


def on(kind, address=None):
    rollout = dataclasses.replace(TINY.rollout, workers=2)
    return dataclasses.replace(TINY, rollout=rollout, backend=BackendConfig(kind, address))


def updates(config, num_updates, between=lambda _workers: None):
    """The weights after some updates, and what was counted."""
    trainer = Trainer(config, Path())
    with Workers(config) as workers:
        for _ in range(num_updates):
            trainer.update(workers)
            between(workers)
    return hash_weights(copy_weights(trainer.learner.network)), trainer.counters.update, trainer.counters.env_steps


@pytest.fixture(scope="module")
def expected():
    return updates(on("process"), 3)


def test_one_after_the_other_is_the_same_run(expected):
    assert updates(on("serial"), 3) == expected


@pytest.mark.slow  # a cluster takes half a minute to start
def test_actors_play_the_same_run_though_some_of_them_die(expected):
    """One that has died is replaced, and nothing shows of it."""
    killed = []

    def kill_one(workers):
        killed.append(workers._backend._actors[0])
        ray.kill(killed[-1])

    assert updates(on("ray"), 3, kill_one) == expected
    assert len({id(actor) for actor in killed}) == 3
    assert not ray.is_initialized(), "what was started is ended"


@pytest.mark.slow
def test_a_machine_that_is_lost_in_the_middle_of_a_run_costs_nothing(expected, caplog):
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes = [cluster.add_node(num_cpus=1)]  # one core each: an actor on either

    def lose_the_first(_workers):
        if len(nodes) == 1:
            nodes.append(cluster.add_node(num_cpus=1))
            cluster.remove_node(nodes[0], allow_graceful=False)

    try:
        cluster.wait_for_nodes()
        assert updates(on("ray", cluster.address), 3, lose_the_first) == expected
        assert len(nodes) == 2
        assert sum("has died and is replaced" in message for message in caplog.messages) == 1
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.mark.slow
def test_more_workers_than_the_cluster_has_cores_are_refused():
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        with pytest.raises(ValueError, match=r"2 workers are too many for the Ray cluster; allowed: up to 1"):
            Workers(on("ray"))
    finally:
        ray.shutdown()


EVALUATED = ["evaluate", "greedy", "random", "--board", "5", "--games", "160", "--processes", "2", "--json"]


def rated(out, *words):
    """The report of a contest, times apart."""
    assert main([*EVALUATED, str(out), *words]) == 0
    report = json.loads(out.read_text())
    for agent in report["agents"]:
        del agent["seconds_per_turn"]
    return report


@pytest.mark.slow
def test_evaluation_on_a_cluster_tells_the_same(tmp_path):
    assert rated(tmp_path / "ray.json", "--ray", "local") == rated(tmp_path / "processes.json")
    assert not ray.is_initialized()


class Stubborn:
    """Answers in the second life of its process, and fails where it is told to."""

    def __init__(self, folder):
        self._folder = folder

    def answer(self, message):
        if message == "fail":
            raise ValueError("no such thing; allowed: another")
        mark = self._folder / f"{message}-was-here"
        if not mark.exists():
            mark.touch()
            os._exit(1)
        return message.upper()


@pytest.mark.slow
def test_messages_of_actors_that_die_are_answered_by_others(tmp_path):
    with RayGroup(Stubborn, tmp_path, ["first", "second"], None) as group:
        for index, message in enumerate(("a", "b")):
            group.send(index, message)
        answers = {}
        while len(answers) < 2:
            answers |= {index: group.receive(index) for index in group.wait()}
        assert answers == {0: "A", 1: "B"}
        group.send(0, "fail")
        with pytest.raises(ValueError, match="first failed: no such thing; allowed: another"):
            group.receive(0)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--backend.kind", "cloud"], "backend.kind='cloud' is not allowed; allowed: serial, process, ray"),
        (["--backend.address", "auto"], "backend.address='auto' is not allowed; allowed: null, unless"),
    ],
)
def test_what_is_no_backend_is_refused_in_one_line(tmp_path, capsys, words, complaint):
    assert main(["train", "configs/smoke.yaml", "--out", str(tmp_path / "run"), *words]) == 2
    assert complaint in capsys.readouterr().err.splitlines()[-1]
