"""Failures of the SDK, each as a separate class."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Mapping, Optional, Type


class MillwrightError(Exception):
    """Every failure of the SDK."""


class ConnectionError(MillwrightError):
    """No answer arrived: there is no network, the connection was refused, or a time limit has passed."""


class StreamInterruptedError(MillwrightError):
    """A stream ended without its last event, and could not be resumed."""


class UnexpectedAnswerError(MillwrightError):
    """The answer does not come from Millwright. The usual cause is a wrong base address."""


class ApiError(MillwrightError):
    """An answer with status 400 or above."""

    status: int
    #: Name of the error in lower case, such as ``not_found``; empty when the answer has none.
    code: str
    #: Path of the field at fault, with dots.
    field: Optional[str]
    #: ``X-Request-Id`` of the answer, by which the request can be found in the log and the audit log of the installation.
    request_id: Optional[str]
    #: Seconds after which the request may be sent again.
    retry_after: Optional[float]
    #: The page of the error in the installation's documentation.
    doc_url: Optional[str]
    #: The body as it was received.
    body: Any

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        field: Optional[str],
        request_id: Optional[str],
        retry_after: Optional[float],
        doc_url: Optional[str],
        body: Any,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.field = field
        self.request_id = request_id
        self.retry_after = retry_after
        self.doc_url = doc_url
        self.body = body


class AuthenticationError(ApiError):
    """401: there is no credential, or it is not valid."""


class PermissionError(ApiError):
    """403: the credential is valid, but does not permit the request."""


class NotFoundError(ApiError):
    """404: the record does not exist, or belongs to another project."""


class ConflictError(ApiError):
    """409: the request conflicts with the present state."""


class PreconditionFailedError(ApiError):
    """412: the record has changed since it was read."""


class ValidationError(ApiError):
    """400 or 422: the request is not valid."""


class RateLimitError(ApiError):
    """429: too many requests."""


_CLASSES: Dict[int, Type[ApiError]] = {
    400: ValidationError,
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    422: ValidationError,
    429: RateLimitError,
}


def api_error(status: int, body: Any, headers: Mapping[str, str]) -> ApiError:
    """Makes the error for an error answer of any of the services."""
    error = body.get("error") if isinstance(body, dict) else None
    error = error if isinstance(error, dict) else {}
    details = error.get("details")
    field = (details.get("field") if isinstance(details, dict) else None) or error.get("param")
    message, code = error.get("message"), error.get("code")
    help_link = re.search(r'<([^>]*)>; rel="help"', headers.get("link", ""))
    return _CLASSES.get(status, ApiError)(
        message if isinstance(message, str) else f"The answer has status {status}.",
        status=status,
        code=code.lower() if isinstance(code, str) else "",
        field=field if isinstance(field, str) and field else None,
        request_id=headers.get("x-request-id"),
        retry_after=retry_after_of(headers),
        doc_url=help_link and help_link.group(1),
        body=body,
    )


def retry_after_of(headers: Mapping[str, str]) -> Optional[float]:
    """Reads ``Retry-After`` in seconds. A date is compared with the ``Date`` of the same answer, because the clocks of the two machines may differ."""
    text = headers.get("retry-after")
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(text)
        since = parsedate_to_datetime(headers["date"])
        return max(0.0, (until - since).total_seconds())
    except (KeyError, TypeError, ValueError):
        return None
