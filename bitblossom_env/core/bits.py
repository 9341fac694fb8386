"""Instructions that Numba has no name for: counting the bits of a word, finding the lowest, spreading them out."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from .jit import jit_is_off, small_kernel

Word = Any  # np.uint64; scalar arithmetic has other types for Numba than for a type checker
NARROW, WIDE = 16, 32  # bits that `write_bits` spreads at once
SHORT, LONG = 8, 64  # bytes that `fill_bytes` writes at once


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


@small_kernel
def _count_bits(word: Word) -> int:
    return np.int64(_population_count(word))  # type: ignore[return-value]  # an int to Numba


@small_kernel
def _lowest_bit(word: Word) -> int:
    return np.int64(_trailing_zeros(word))  # type: ignore[return-value]  # an int to Numba


def _write_bits_plain(out: NDArray[Any], start: int, word: Word, num_bits: int) -> None:
    """Writes the lowest `num_bits` of `word`, at most 32, as numbers 0 and 1 from out[start] on.

    May write zeros up to `start + NARROW`, or `start + WIDE` if `num_bits` is greater than NARROW: the caller has
    that much room and writes what lies there later. No index is checked.
    """
    for i in range(num_bits):
        out[start + i] = (int(word) >> i) & 1


def _store(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any, values: Any) -> Any:
    """Stores a vector of bytes into the array that is the first argument, from the index on that is the second."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    first = builder.gep(builder.bitcast(array.data, ir.IntType(8).as_pointer()), [arguments[1]])
    builder.store(values, builder.bitcast(first, values.type.as_pointer()), align=1)
    return context.get_dummy_value()


def _make_bit_writer(num_lanes: int) -> Any:
    """Returns an intrinsic that writes `num_lanes` bits of a word as bytes: one vector store, aligned or not."""

    def make(_typing: Any, out: Any, _start: Any, _word: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
            word = builder.trunc(arguments[2], ir.IntType(num_lanes))
            bits = builder.bitcast(word, ir.VectorType(ir.IntType(1), num_lanes))
            values = builder.zext(bits, ir.VectorType(ir.IntType(8), num_lanes))
            return _store(context, builder, signature, arguments, values)

        return types.void(out, types.int64, types.uint64), generate

    return intrinsic(make)


_write_narrow: Any = _make_bit_writer(NARROW)
_write_wide: Any = _make_bit_writer(WIDE)


@small_kernel
def _write_bits(out: NDArray[Any], start: int, word: Word, num_bits: int) -> None:
    if num_bits <= NARROW:
        _write_narrow(out, start, word)
    else:
        _write_wide(out, start, word)


def _fill_bytes_plain(out: NDArray[Any], start: int, count: int, value: int) -> None:
    """Writes `count` times the number 0..255 `value` from out[start] on; `count` is at least SHORT, unchecked."""
    out[start : start + count] = value


def _make_byte_filler(num_lanes: int) -> Any:
    """Returns an intrinsic that writes a byte `num_lanes` times: one vector store, aligned or not."""

    def make(_typing: Any, out: Any, _start: Any, _value: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
            value = builder.trunc(arguments[2], ir.IntType(8))
            nothing = ir.Constant(ir.VectorType(ir.IntType(8), num_lanes), None)
            one = builder.insert_element(nothing, value, ir.Constant(ir.IntType(32), 0))
            order = ir.Constant(ir.VectorType(ir.IntType(32), num_lanes), [0] * num_lanes)
            return _store(context, builder, signature, arguments, builder.shuffle_vector(one, one, order))

        return types.void(out, types.int64, types.int64), generate

    return intrinsic(make)


_fill_short: Any = _make_byte_filler(SHORT)
_fill_long: Any = _make_byte_filler(LONG)


@small_kernel
def _fill_bytes(out: NDArray[Any], start: int, count: int, value: int) -> None:
    # The last store overlaps the one before: a board's bytes are no multiple of anything.
    if count >= LONG:
        for i in range(start, start + count - LONG, LONG):
            _fill_long(out, i, value)
        _fill_long(out, start + count - LONG, value)
    else:
        for i in range(start, start + count - SHORT, SHORT):
            _fill_short(out, i, value)
        _fill_short(out, start + count - SHORT, value)


fill_bytes = _fill_bytes_plain if jit_is_off() else _fill_bytes
write_bits = _write_bits_plain if jit_is_off() else _write_bits
count_bits = _count_bits_plain if jit_is_off() else _count_bits
lowest_bit = _lowest_bit_plain if jit_is_off() else _lowest_bit
