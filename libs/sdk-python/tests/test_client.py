"""The client against a server that answers as the test chooses."""

from __future__ import annotations

import asyncio
import json
import threading
import typing
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, List, Optional

import millwright
from millwright import (
    ApiError,
    AsyncMillwright,
    AuthenticationError,
    ConnectionError,
    Millwright,
    MillwrightError,
    PermissionError,
    RateLimitError,
    RequestOptions,
    StreamInterruptedError,
    UnexpectedAnswerError,
    ValidationError,
)
from millwright.generated import async_resources, resources

Answer = Callable[[BaseHTTPRequestHandler], None]

SKILL = {
    **{"id": "sk_1", "name": "a", "description": "b", "instructions": "c", "status": "active", "version": 1},
    **{"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "parameters": {}},
}


class Handler(BaseHTTPRequestHandler):
    answers: List[Answer] = []
    received: List[Dict[str, Any]] = []

    def answer(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(length)
        Handler.received.append({"method": self.command, "path": self.path, "headers": headers, "body": body})
        answer = Handler.answers.pop(0) if len(Handler.answers) > 1 else Handler.answers[0]
        answer(self)

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = answer

    def log_message(self, *_: Any) -> None:
        pass


def answer_json(status: int, body: Any, headers: Optional[Dict[str, str]] = None) -> Answer:
    data = json.dumps(body).encode()

    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response_only(status)
        own = {"Content-Type": "application/json", "X-Request-Id": "req-7", "Content-Length": str(len(data))}
        for name, value in {**own, **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    return send


def cut(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


def answer_stream(text: str, broken: bool = False) -> Answer:
    def send(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response_only(200)
        handler.send_header("Content-Type", "text/event-stream")
        # A Content-Length above the text's length makes the end a broken connection.
        handler.send_header("Content-Length", str(len(text) + (10 if broken else 0)))
        handler.end_headers()
        handler.wfile.write(text.encode())
        handler.close_connection = True

    return send


class WithServer(unittest.TestCase):
    server: ThreadingHTTPServer
    base_url: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        cls.server.daemon_threads = True
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.base_url = f"http://127.0.0.1:{cls.server.server_address[1]}"

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self) -> None:
        Handler.answers, Handler.received = [], []
        self.client = self.make()
        self.addCleanup(self.client.close)

    def make(self, **options: Any) -> Millwright:
        return Millwright(**{"api_key": "mw_live_test", "base_url": self.base_url, **options})

    def in_async(self, work: Callable[[AsyncMillwright], Any]) -> Any:
        async def run() -> Any:
            async with AsyncMillwright(api_key="mw_live_test", base_url=self.base_url) as client:
                return await work(client)

        return asyncio.run(run())


class Options(WithServer):
    def test_names_what_is_missing_or_not_valid(self) -> None:
        for options, text in [
            ({"api_key": ""}, "api_key is missing"),
            ({"base_url": ""}, "base_url is missing"),
            ({"base_url": "agents.example.com"}, "base_url is not an address: agents.example.com"),
            ({"runtime_url": "ftp://agents.example.com"}, "runtime_url is not an address"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(MillwrightError, text):
                self.make(**options)

    def test_an_id_that_leads_to_another_path_is_not_sent(self) -> None:
        with self.assertRaisesRegex(MillwrightError, 'skill_id is not an id: ".."'):
            self.client.skills.get("..")
        self.assertEqual(Handler.received, [])

    def test_every_type_of_the_generated_methods_exists(self) -> None:
        from millwright import _send

        for module in (resources, async_resources):
            names = {**vars(_send), **vars(module)}
            for name, kind in list(vars(module).items()):
                if not name.endswith("Resource"):
                    continue
                for method in vars(kind).values():
                    if callable(method):
                        typing.get_type_hints(method, names)


class Errors(WithServer):
    def test_are_typed_in_each_form_with_code_field_and_request_id(self) -> None:
        ours = {"code": "VALIDATION_ERROR", "message": "No.", "details": {"field": "content", "reason": "is required"}}
        openai = {"code": "validation_error", "message": "No.", "status": 400, "type": "x", "param": "model"}
        for status, kind, body, code, field in [
            (401, AuthenticationError, {"error": {"code": "unauthorized", "message": "No."}}, "unauthorized", None),
            (403, PermissionError, {"error": {"code": "forbidden", "message": "No."}}, "forbidden", None),
            (400, ValidationError, {"error": ours}, "validation_error", "content"),
            (400, ValidationError, {"error": openai, "message": "No."}, "validation_error", "model"),
        ]:
            Handler.answers = [answer_json(status, body)]
            with self.subTest(status), self.assertRaises(kind) as raised:
                self.client.skills.get("sk_1")
            error = raised.exception
            assert isinstance(error, ApiError)
            self.assertEqual((error.code, error.field, error.request_id, str(error)), (code, field, "req-7", "No."))

    def test_have_the_address_of_their_page_in_the_documentation(self) -> None:
        page = "https://example.com/docs/errors/conflict"
        links = f'</openapi.json>; rel="service-desc", <{page}>; rel="help"'
        for headers, doc_url in [({"Link": links}, page), ({}, None)]:
            Handler.answers = [answer_json(409, {"error": {"code": "conflict", "message": "No."}}, headers)]
            with self.subTest(doc_url), self.assertRaises(ApiError) as raised:
                self.client.skills.get("sk_1")
            self.assertEqual(raised.exception.doc_url, doc_url)

    def test_name_the_option_when_a_web_page_answers(self) -> None:
        def page(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response_only(200)
            handler.send_header("Content-Type", "text/html")
            handler.send_header("Content-Length", "6")
            handler.end_headers()
            handler.wfile.write(b"<html>")

        Handler.answers = [page]
        with self.assertRaisesRegex(UnexpectedAnswerError, "runtime_url has to be the address"):
            self.client.runs.get("run_1")

    def test_name_the_service_and_address_that_cannot_be_reached(self) -> None:
        with self.assertRaisesRegex(ConnectionError, "The platform API at http://127.0.0.1:1 cannot be reached"):
            self.make(base_url="http://127.0.0.1:1", max_retries=0).skills.get("sk_1")


class Repeats(WithServer):
    def test_carry_the_same_key_so_that_a_post_has_its_effect_once(self) -> None:
        def create(client: AsyncMillwright) -> Any:
            return client.skills.create(name="a", description="b", instructions="c")

        for made in (
            lambda: self.client.skills.create(name="a", description="b", instructions="c"),
            lambda: self.in_async(create),
        ):
            Handler.answers, Handler.received = [cut, answer_json(201, SKILL)], []
            self.assertEqual(made().id, "sk_1")
            keys = [one["headers"]["idempotency-key"] for one in Handler.received]
            self.assertEqual(len(keys), 2)
            self.assertRegex(keys[0], "^[0-9a-f-]{36}$")
            self.assertEqual(keys[0], keys[1])

    def test_are_not_made_when_the_first_may_have_had_its_effect(self) -> None:
        Handler.answers = [cut]
        with self.assertRaises(ConnectionError):
            self.client.skills.update("sk_1", name="b")
        self.assertEqual(len(Handler.received), 1)

    def test_are_made_after_retry_after_as_the_refused_one_was_not_read(self) -> None:
        Handler.answers = [answer_json(429, {}, {"Retry-After": "0"}), answer_json(200, SKILL)]
        self.assertEqual(self.client.skills.update("sk_1", name="b").id, "sk_1")
        self.assertEqual(json.loads(Handler.received[1]["body"]), {"name": "b"})

    def test_are_left_to_the_caller_when_retry_after_is_long_by_the_clock_of_the_service(self) -> None:
        headers = {"Date": "Mon, 02 Mar 2020 09:00:00 GMT", "Retry-After": "Mon, 02 Mar 2020 09:05:00 GMT"}
        Handler.answers = [answer_json(429, {"error": {"code": "rate_limited", "message": "Later."}}, headers)]
        with self.assertRaises(RateLimitError) as raised:
            self.client.skills.get("sk_1")
        self.assertEqual(raised.exception.retry_after, 300)
        self.assertEqual(len(Handler.received), 1)

    def test_send_null_and_options_as_given(self) -> None:
        Handler.answers = [answer_json(200, SKILL)]
        options = RequestOptions(if_match='"3"', headers={"X-Own": "1"})
        self.client.skills.update("sk_1", name="b", options=options)
        self.assertEqual(Handler.received[0]["headers"]["if-match"], '"3"')
        self.assertEqual(Handler.received[0]["headers"]["x-own"], "1")


class Lists(WithServer):
    def page(self, ids: List[str], **facts: Any) -> Answer:
        return answer_json(200, {"items": [{**SKILL, "id": one} for one in ids], **facts})

    def test_are_read_page_by_page(self) -> None:
        async def read(client: AsyncMillwright) -> List[str]:
            return [skill.id async for skill in client.skills.list(per_page=2, search="mill")]

        for ids in (
            lambda: [skill.id for skill in self.client.skills.list(per_page=2, search="mill")],
            lambda: self.in_async(read),
        ):
            Handler.received = []
            Handler.answers = [
                self.page(["a", "b"], total=3, page=1, per_page=2),
                self.page(["c"], total=3, page=2, per_page=2),
            ]
            self.assertEqual(ids(), ["a", "b", "c"])
            self.assertEqual(
                [one["path"] for one in Handler.received],
                ["/api/v1/skills?per_page=2&search=mill", "/api/v1/skills?per_page=2&search=mill&page=2"],
            )

    def test_are_collected_up_to_a_limit(self) -> None:
        Handler.answers = [self.page(["a", "b"], total=100, page=1, per_page=2)]
        self.assertEqual(len(self.client.skills.list().all(3)), 3)


class Streams(WithServer):
    @staticmethod
    def delta(number: int) -> str:
        return f'id: {number}\nevent: message.delta\ndata: {{"delta":"{number}","step":1}}\n\n'

    def test_that_a_proxy_cuts_are_resumed_after_the_last_event_without_doubles(self) -> None:
        async def follow(client: AsyncMillwright) -> List[Any]:
            return [event async for event in client.runs.follow("run_1")]

        end = 'id: 9\nevent: run.canceled\ndata: {"reason":"user"}\n\n'
        for events in (lambda: list(self.client.runs.follow("run_1")), lambda: self.in_async(follow)):
            Handler.received = []
            Handler.answers = [
                answer_stream(f": hello\n\n{self.delta(1)}{self.delta(2)}id: 3\nevent: mess", broken=True),
                answer_stream(self.delta(3)),
                answer_stream(end),
            ]
            found = events()
            self.assertEqual([event.id for event in found], ["1", "2", "3", "9"])
            self.assertEqual(found[0].data.delta, "1")
            sent = [one["headers"].get("last-event-id") for one in Handler.received]
            self.assertEqual(sent, [None, "2", "3"])

    def test_that_cannot_be_resumed_end_with_a_typed_error(self) -> None:
        Handler.answers = [answer_stream('event: message.delta\ndata: {"delta":"Hel","step":1}\n\n', broken=True)]
        with self.assertRaises(StreamInterruptedError):
            for event in self.client.agents.send_message_stream("guide", content="Hello"):
                self.assertEqual(event.event, "message.delta")
        self.assertEqual(len(Handler.received), 1)

    def test_raise_the_error_that_the_service_sends_in_them(self) -> None:
        Handler.answers = [answer_stream('event: error\ndata: {"error":{"code":"MODEL_ERROR","message":"It fails."}}\n\n')]
        with self.assertRaises(ApiError) as raised:
            list(self.client.agents.send_message_stream("guide", content="Hello"))
        self.assertEqual((raised.exception.code, str(raised.exception)), ("model_error", "It fails."))


class Uploads(WithServer):
    def test_are_forms_whose_file_stands_last(self) -> None:
        Handler.answers = [answer_json(400, {"error": {"code": "VALIDATION_ERROR", "message": "No."}})]
        with self.assertRaises(ValidationError):
            self.client.files.upload(b"grain", path="notes/a.txt")
        [sent] = Handler.received
        self.assertRegex(sent["headers"]["content-type"], "^multipart/form-data; boundary=")
        self.assertLess(sent["body"].index(b'name="path"'), sent["body"].index(b'name="file"'))


class Names(unittest.TestCase):
    def test_that_the_package_exports_exist(self) -> None:
        for name in millwright.__all__:
            self.assertTrue(hasattr(millwright, name), name)


if __name__ == "__main__":
    unittest.main()
