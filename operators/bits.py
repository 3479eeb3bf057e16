"""Bit sets in 64-bit words, for compiled code."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from puzzles.compiled import inlined

WORD = 64


def _popcount(typing_context: Any, word: Any) -> Any:
    """Count the bits of a 64-bit word that are 1: one machine instruction, which numba does not offer."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


popcount = cast("Callable[[np.uint64], int]", intrinsic(_popcount))


def _equal_bytes(typing_context: Any, array: Any, position: Any, value: Any) -> Any:
    """Compare sixteen bytes from a position on with a value; the result is sixteen bits. Two machine instructions."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        many = ir.VectorType(ir.IntType(8), 16)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), many.as_pointer())
        byte, wanted = builder.trunc(arguments[2], ir.IntType(8)), ir.Constant(many, ir.Undefined)
        for lane in range(16):
            wanted = builder.insert_element(wanted, byte, ir.Constant(ir.IntType(32), lane))
        equal = builder.icmp_unsigned("==", builder.load(place, align=1), wanted)
        return builder.zext(builder.bitcast(equal, ir.IntType(16)), ir.IntType(64))

    return types.uint64(array, types.int64, types.int64), generate


equal_bytes = cast("Callable[[NDArray[np.uint8], int, int], np.uint64]", intrinsic(_equal_bytes))


def _unequal_cells(typing_context: Any, one: Any, other: Any, position: Any) -> Any:
    """Compare sixteen cells of two boards from a position on; the result is sixteen bits. Few machine instructions."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        many, held = ir.VectorType(ir.IntType(16), 16), []
        for kind, array in zip(signature.args[:2], arguments[:2], strict=True):
            data = context.make_array(kind)(context, builder, array).data
            place = builder.bitcast(builder.gep(data, [arguments[2]]), many.as_pointer())
            held.append(builder.load(place, align=2))
        unequal = builder.icmp_unsigned("!=", *held)
        return builder.zext(builder.bitcast(unequal, ir.IntType(16)), ir.IntType(64))

    return types.uint64(one, other, types.int64), generate


unequal_cells = cast("Callable[[NDArray[np.uint16], NDArray[np.uint16], int], np.uint64]", intrinsic(_unequal_cells))


@inlined
def lowest(bits: np.uint64) -> int:
    """Return the position of the lowest bit that is 1."""
    return popcount((bits & (~bits + np.uint64(1))) - np.uint64(1))


@inlined
def set_bit(words: NDArray[np.uint64], position: int, value: bool) -> None:
    """Set one bit to 1 or 0."""
    word, shift = position >> 6, np.uint64(position & 63)
    words[word] = (words[word] & ~(np.uint64(1) << shift)) | (np.uint64(value) << shift)


@inlined
def add_bits(words: NDArray[np.uint64], position: int, bits: np.uint64) -> None:
    """Set those of the 64 bits from a position on that are 1 in `bits`; the next word must exist."""
    word, shift = position >> 6, np.uint64(position & 63)
    words[word] |= bits << shift
    words[word + 1] |= (bits >> np.uint64(1)) >> (np.uint64(WORD - 1) - shift)  # a shift by 64 would be undefined


@inlined
def bits_above(words: NDArray[np.uint64], word: int, distance: int) -> np.uint64:
    """Return the 64 bits `distance` positions after those of a word; `distance` is not a multiple of 64."""
    whole, part = distance >> 6, np.uint64(distance & 63)
    return np.uint64((words[word + whole] >> part) | (words[word + whole + 1] << (np.uint64(WORD) - part)))


@inlined
def bits_below(words: NDArray[np.uint64], word: int, distance: int) -> np.uint64:
    """Return the 64 bits `distance` positions before those of a word; `distance` is not a multiple of 64."""
    whole, part = distance >> 6, np.uint64(distance & 63)
    return np.uint64((words[word - whole] << part) | (words[word - whole - 1] >> (np.uint64(WORD) - part)))
