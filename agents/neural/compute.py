"""Running a network as a config says: on which device, how precisely, compiled or not."""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar, cast

import numpy as np
import torch
from numpy.typing import NDArray

from agents.neural.config import BFLOAT16, CPU, CUDA, ComputeConfig
from agents.neural.network import Encoded, Judgement, Network

PLAIN = ComputeConfig()
# Code is compiled for any number of rows but none and one, which would be cases of their own.
FEWEST_COMPILED = 2

Function = TypeVar("Function", bound=Callable[..., object])


def can_compile() -> bool:
    """Returns whether `torch.compile` finds what it needs on this machine: a C++ compiler and Python's headers."""
    header = Path(sysconfig.get_paths()["include"]) / "Python.h"
    return shutil.which(os.environ.get("CXX", "g++")) is not None and header.is_file()


def check_machine(config: ComputeConfig) -> None:
    """Raises `ValueError` in one line if this machine cannot do what is asked."""
    if config.device == CUDA and not torch.cuda.is_available():
        raise ValueError(f"compute.device={CUDA!r}: PyTorch finds no GPU here; allowed: {CPU}")
    if config.compile and config.device == CPU and not can_compile():
        raise ValueError("compute.compile=True: no C++ compiler or no Python headers here; allowed: false")


def compiled(function: Function, config: ComputeConfig) -> Function:
    """Returns `function` as machine code for any number of rows, or as it is if nothing is to be compiled."""
    return cast(Function, torch.compile(function, dynamic=True)) if config.compile else function


def precisely(config: ComputeConfig) -> AbstractContextManager[object]:
    """Returns the context in which networks multiply as precisely as asked."""
    return torch.autocast(config.device, torch.bfloat16, enabled=config.precision == BFLOAT16)


def on_device(array: NDArray[np.generic], config: ComputeConfig) -> torch.Tensor:
    """Returns an array as a tensor where the network is; to a GPU it goes without being waited for."""
    tensor = torch.from_numpy(array)
    return tensor if config.device == CPU else tensor.pin_memory().to(config.device, non_blocking=True)


class Judge:
    """Asks a network about positions, without gradients."""

    def __init__(self, network: Network, config: ComputeConfig = PLAIN) -> None:
        # Laid out as the planes are, weights need not be rearranged in every call.
        network = network.eval().requires_grad_(False)
        self._config = config
        self.network: Network = network.to(memory_format=torch.channels_last).to(config.device)  # type: ignore[call-overload]
        self._compiled = compiled(self.network.judge, config)

    def __call__(self, encoded: Encoded, mask: NDArray[np.bool_]) -> Judgement:
        """Returns the network's judgement of B positions; tensors on the CPU, float32."""
        judge = self._compiled if len(mask) >= FEWEST_COMPILED else self.network.judge
        parts = (encoded.planes, encoded.constants, mask)
        with torch.inference_mode(), precisely(self._config):
            judgement = judge(*(on_device(part, self._config) for part in parts))
        return Judgement(*(part.float().to(CPU) for part in judgement))
