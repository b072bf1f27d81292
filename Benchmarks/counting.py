"""A door before a server on loopback that passes everything on, and counts requests and bytes."""

import socket
import threading


class CountingDoor:
    """Listens during the `with` block. Signatures remain valid, because requests pass unchanged."""

    def __init__(self, port):
        self.server_port = port
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.lock = threading.Lock()
        self.requests = self.sent = self.received = 0

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def take(self):
        """Returns the counts since the last call: requests, bytes to the server, bytes from it."""
        with self.lock:
            counted = self.requests, self.sent, self.received
            self.requests = self.sent = self.received = 0
        return counted

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.server_port))
            for one in (client, server):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.pass_on, args=(client, server, Requests(self)), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(server, client, self.count_answer), daemon=True).start()

    def count_answer(self, data):
        with self.lock:
            self.received += len(data)

    def pass_on(self, source, sink, count):
        try:
            while data := source.recv(1 << 16):
                count(data)
                sink.sendall(data)
        except OSError:
            pass
        # The other direction ends with this one.
        for one in (source, sink):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Requests:
    """Follows one connection's requests by their heads and `Content-Length`; none of the tools sends chunks."""

    def __init__(self, door):
        self.door, self.head, self.body = door, b"", 0

    def __call__(self, data):
        with self.door.lock:
            self.door.sent += len(data)
        while data:
            if self.body:
                taken = min(self.body, len(data))
                self.body, data = self.body - taken, data[taken:]
                continue
            self.head, data = self.head + data, b""
            head, end, rest = self.head.partition(b"\r\n\r\n")
            if not end:
                return
            self.head, data = b"", rest
            lines = head.decode("latin-1").lower().split("\r\n")
            if any(line.startswith("transfer-encoding:") for line in lines):
                raise SystemExit("a tool sends chunks, which are not counted")
            lengths = [int(line.split(":")[1]) for line in lines if line.startswith("content-length:")]
            self.body = lengths[0] if lengths else 0
            with self.door.lock:
                self.door.requests += 1
