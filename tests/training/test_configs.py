"""The shipped configs: each says why every setting is as it is, and can be trained with."""

from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from agents.neural.kinds import make_network
from training.commands.train import make_parser
from training.config import TrainConfig
from training.course import Course

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))


def test_they_are_found():
    assert {"smoke", "demo", "cpu_7x7", "aronda"} <= {path.stem for path in CONFIGS}


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_its_network_plays_its_game(path):
    parser = make_parser()
    made = parser.instantiate(parser.parse_args(["--config", str(path)]))
    config = TrainConfig(**{field.name: made[field.name] for field in fields(TrainConfig)})
    for setup in Course(config).setups:
        assert make_network(config.network, setup).config == config.network


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_every_setting_has_a_reason(path):
    text = path.read_text()
    assert text.startswith("# ")
    assert isinstance(yaml.safe_load(text), dict)
    for line in text.splitlines():
        is_setting = ":" in line.partition("#")[0] and line.partition("#")[0].strip()[-1] != ":"
        assert not is_setting or "  # " in line or line.startswith("game:"), line
