"""The clients against a server that answers as the service would, or not at all."""

import asyncio
import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest.mock import patch

import httpx
from tallystick import AsyncTallystick, Tallystick, TallystickError


class Server:
    """Gives the answers in turn, the last one again and again. An answer that is None closes the connection."""

    def __init__(self, *answers):
        self.seen = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self):
                body = self.rfile.read(int(self.headers.get('content-length', 0)))
                server.seen.append((self.command, self.path, dict(self.headers.items()), body))
                answer = answers[min(len(server.seen), len(answers)) - 1]
                if answer is None:
                    self.close_connection = True
                    return
                status, content, headers = answer
                text = content if isinstance(content, str) else json.dumps(content)
                self.send_response(status)
                for name, value in {'content-length': str(len(text.encode())), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text.encode())

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()

    @property
    def address(self):
        return f'http://127.0.0.1:{self.http.server_address[1]}/behind/'


def answer(status, content=None, **headers):
    return status, content, {name.replace('_', '-'): value for name, value in headers.items()}


def refusal(type, status, **more):
    return {'error': {'type': type, 'message': 'No', 'code': status, **more}}


def call(server, use, **options):
    """Uses both clients in turn, and returns what each returned or raised."""

    async def use_async():
        # Loading the certificates of all authorities takes longer than a test.
        http_client = httpx.AsyncClient(verify=False)
        async with AsyncTallystick(server.address, 'tallystick_sk_1', http_client=http_client, **options) as client:
            return await use(client)

    def use_sync():
        http_client = httpx.Client(verify=False)
        with Tallystick(server.address, 'tallystick_sk_1', http_client=http_client, **options) as client:
            return use(client)

    results = []
    for each in (use_sync, lambda: asyncio.run(use_async())):
        try:
            results.append(each())
        except TallystickError as error:
            results.append(error)
    return results


class Requests(unittest.TestCase):
    def test_have_path_query_body_and_key(self):
        with Server(answer(200, {'id': 'é'})) as server:
            call(server, lambda client: client.update_key('a/b ?', {'name': 'é'}), headers={'x-team': 'a'})
            call(server, lambda client: client.delete_team('t', cascade=True))
            for method, path, headers, body in server.seen[:2]:
                self.assertEqual((method, path), ('PATCH', '/behind/v1/keys/a%2Fb%20%3F'))
                self.assertEqual(headers['authorization'], 'Bearer tallystick_sk_1')
                self.assertEqual(headers['x-team'], 'a')
                self.assertEqual(json.loads(body), {'name': 'é'})
            self.assertEqual(server.seen[2][:2], ('DELETE', '/behind/v1/team/teams/t?cascade=true'))

    def test_are_refused_for_an_empty_id(self):
        with Server(answer(200)) as server, self.assertRaisesRegex(TypeError, 'not empty'):
            call(server, lambda client: client.get_key(''))
        self.assertEqual(server.seen, [])

    def test_do_not_follow_a_redirect(self):
        with Server(answer(307, location='/elsewhere')) as server:
            for error in call(server, lambda client: client.get_caller()):
                self.assertEqual((error.type, error.status), ('unexpected_answer', 307))
            self.assertEqual(len(server.seen), 2)


@patch('time.sleep', lambda _: None)
class Errors(unittest.TestCase):
    def test_have_what_the_service_says(self):
        details = [{'path': 'name', 'message': 'is empty'}]
        body = refusal('invalid_request', 400, details=details, retry_after=3)
        with Server(answer(400, body, x_tallystick_request_id='req_1')) as server:
            for error in call(server, lambda client: client.create_key({'name': ''})):
                found = (error.type, str(error), error.status, error.request_id, error.retry_after, error.details)
                self.assertEqual(found, ('invalid_request', 'No', 400, 'req_1', 3, details))

    def test_of_something_else_say_so(self):
        for status, content in ((404, '<html>'), (500, {'error': 'x'}), (200, '<html>'), (400, [])):
            with self.subTest(status), Server(answer(status, content)) as server:
                for error in call(server, lambda client: client.get_caller()):
                    self.assertEqual((error.type, error.status), ('unexpected_answer', status))

    def test_without_an_answer(self):
        with Server(None) as server:
            for error in call(server, lambda client: client.update_key('key_1', {})):
                self.assertEqual((error.type, error.status), ('connection_failed', None))

    def test_of_a_stream(self):
        with Server(answer(403, refusal('forbidden', 403))) as server:
            for error in call(server, lambda client: client.export_record()):
                self.assertEqual(error.type, 'forbidden')

    def test_of_a_stream_that_breaks_off(self):
        with Server(answer(200, 'half', content_length='100')) as server:
            with Tallystick(server.address) as client, self.assertRaises(TallystickError) as raised:
                client.export_record().read()
            self.assertEqual(raised.exception.type, 'connection_failed')


async def no_pause(_):
    pass


@patch('time.sleep', lambda _: None)
@patch('asyncio.sleep', no_pause)
class Retries(unittest.TestCase):
    def count(self, use, *answers, **options):
        with Server(*answers) as server:
            call(server, use, **options)
            return len(server.seen) / 2, server.seen

    def test_repeat_what_cannot_take_effect_twice(self):
        for failure in (None, answer(502), answer(503), answer(504)):
            for use, count in (
                (lambda client: client.get_caller(), 3),
                (lambda client: client.set_pack_status('x', {'active': True}), 3),
                (lambda client: client.delete_route('x'), 3),
                (lambda client: client.create_key({'name': 'x'}), 3),
                (lambda client: client.update_key('x', {'name': 'x'}), 1),
                (lambda client: client.test_provider('x'), 1),
            ):
                with self.subTest(failure=failure, count=count):
                    self.assertEqual(self.count(use, failure)[0], count)

    def test_have_the_same_idempotency_key(self):
        _, seen = self.count(lambda client: client.create_key({'name': 'x'}), answer(503), max_retries=1)
        keys = [headers['idempotency-key'] for _, _, headers, _ in seen]
        self.assertEqual(keys[0], keys[1])
        self.assertNotEqual(keys[1], keys[2])
        _, seen = self.count(lambda client: client.create_key({'name': 'x'}, idempotency_key='mine'), answer(200, {}))
        self.assertEqual(seen[0][2]['idempotency-key'], 'mine')

    def test_are_as_many_as_the_options_say(self):
        for use, count in (
            (lambda client: client.with_options(max_retries=0).get_caller(), 1),
            (lambda client: client.with_options(max_retries=4).get_caller(), 5),
        ):
            self.assertEqual(self.count(use, answer(503))[0], count)

    def test_wait_as_long_as_a_rate_limit_says_but_not_forever(self):
        update = lambda client: client.update_key('x', {'name': 'x'})  # noqa: E731
        self.assertEqual(self.count(update, answer(429, refusal('rate_limited', 429), retry_after='60'))[0], 3)
        self.assertEqual(self.count(update, answer(429, refusal('rate_limited', 429), retry_after='61'))[0], 1)
        waited = []
        with patch('time.sleep', waited.append), Server(answer(429, '', retry_after='7'), answer(200, {})) as server:
            Tallystick(server.address).get_caller()
        self.assertEqual(waited, [7])

    def test_do_not_repeat_a_refusal(self):
        for status in (400, 401, 403, 404, 409, 500):
            self.assertEqual(self.count(lambda client: client.get_caller(), answer(status))[0], 1)


class Lists(unittest.TestCase):
    def test_are_read_page_by_page(self):
        pages = [answer(200, {'data': [1, 2], 'nextCursor': 'c&1'}), answer(200, {'data': [3], 'nextCursor': None})]
        with Server(*pages) as server:
            self.assertEqual(list(Tallystick(server.address).list_keys(q='x')), [1, 2, 3])
            self.assertEqual([path for _, path, _, _ in server.seen], ['/behind/v1/keys?q=x', '/behind/v1/keys?q=x&cursor=c%261'])
        with Server(*pages) as server:
            sizes = [len(page.data) for page in Tallystick(server.address).list_keys().pages()]
            self.assertEqual(sizes, [2, 1])
        with Server(*pages) as server:
            self.assertEqual(Tallystick(server.address).list_keys().first().next_cursor, 'c&1')

            async def read():
                async with AsyncTallystick(server.address) as client:
                    return [item async for item in client.list_keys()]

            self.assertEqual(asyncio.run(read()), [3])


class Events(unittest.TestCase):
    def test_are_read_without_comments(self):
        text = ': hi\n\nevent: call\nid:7\ndata: {"a":"é"}\n\n\ndata: 1\n\nevent: half\ndata: 2\n'
        expected = [{'event': 'call', 'id': '7', 'data': {'a': 'é'}}, {'data': 1}]
        with Server(answer(200, text)) as server:
            self.assertEqual(list(Tallystick(server.address).stream_events()), expected)


if __name__ == '__main__':
    unittest.main()
