"""Lists: by number of page, by offset, or by cursor."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar

Item = TypeVar("Item")
Page = TypeVar("Page")
Query = Dict[str, Any]


def _items_of(page: Any) -> List[Any]:
    """Returns the records of a page: the page itself when it is a list, or else its first field that is a list."""
    if isinstance(page, list):
        return page
    for name in _fields(page):
        value = getattr(page, name)
        if isinstance(value, list):
            return value
    return []


def _fields(page: Any) -> Mapping[str, Any]:
    kind = type(page)
    fields: Mapping[str, Any] = getattr(kind, "model_fields", None) or getattr(kind, "__fields__", {})
    return fields


def _next(paging: str, query: Query, page: Any, count: int) -> Optional[Query]:
    if paging == "cursor":
        cursor = getattr(page, "next_cursor", None)
        return {**query, "cursor": cursor} if cursor else None
    total = getattr(page, "total", None)
    if paging == "offset":
        read = (getattr(page, "offset", None) or 0) + count
    else:
        size = getattr(page, "per_page", None)
        read = 0 if size is None else (getattr(page, "page", None) or 1) * size
    # Lists of the prompt API have no total, so they are read until a page is empty.
    if count == 0 or (total is not None and read >= total):
        return None
    if paging == "page":
        return {**query, "page": int(query.get("page") or 1) + 1}
    return {**query, "offset": int(query.get("offset") or 0) + count}


class Pages(Generic[Item, Page]):
    """A list: ``for`` reads all of its records, page by page. ``page()`` reads one page as the service sends it."""

    def __init__(self, load: Callable[[Query], Any], paging: str, query: Query) -> None:
        self._load = load
        self._paging = paging
        self._query = query

    def page(self) -> Page:
        """Reads the first page, or the page that the query names."""
        page: Page = self._load(self._query)
        return page

    def all(self, most: int = 10_000) -> List[Item]:
        """Reads the records of all pages, at most ``most`` records."""
        items: List[Item] = []
        for item in self:
            if len(items) >= most:
                break
            items.append(item)
        return items

    def __iter__(self) -> Iterator[Item]:
        query: Optional[Query] = self._query
        while query is not None:
            page = self._load(query)
            items = _items_of(page)
            yield from items
            query = _next(self._paging, query, page, len(items))


class AsyncPages(Generic[Item, Page]):
    """A list: ``async for`` reads all of its records, page by page. ``page()`` reads one page as the service sends it."""

    def __init__(self, load: Callable[[Query], Awaitable[Any]], paging: str, query: Query) -> None:
        self._load = load
        self._paging = paging
        self._query = query

    async def page(self) -> Page:
        """Reads the first page, or the page that the query names."""
        page: Page = await self._load(self._query)
        return page

    async def all(self, most: int = 10_000) -> List[Item]:
        """Reads the records of all pages, at most ``most`` records."""
        items: List[Item] = []
        async for item in self:
            if len(items) >= most:
                break
            items.append(item)
        return items

    async def __aiter__(self) -> AsyncIterator[Item]:
        query: Optional[Query] = self._query
        while query is not None:
            page = await self._load(query)
            items = _items_of(page)
            for item in items:
                yield item
            query = _next(self._paging, query, page, len(items))
