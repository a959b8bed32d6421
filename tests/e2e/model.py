# SPDX-License-Identifier: MIT
"""A model's server on loopback for tests/e2e/assess.sh. Speaks Chat Completions and the Responses
API; the name of the model says how it behaves. Prints its port, and appends each request's body to
the file given as the first argument."""
import http.server
import json
import ssl
import sys
import threading

GO = threading.Event()


class Server(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):  # lets those go who wait
        GO.set()
        self.answer(200, b"")

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with open(sys.argv[1], "ab") as log:
            log.write(self.headers.get("Authorization", "no key").encode() + b" " + body + b"\n")
        name = json.loads(body)["model"]
        if name == "silent":
            GO.wait()
        if name == "broken":
            self.answer(200, b'{"choices"')
            return
        level = "high" if name in ("high", "silent") else "low"
        text = json.dumps({"description": "The model says so.", "risk_level": level,
                           "risk_categories": []})
        if self.path.endswith("/responses"):
            shape = {"output": [{"type": "message",
                                 "content": [{"type": "output_text", "text": text}]}]}
        else:
            shape = {"choices": [{"message": {"content": text}}]}
        self.answer(200, json.dumps(shape).encode())


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
