# SPDX-License-Identifier: MIT
"""A company's proxy for tests: network-proxy.py ADDRESS PORT-FILE NAME:PASSWORD TARGET.

Takes CONNECT and plain requests with that name and password, and brings each to TARGET
(HOST:PORT), whatever host it names: the names are ones that only it knows. Appends a line for each
request to PORT-FILE.log.
"""
import base64
import os
import select
import socket
import socketserver
import sys


class Handler(socketserver.StreamRequestHandler):
    def log(self, text):
        with open(sys.argv[2] + ".log", "a", encoding="utf-8") as log:
            log.write(text + "\n")

    def handle(self):
        first = self.rfile.readline().decode("latin-1").strip()
        headers = {}
        while (line := self.rfile.readline().strip()) != b"":
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        wanted = "Basic " + base64.b64encode(sys.argv[3].encode()).decode()
        if headers.get("proxy-authorization") != wanted:
            self.log("refused " + first)
            self.wfile.write(b"HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n")
            return
        self.log(first)
        host, _, port = sys.argv[4].partition(":")
        with socket.create_connection((host, int(port)), 10) as server:
            if first.startswith("CONNECT "):
                self.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
            else:
                method, url, version = first.split()
                path = "/" + url.split("/", 3)[3]
                server.sendall(f"{method} {path} {version}\r\nHost: x\r\nConnection: close\r\n\r\n"
                               .encode())
            self.shovel(server)

    def shovel(self, server):
        pair = [self.connection, server]
        while True:
            ready, _, _ = select.select(pair, [], [], 30)
            if not ready:
                return
            for sock in ready:
                data = sock.recv(65536)
                if not data:
                    return
                pair[1 - pair.index(sock)].sendall(data)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


def main():
    server = Server((sys.argv[1], 0), Handler)
    with open(sys.argv[2] + ".new", "w", encoding="utf-8") as out:
        out.write(str(server.server_address[1]))
    os.rename(sys.argv[2] + ".new", sys.argv[2])
    server.serve_forever()


main()
