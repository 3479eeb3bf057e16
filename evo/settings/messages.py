"""What is wrong with settings, in sentences that start with the key."""

from __future__ import annotations

from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from puzzles.formats.reading import shortened

TAG = "as "
"""The beginning of the tags by which a setting of several types tells them apart; they are not part of a key."""


def as_tuples(value: Any) -> Any:
    """Return a value with tuples for all lists in it: lists are how files write tuples."""
    if isinstance(value, dict):
        return {key: as_tuples(one) for key, one in value.items()}
    return tuple(as_tuples(one) for one in value) if isinstance(value, list) else value


def sentences(model: type[BaseModel], error: ValidationError) -> str:
    """Return all that is wrong with the values of a model, separated by semicolons."""
    return "; ".join(dict.fromkeys(_sentence(model, one) for one in error.errors()))


def _sentence(model: type[BaseModel], error: Any) -> str:
    parts = [part for part in error["loc"] if not str(part).startswith(TAG)]
    key, kind, found = ".".join(str(part) for part in parts), error["type"], shortened(repr(error["input"]), 60)
    if kind == "value_error":
        own = str(error["ctx"]["error"])
        return own if not parts or own.startswith(key.partition(".")[0]) else f"{key}: {own}"
    if kind == "extra_forbidden":
        return f"{key}: there is no such setting"
    if kind in ("model_type", "model_attributes_type"):
        return f"{key}: expected a table of settings; found {found}"
    if kind in ("tuple_type", "too_long", "too_short", "missing") and _is_pair(model, parts):
        return f"{parts[0]}: expected two numbers, the minimum and the maximum; found {_shown(error, parts)}"
    if kind == "missing" and isinstance(parts[-1], int):
        return f"{'.'.join(str(part) for part in parts[:-1])}: expected at least {parts[-1] + 1} values; found {found}"
    if kind == "tuple_type":
        return f"{key}: expected a list; found {found}"
    message = error["msg"]
    return f"{key}: {message[:1].lower()}{message[1:]}; found {found}"


def _shown(error: Any, parts: list[Any]) -> str:
    value = error["input"]
    return shortened(repr(list(value) if isinstance(value, tuple) else value), 60)


def _is_pair(model: type[BaseModel], parts: list[Any]) -> bool:
    """Return whether the setting that an error is about is a tuple of two."""
    annotation: Any = model
    for part in parts:
        if isinstance(part, int):
            break
        annotation = next((_field(one, part) for one in _members(annotation) if _field(one, part) is not None), None)
    return any(get_origin(one) is tuple and ... not in get_args(one) for one in _members(annotation))


def _field(annotation: Any, name: str) -> Any:
    fields = getattr(annotation, "model_fields", {})
    return fields[name].annotation if name in fields else None


def _members(annotation: Any) -> list[Any]:
    """Return the types that an annotation allows."""
    origin = get_origin(annotation)
    if origin in (Union, UnionType):
        return [member for one in get_args(annotation) for member in _members(one)]
    if hasattr(annotation, "__metadata__"):
        return _members(annotation.__origin__)
    return [annotation]
