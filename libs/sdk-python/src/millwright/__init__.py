"""Client of Millwright: agents, runs, prompts, skills, content and files."""

from ._call import Call, RequestOptions
from ._client import AsyncMillwright, Millwright
from ._errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionError,
    MillwrightError,
    NotFoundError,
    PermissionError,
    PreconditionFailedError,
    RateLimitError,
    StreamInterruptedError,
    UnexpectedAnswerError,
    ValidationError,
)
from ._model import NOT_GIVEN, Model, NotGiven, StreamEvent
from ._pages import AsyncPages, Pages
from ._send import AsyncDownload, Download

__all__ = [
    "ApiError",
    "AsyncDownload",
    "AsyncMillwright",
    "AsyncPages",
    "AuthenticationError",
    "Call",
    "ConflictError",
    "ConnectionError",
    "Download",
    "Millwright",
    "MillwrightError",
    "Model",
    "NOT_GIVEN",
    "NotFoundError",
    "NotGiven",
    "Pages",
    "PermissionError",
    "PreconditionFailedError",
    "RateLimitError",
    "RequestOptions",
    "StreamEvent",
    "StreamInterruptedError",
    "UnexpectedAnswerError",
    "ValidationError",
]
