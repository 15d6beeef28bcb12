"""The socket server: accepts connections, and runs the tasks that push new rows (`feeds`), push
followed objects (`following`), and close sockets that may not stay open (`watch`)."""

import asyncio
import logging
import random
import time
from collections.abc import Coroutine
from http import HTTPStatus
from typing import Any

import msgspec
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from competition.core.auth.identity import Identity
from competition.core.errors import ApiError, InvalidToken, RateLimitExceeded
from competition.core.messages import Message
from competition.core.monitoring.logs import patient, request_id_var
from competition.core.push.feeds import Feed
from competition.core.push.notify import SESSIONS
from competition.core.push.sockets import ENDED, RESTART, TOO_MANY_MESSAGES, SocketSettings
from competition.core.runtime import Runtime, direct_database_url
from competition.core.web import failures
from competition.core.web.headers import NOTHING_RUNS, for_browsers
from competition.ws import frames, handshake
from competition.ws.feeds import Follower
from competition.ws.following import Followed, Followers, Unfollowed
from competition.ws.hub import MINUTE, Hub, Socket
from competition.ws.listener import Listener
from competition.ws.seats import Seats
from competition.ws.threads import Threads
from competition.ws.watch import Watch

log = patient(__name__)
# The library's logger. Its lines would contain the tickets in URLs, so nothing is logged.
_silent = logging.getLogger(f"{__name__}.library")
_silent.setLevel(logging.CRITICAL + 1)

# How long a handshake may take, in seconds. If all clients reconnect at the same time, the last
# clients have to wait for the handshakes of all other clients.
OPEN_TIMEOUT = 30
CLOSE_TIMEOUT = 5
BACKLOG = 4096
# How many messages of a client may wait while one is handled.
MAX_QUEUE = 4
# The limit of unsent data, in bytes; in effect there is none. With more unsent data than a limit, a
# ping would not be sent, its timeout would not begin, and a client that does not read would never
# be disconnected.
NO_WRITE_LIMIT = 2**40
# The size of the largest message that a client may send, in bytes, and the number of messages per
# minute. The pages send a few short messages when they open a socket.
LARGEST_MESSAGE = 4096
MESSAGES_PER_MINUTE = 60
# How many bytes a client may send in a minute in addition to the longest messages, for the headers
# of frames and for pongs. A client that sends more is disconnected: it may be sending pings, whose
# answers wait in memory until the client reads them.
OTHER_BYTES_PER_MINUTE = 65_536
BYTES_PER_MINUTE = MESSAGES_PER_MINUTE * LARGEST_MESSAGE + OTHER_BYTES_PER_MINUTE


class SocketServer:
    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._settings = settings = runtime.settings[SocketSettings]
        # Separate threads, so that reconnecting clients don't delay the feeds.
        self._for_clients = Threads(settings.threads, "clients")
        self._for_feeds = Threads(2, "feeds")
        self._hub = Hub(runtime.metrics)
        self._lease = settings.recheck * 3
        self._seats = Seats(
            runtime.redis, runtime.redis_pause, settings.sockets_per_user, self._lease
        )
        self._watch = Watch(runtime, self._for_feeds, self._hub, self._seats, settings.recheck)
        self.followers = {
            feed.name: Follower(runtime, self._for_feeds, self._hub, feed)
            for feed in runtime.catalogue[Feed].values()
        }
        self._followed = Followers(runtime, self._for_feeds)
        self._for_browsers = {
            **for_browsers(runtime.settings),
            "Content-Security-Policy": NOTHING_RUNS,
        }
        self._is_stopping = False
        # One task per open connection, which gives its seat back at the end.
        self._leaving: set[asyncio.Task[None]] = set()
        # Set when the server has begun to listen on the port.
        self.port = 0
        self._listener = Listener(
            direct_database_url(runtime.settings), self._catch_up, self._received
        )

    async def run(self, stopping: asyncio.Event) -> None:
        """Serve until `stopping` is set. Then close all sockets, and finish the running actions."""
        for follower in self.followers.values():
            await follower.start()
        server = await serve(
            self._serve,
            self._settings.host,
            self._settings.port,
            create_connection=Socket,
            process_request=self._open,
            process_response=self.finish_handshake,
            select_subprotocol=handshake.choose_protocol,
            compression=None,
            server_header=None,
            open_timeout=OPEN_TIMEOUT,
            close_timeout=CLOSE_TIMEOUT,
            ping_interval=self._settings.ping,
            ping_timeout=self._settings.ping,
            max_size=LARGEST_MESSAGE,
            max_queue=MAX_QUEUE,
            write_limit=NO_WRITE_LIMIT,
            logger=_silent,
            backlog=BACKLOG,
        )
        self.port = server.sockets[0].getsockname()[1]
        log.info("accepting sockets on %s, port %d", self._settings.host, self.port)
        runs: list[Coroutine[Any, Any, Any]] = [
            self._listener.run(),
            self._watch.run(),
            self._followed.run(),
        ]
        runs += [follower.run() for follower in self.followers.values()]
        tasks = [asyncio.create_task(each) for each in runs]
        tasks.append(asyncio.create_task(stopping.wait()))
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        await self.stop(server)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            # Raises the error of a task that should not have ended, which ends the process.
            task.result()

    async def stop(self, server: Server) -> None:
        """Close all sockets, and wait until the clients have closed their side."""
        log.info("stopping")
        self._is_stopping = True
        server.close(close_connections=False)
        for socket in self._hub:
            self._send_away(socket)
        try:
            async with asyncio.timeout(2 * CLOSE_TIMEOUT):
                await server.wait_closed()
                await asyncio.gather(*self._leaving)
        except TimeoutError:
            log.warning("some clients did not close their sockets in time")
            # Cancel the tasks of these clients, because the threads that are closed next would wait
            # for them. The seats of these clients expire.
            for leaving in self._leaving:
                leaving.cancel()
            await asyncio.gather(*self._leaving, return_exceptions=True)
        self._for_clients.close()
        self._for_feeds.close()

    def _send_away(self, socket: Socket) -> None:
        """Close a socket. The reason asks the client to reconnect after a random pause, so that not
        all clients return at the same time."""
        pause = random.uniform(0, self._settings.spread)
        self._hub.close([socket], RESTART, f"Restarting. Reconnect in {pause:.1f} seconds.")

    def _catch_up(self) -> None:
        """Check all sockets and read all feeds, because notifications may have been missed while
        the listener was not connected."""
        self._watch.wake_for_all()
        for follower in self.followers.values():
            follower.wake()

    def _received(self, topic: str, value: str, traceparent: str) -> None:
        if topic == SESSIONS:
            self._watch.wake(value)
        elif topic in self.followers:
            self.followers[topic].wake(traceparent)

    async def _open(self, socket: ServerConnection, request: Request) -> Response | None:
        """Decide on a handshake. Returns None to accept it, otherwise the HTTP response.

        A page in a browser can't read the response to a rejected handshake. So if the error has a
        close code (`handshake.close_code`), the handshake is accepted, and the socket is closed at
        once with this code. The process also answers requests for its health and its metrics here.
        """
        assert isinstance(socket, Socket)
        socket.bytes_per_minute = BYTES_PER_MINUTE
        socket.language = handshake.language(request)
        request_id = socket.id.hex
        request_id_var.set(request_id)
        if handshake.path_of(request) == handshake.HEALTH:
            return handshake.health(self._listener.is_listening, self._runtime.clock(), request_id)
        try:
            if handshake.path_of(request) == handshake.METRICS:
                return handshake.metrics(self._runtime, request, self._hub.gauges, request_id)
            # `remote_address` is None if the client has closed the connection.
            peer = (socket.remote_address or ("",))[0]
            socket.identity = await self._for_clients.run(self._admit, request, request_id, peer)
            # This task gives the seat back. `_serve` could not do so, because it is not called if
            # the handshake still fails.
            leaving = asyncio.create_task(self._leave(socket))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)
            if len(self._hub.of(socket.identity.user_id)) >= self._settings.sockets_per_user:
                raise self._too_many()
        except ApiError as error:
            log.info("refused: %d %s", error.status, error.code)
            code = handshake.close_code(error, request)
            if code is None:
                return handshake.refuse(self._runtime, error, request_id, socket.language)
            socket.refusal = (code, error.code)
        except Exception as error:
            refusal = failures.refusal(error)
            return handshake.refuse(self._runtime, refusal, request_id, socket.language)
        return None

    def finish_handshake(
        self, connection: ServerConnection, request: Request, response: Response
    ) -> None:
        """Add the security headers and `X-Request-Id` to every handshake response. If the library
        rejects a request, replace its response by an error of the API.

        The socket's log records contain the same request id."""
        response.headers.update(self._for_browsers)
        if "X-Request-Id" in response.headers:
            return
        response.headers["X-Request-Id"] = connection.id.hex
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            handshake.explain(self._runtime, response, handshake.language(request))

    def _admit(self, request: Request, request_id: str, peer: str) -> Identity:
        """Identify the user and take a seat. Raises the ApiErrors of `handshake.identify`, and
        RateLimitExceeded if the user has no seat left."""
        identity = handshake.identify(self._runtime, request, request_id, peer)
        now = self._runtime.clock().timestamp()
        if not self._seats.take(identity.user_id, request_id, now):
            raise self._too_many()
        return identity

    def _too_many(self) -> RateLimitExceeded:
        return RateLimitExceeded(
            Message(
                "You already have ${max} open sockets, which is the limit. Close one of"
                " them first.",
                max=self._settings.sockets_per_user,
            ),
            headers={"Retry-After": f"{self._lease:.0f}"},
        )

    async def _serve(self, connection: ServerConnection) -> None:
        assert isinstance(connection, Socket)
        socket = connection
        if socket.refusal is not None:
            await socket.close(*socket.refusal)
            return
        # Nothing has been awaited since the handshake, so the client misses no push.
        self._hub.add(socket)
        if self._is_stopping:
            self._send_away(socket)
        # The session may have ended during the handshake, before there was a socket to close.
        self._watch.wake(str(socket.identity.user_id))
        user_id = socket.identity.user_id
        log.info("opened by %s", user_id)
        minute, messages = time.monotonic(), 0
        try:
            async for message in socket:
                if time.monotonic() - minute >= MINUTE:
                    minute, messages = time.monotonic(), 0
                messages += 1
                if messages > MESSAGES_PER_MINUTE:
                    await socket.close(TOO_MANY_MESSAGES, "Too many messages.")
                    break
                await self._answer(socket, message)
        except ConnectionClosed as closed:
            # The library closes with this code if no pong came in time.
            if closed.sent is not None and closed.sent.code == CloseCode.INTERNAL_ERROR:
                log.info("socket %s answered no ping: dropped", socket.id.hex)
                self._runtime.metrics.dropped_sockets.inc()
        except Exception:
            # The library closes the socket with the code 1011, an internal error.
            log.exception("a socket failed")
            raise
        finally:
            self._hub.remove(socket)
            log.info("closed by %s: %s", user_id, socket.close_code)

    async def _leave(self, socket: Socket) -> None:
        """Wait until the connection is closed. Then free its seat: its place among the sockets that
        the user may have open (`Seats`)."""
        await socket.wait_closed()
        await self._for_clients.run(self._seats.leave, socket.identity.user_id, socket.id.hex)

    async def _answer(self, socket: Socket, message: str | bytes) -> None:
        try:
            answer = await self._for_clients.run(
                frames.handle,
                self._runtime,
                socket.session_id,
                socket.id.hex,
                message,
                socket.language,
            )
        except InvalidToken:
            await socket.close(ENDED, "The session has ended.")
            return
        error: str | None = None
        if isinstance(answer, Followed):
            reason = self._followed.add(socket, answer)
            if reason is not None:
                name = answer.following.name
                error = frames.failed(self._runtime, name, reason, socket.language)
        elif isinstance(answer, Unfollowed):
            self._followed.remove(socket, answer)
        else:
            error = answer
        if error is not None:
            broadcast([socket], msgspec.json.encode({"type": "error", "message": error}), text=True)
