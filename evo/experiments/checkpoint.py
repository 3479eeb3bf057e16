"""Checkpoints: named arrays and a few plain values as bytes, with a checksum.

A checkpoint is a magic line, the SHA-256 of everything after it, a line of JSON, and the arrays one after another.
Nothing in it is ever executed or unpickled.
"""

from __future__ import annotations

import hashlib
import json
from math import prod
from typing import Any

import numpy as np

from evo.errors import StoreError
from solvers import State

_MAGIC = b"evo checkpoint 1\n"
_DIGEST = 64  # characters of a SHA-256
_START = len(_MAGIC) + _DIGEST + 1
_KINDS = "iufb"  # arrays of numbers, nothing else


def encode(values: dict[str, Any], arrays: State) -> bytes:
    """Return plain values and arrays as bytes."""
    specs = [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()]
    head = json.dumps({"values": values, "arrays": specs}).encode()
    body = b"".join([head, b"\n", *(array.tobytes() for array in arrays.values())])
    return b"".join([_MAGIC, hashlib.sha256(body).hexdigest().encode(), b"\n", body])


def fingerprint(data: bytes) -> str:
    """Return a hash of a checkpoint that does not depend on the seconds that were spent."""
    head, _, content = data[_START:].partition(b"\n")
    found = json.loads(head)
    found["values"].pop("seconds")
    return hashlib.sha256(json.dumps(found).encode() + content).hexdigest()


def decode(data: bytes) -> tuple[dict[str, Any], State]:
    """Return the plain values and arrays of a checkpoint.

    Raises:
        StoreError: The bytes are not a checkpoint, or they are truncated or damaged.
    """
    if not data.startswith(_MAGIC):
        raise StoreError("is not a checkpoint")
    body = data[_START:]
    if data[len(_MAGIC) : _START] != hashlib.sha256(body).hexdigest().encode() + b"\n":
        raise StoreError("is damaged: its content does not match its checksum")
    head, _, content = body.partition(b"\n")
    try:
        found = json.loads(head)
        arrays, offset = {}, 0
        for name, kind, shape in found["arrays"]:
            dtype = np.dtype(kind)
            if dtype.kind not in _KINDS:
                raise ValueError
            array = np.frombuffer(content, dtype, prod(shape), offset).reshape(shape)
            arrays[str(name)] = array
            offset += array.nbytes
        return dict(found["values"]), arrays
    except (
        ValueError,
        TypeError,
        KeyError,
        RecursionError,
    ):  # a valid checksum of something that this project did not write
        raise StoreError("is not a checkpoint of this version") from None
