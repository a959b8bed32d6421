# SPDX-License-Identifier: MIT
"""A web server for tests: network-server.py DIRECTORY ADDRESS PORT-FILE [CERTIFICATE KEY].

Serves the directory's files on a free port, which it writes to PORT-FILE, and appends a line for
each request to PORT-FILE.log. With a certificate it speaks TLS.
"""
import functools
import http.server
import os
import ssl
import sys


class Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, form, *words):
        with open(sys.argv[3] + ".log", "a", encoding="utf-8") as log:
            log.write(f"{self.headers.get('Host')} {form % words}\n")

    def do_GET(self):
        if self.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", "http://127.0.0.3:9/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            super().do_GET()


def main():
    directory, address, port_file = sys.argv[1:4]
    server = http.server.ThreadingHTTPServer(
        (address, 0), functools.partial(Handler, directory=directory)
    )
    if len(sys.argv) > 4:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[4], sys.argv[5])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    with open(port_file + ".new", "w", encoding="utf-8") as out:
        out.write(str(server.server_address[1]))
    os.rename(port_file + ".new", port_file)
    server.serve_forever()


main()
