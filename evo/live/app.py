"""The live page as a web application. No request changes anything: there is nothing here that writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from evo.analysis.study import Study
from evo.errors import EvoError
from evo.experiments.tasks import encoded
from evo.live import pages
from evo.live.drawing import KINDS, draw_picture, draw_report, picture_key, prepare
from evo.live.exhibits import Exhibits
from evo.live.guard import FILE_POLICY, Headers, Token
from evo.live.monitor import Monitor
from evo.live.painter import Painter
from evo.live.selection import Selection

MOST_BYTES = 2**20
"""The largest board file or text that is read."""
_PICTURES, _PAGES = 24 * 2**20, 8 * 2**20
_PAUSE = 3.0
"""The seconds for the first pages after the start, before pictures are prepared unless one is asked for."""
_STATIC = {"live.css": "text/css", "live.js": "text/javascript"}
_CSV = "text/csv; charset=utf-8"


def make_app(folders: Sequence[Path], *, hosts: Sequence[str], token: str = "") -> Starlette:
    """Return the live page about some experiments.

    Args:
        folders: Experiments, folders of records, or folders that contain experiments.
        hosts: The names under which the page may be asked for; "*" for any.
        token: What a reader must know; "" for nothing.
    """
    site = _Site(folders)
    routes = [
        Route("/", site.list),
        Route("/events", site.events),
        Route("/side-by-side", site.side_by_side),
        Route("/experiments/{names}", site.experiment),
        Route("/experiments/{names}/{kind}.svg", site.picture),
        Route("/experiments/{names}/{file}", site.download),
        Route("/board", site.empty_board, methods=["GET"]),
        Route("/board", site.board, methods=["POST"]),
        *(Route(f"/{name}", _static(name, kind)) for name, kind in _STATIC.items()),
    ]
    middleware = [
        Middleware(Headers),
        Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False),
        Middleware(Token, token=token),
    ]
    handlers = {HTTPException: _refusal}
    return Starlette(routes=routes, middleware=middleware, exception_handlers=handlers, lifespan=site.lifespan)


class _Site:
    """The answers to requests."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.exhibits = Exhibits(folders)
        self.painter, self.pages = Painter(_PICTURES), Painter(_PAGES)

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Look at the experiments before the first request."""
        self.monitor = Monitor(self.exhibits)
        await self.monitor.look()
        preparing = asyncio.create_task(self._prepare())
        yield
        preparing.cancel()
        for part in (self.monitor, self.painter, self.pages):
            part.close()

    async def _prepare(self) -> None:
        """Make the first picture come sooner, but not at the cost of the first pages."""
        await asyncio.sleep(_PAUSE)
        await self.painter.work(prepare)

    async def list(self, request: Request) -> Response:
        """Answer with the list of all experiments."""
        await self.monitor.look()
        state = self.monitor.state
        return HTMLResponse(
            await self.pages.paint("list", state, lambda: pages.list_page(self.exhibits, state).encode())
        )

    async def events(self, request: Request) -> Response:
        """Answer with a stream of events."""
        return StreamingResponse(self.monitor.events(), media_type="text/event-stream")

    async def side_by_side(self, request: Request) -> Response:
        """Answer with the address of the page of the experiments that were ticked."""
        chosen = [name for name in request.query_params.getlist("id") if self.exhibits.get(name) is not None]
        return RedirectResponse(f"/experiments/{'-'.join(chosen)}" if chosen else "/", status_code=303)

    async def experiment(self, request: Request) -> Response:
        """Answer with the page of an experiment, or of several."""
        selection = await self._selection(request)

        def page() -> bytes:
            try:
                return pages.experiment_page(selection, request.query_params, self.painter).encode()
            except EvoError as error:
                return pages.damaged_page(selection, str(error)).encode()

        key = f"{selection.path}?{request.url.query}"
        return HTMLResponse(await self.pages.paint(key, selection.version, page))

    async def picture(self, request: Request) -> Response:
        """Answer with a picture; one that was drawn in the version that the address names does not change any more."""
        kind = request.path_params["kind"]
        if kind not in KINDS:
            raise HTTPException(404)
        selection = await self._selection(request)
        study = await self._study(selection)
        view = pages.view_of(study, request.query_params)
        key = f"{selection.path} {picture_key(kind, view)}"
        version = self.painter.version(key, selection.version, final=selection.final)
        svg = await self.painter.paint(key, version, lambda: draw_picture(study, kind, view))
        kept = "private, max-age=86400, immutable" if request.query_params.get("v") == version else "no-store"
        headers = {"content-security-policy": FILE_POLICY, "cache-control": kept}
        return Response(svg, media_type="image/svg+xml", headers=headers)

    async def download(self, request: Request) -> Response:
        """Answer with a file made of the data."""
        makers: dict[str, tuple[str, Callable[[Study], bytes]]] = {
            "results.csv": (_CSV, lambda study: study.runs.to_csv(index=False).encode()),
            "traces.csv": (_CSV, lambda study: study.trace.to_csv(index=False).encode()),
            "board.json": ("application/json", lambda study: encoded(study.best().board)),
            "report.html": ("text/html; charset=utf-8", draw_report),
        }
        name = request.path_params["file"]
        if name not in makers:
            raise HTTPException(404)
        selection = await self._selection(request)
        study = await self._study(selection)
        kind, make = makers[name]
        try:
            content = await self.painter.paint(f"{selection.path} {name}", selection.version, lambda: make(study))
        except EvoError as error:
            raise HTTPException(404, str(error)) from None
        return Response(content, media_type=kind, headers={"content-security-policy": FILE_POLICY})

    async def empty_board(self, request: Request) -> Response:
        """Answer with the page that verifies boards."""
        return HTMLResponse(pages.board_page())

    async def board(self, request: Request) -> Response:
        """Answer with the verification of the boards that were sent."""
        length = request.headers.get("content-length", "")
        if not length.isdigit() or int(length) > MOST_BYTES:
            raise HTTPException(413, f"a board file may have {MOST_BYTES // 2**20} MiB; this is larger")
        async with request.form(max_files=1, max_fields=2, max_part_size=MOST_BYTES) as form:
            file, text = form.get("file"), form.get("link")
            sent = await file.read() if isinstance(file, UploadFile) and file.size else b""
            pasted = text if isinstance(text, str) else ""

        def page() -> bytes:
            try:
                return pages.board_page(pasted, pages.read_boards(sent or pasted.strip().encode())).encode()
            except EvoError as error:
                return pages.board_page(pasted, error=str(error)).encode()

        return HTMLResponse(await self.pages.work(page))

    async def _selection(self, request: Request) -> Selection:
        await self.monitor.look()
        selection = Selection.named(self.exhibits, request.path_params["names"])
        if selection is None:
            raise HTTPException(404, "there is no such experiment; it may have been removed")
        return selection

    async def _study(self, selection: Selection) -> Study:
        try:
            return await self.pages.work(selection.study)
        except EvoError as error:
            raise HTTPException(404, str(error)) from None


def _static(name: str, kind: str) -> Callable[[Request], Response]:
    content = (Path(__file__).parent / name).read_bytes()

    def answer(request: Request) -> Response:
        return Response(content, media_type=kind)

    return answer


def _refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    text = f"{error.detail[:1].upper()}{error.detail[1:]}."
    return HTMLResponse(
        pages.message_page("Not found" if error.status_code == 404 else "Refused", text), error.status_code
    )
