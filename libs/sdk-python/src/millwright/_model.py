"""Records as pydantic models, of version 1.10 or 2."""

from __future__ import annotations

from typing import Any, Generic, Mapping, Optional, TypeVar

import pydantic

PYDANTIC_2 = pydantic.VERSION.startswith("2.")

if PYDANTIC_2:

    class Model(pydantic.BaseModel):
        """A record of an answer. Fields of later releases are kept."""

        model_config = pydantic.ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=())

else:

    class Model(pydantic.BaseModel):  # type: ignore[no-redef]
        """A record of an answer. Fields of later releases are kept."""

        class Config:
            extra = "allow"
            allow_population_by_field_name = True
            smart_union = True


class NotGiven:
    """The default of an argument that is not sent. ``None`` would be sent as null."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()

T = TypeVar("T")
E = TypeVar("E")


class StreamEvent(Generic[E, T]):
    """An event of a stream."""

    event: E
    id: Optional[str]
    data: T

    def __init__(self, event: E, data: T, id: Optional[str] = None) -> None:
        self.event = event
        self.data = data
        self.id = id

    def __repr__(self) -> str:
        return f"StreamEvent(event={self.event!r}, id={self.id!r}, data={self.data!r})"


def rebuild(namespace: Mapping[str, Any]) -> None:
    """Resolves the names that the models of a module use before they are defined."""
    for value in list(namespace.values()):
        if isinstance(value, type) and issubclass(value, Model) and value is not Model:
            if PYDANTIC_2:
                value.model_rebuild(_types_namespace=dict(namespace))
            else:
                value.update_forward_refs(**namespace)


def parse(kind: Any, value: Any) -> Any:
    """Converts a value to an instance of a type. Raises pydantic's ValidationError."""
    if PYDANTIC_2:
        return pydantic.TypeAdapter(kind).validate_python(value)
    return pydantic.parse_obj_as(kind, value)


def to_json(value: Any) -> Any:
    """Converts arguments to JSON values: models become objects, and arguments that are not given are left out."""
    if isinstance(value, pydantic.BaseModel):
        if PYDANTIC_2:
            return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return to_json(value.dict(by_alias=True, exclude_unset=True))
    if isinstance(value, Mapping):
        return {name: to_json(item) for name, item in value.items() if item is not NOT_GIVEN}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    return value


__all__ = ["Model", "NOT_GIVEN", "NotGiven", "StreamEvent", "parse", "rebuild", "to_json"]
