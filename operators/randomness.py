"""Random numbers in compiled code: bit for bit those of `rng.random()`, without a call for each.

numba calls numpy's generator through a pointer for every number, which dominates the cost of a mutation. For PCG64, the
bit generator of `numpy.random.default_rng`, the step is inlined here, on the generator's own state; other generators
are called as usual. At import, the layout of numpy's state is checked once.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from puzzles.compiled import inlined

_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
_SYMBOL = "evo_pcg64_next_double"
"""The symbol by which compiled code refers to numpy's function: cached code must not contain an address."""
_WORD, _WIDE, _DOUBLE = ir.IntType(64), ir.IntType(128), ir.DoubleType()


def _pcg64_address() -> int:
    """Return the address of numpy's function for PCG64, or 0 if the layout of its state is not as expected."""
    generator = np.random.PCG64(1)
    interface = generator.ctypes
    before = generator.state["state"]
    place = ctypes.cast(interface.state_address, ctypes.POINTER(ctypes.c_void_p))[0]
    held = bytes((ctypes.c_uint8 * 32).from_address(place or 0)) if place else b""
    known = int(before["state"]).to_bytes(16, "little") + int(before["inc"]).to_bytes(16, "little")
    return ctypes.cast(interface.next_double, ctypes.c_void_p).value or 0 if held == known else 0


binding.add_symbol(_SYMBOL, _pcg64_address())


def _uniform(typing_context: Any, rng: Any) -> Any:
    """Return the next number of a generator."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        generator = cgutils.create_struct_proxy(rng)(context, builder, value=arguments[0])
        bits = cgutils.create_struct_proxy(types.npy_bitgen)(context, builder, value=generator.bit_generator)
        own = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_DOUBLE, (_WORD,)), _SYMBOL)
        is_own = builder.icmp_unsigned("==", bits.fnptr_next_double, builder.ptrtoint(own, _WORD))
        number = cgutils.alloca_once(builder, _DOUBLE)
        with builder.if_else(is_own, likely=True) as (written_out, called):
            with written_out:
                builder.store(_step(builder, bits.state), number)
            with called:
                function = builder.inttoptr(bits.fnptr_next_double, own.type)
                builder.store(builder.call(function, (bits.state,)), number)
        return builder.load(number)

    return types.float64(rng), generate


def _step(builder: Any, state: Any) -> Any:
    """PCG64: a 128-bit step; the exclusive or of the halves, rotated by the highest bits; 53 bits of that."""
    place = builder.load(builder.inttoptr(state, _WIDE.as_pointer().as_pointer()))
    increment = builder.load(builder.gep(place, [ir.Constant(ir.IntType(32), 1)]), align=8)
    product = builder.mul(builder.load(place, align=8), ir.Constant(_WIDE, _MULTIPLIER))
    after = builder.add(product, increment)
    builder.store(after, place, align=8)
    high = builder.trunc(builder.lshr(after, ir.Constant(_WIDE, 64)), _WORD)
    mixed = builder.xor(high, builder.trunc(after, _WORD))
    turns = builder.lshr(high, ir.Constant(_WORD, 58))
    back = builder.and_(builder.neg(turns), ir.Constant(_WORD, 63))
    rotated = builder.or_(builder.lshr(mixed, turns), builder.shl(mixed, back))
    whole = builder.uitofp(builder.lshr(rotated, ir.Constant(_WORD, 11)), _DOUBLE)
    return builder.fmul(whole, ir.Constant(_DOUBLE, 2.0**-53))


uniform = cast("Callable[[np.random.Generator], float]", intrinsic(_uniform))
"""Return a random number in [0, 1), equal to `rng.random()`."""


@inlined
def below(rng: np.random.Generator, limit: int) -> int:
    """Return a random integer in [0, limit), many times as fast as `rng.integers`."""
    return int(uniform(rng) * limit)
