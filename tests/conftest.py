"""What the whole suite shares: the kernels are compiled before the workers start."""

import pytest

import bitblossom_env  # noqa: F401  # registers the games
from bitblossom_env.core.game import make_setup


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the parent process
        make_setup("bitblossom")
