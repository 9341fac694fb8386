"""Two instructions that Numba has no name for: counting the bits of a word and finding its lowest one."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .jit import jit_is_off, kernel

Word = Any  # np.uint64; scalar arithmetic has other types for Numba than for a type checker


def _count_bits_plain(word: Word) -> int:
    """Returns the number of cells in one row mask."""
    return int(word).bit_count()


def _lowest_bit_plain(word: Word) -> int:
    """Returns the column of the lowest cell of a row mask that is not empty."""
    return (int(word) & -int(word)).bit_length() - 1


def _make_population_count(_typing: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def _make_trailing_zeros(_typing: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: ir.IRBuilder, _signature: Any, arguments: Any) -> Any:
        zero_is_undefined = ir.Constant(ir.IntType(1), 0)
        return builder.cttz(arguments[0], zero_is_undefined)

    return types.uint64(types.uint64), generate


_population_count: Any = intrinsic(_make_population_count)
_trailing_zeros: Any = intrinsic(_make_trailing_zeros)


@kernel
def _count_bits(word: Word) -> int:
    return np.int64(_population_count(word))  # type: ignore[return-value]  # an int to Numba


@kernel
def _lowest_bit(word: Word) -> int:
    return np.int64(_trailing_zeros(word))  # type: ignore[return-value]  # an int to Numba


count_bits = _count_bits_plain if jit_is_off() else _count_bits
lowest_bit = _lowest_bit_plain if jit_is_off() else _lowest_bit
