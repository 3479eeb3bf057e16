"""What protects the live page: a token for readers from other machines, and headers that confine what a page may do."""

from __future__ import annotations

import hmac
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "evo_token"
PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
"""The policy of pictures and of the static report, which carry their own styles and run nothing."""
_HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class Headers:
    """Adds the headers that every answer has, unless it sets its own.

    Args:
        app: The application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, sending if scope["type"] == "http" else send)


class Token:
    """Refuses requests without a token.

    The address that is printed contains the token; the first request with it sets a cookie and continues without it.

    Args:
        app: The application.
        token: The token; "" if none is needed.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and self._token:
            answer = self._answer(Request(scope))
            if answer is not None:
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _answer(self, request: Request) -> Response | None:
        """Return the answer to a request that may not pass, or that has just brought the token."""
        brought = request.query_params.get("token")
        if brought is not None and self._is(brought):
            rest = [pair for pair in parse_qsl(request.url.query) if pair[0] != "token"]
            path = "/" + request.url.path.lstrip("/")  # an address that starts with // would be on another machine
            answer = RedirectResponse(path + (f"?{urlencode(rest)}" if rest else ""), status_code=303)
            answer.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            return answer
        if self._is(request.cookies.get(COOKIE, "")):
            return None
        return PlainTextResponse("Open the address that `evo serve` has printed; it contains a token.", status_code=401)

    def _is(self, candidate: str) -> bool:
        return hmac.compare_digest(candidate.encode(), self._token.encode())
