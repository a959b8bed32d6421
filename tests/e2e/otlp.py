# SPDX-License-Identifier: MIT
"""A collector of OpenTelemetry metrics for tests: otlp.py FILE

Listens on a port of loopback, which it prints, and takes POST /v1/metrics. What it gets is held
against the messages of opentelemetry-proto (collector/metrics/v1, metrics/v1, common/v1) in their
JSON form: fields by lowerCamelCase name, 64-bit integers as strings, enums as numbers, nothing
that the protocol does not know. A line is appended to FILE for each request: its headers and body,
or "error" and why.
"""
import json
import re
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

UINT64 = ("uint64",)
DOUBLE = ("double",)
STRING = ("string",)
BOOL = ("bool",)
INT32 = ("int32",)

KEY_VALUE = {"key": STRING, "value": {"stringValue": STRING, "boolValue": BOOL, "intValue": UINT64,
                                      "doubleValue": DOUBLE}}
ATTRIBUTES = [KEY_VALUE]
NUMBER_POINT = {"attributes": ATTRIBUTES, "startTimeUnixNano": UINT64, "timeUnixNano": UINT64,
                "asDouble": DOUBLE, "asInt": UINT64, "exemplars": [{}], "flags": INT32}
HISTOGRAM_POINT = {"attributes": ATTRIBUTES, "startTimeUnixNano": UINT64, "timeUnixNano": UINT64,
                   "count": UINT64, "sum": DOUBLE, "bucketCounts": [UINT64],
                   "explicitBounds": [DOUBLE], "exemplars": [{}], "flags": INT32, "min": DOUBLE,
                   "max": DOUBLE}
METRIC = {"name": STRING, "description": STRING, "unit": STRING, "metadata": ATTRIBUTES,
          "gauge": {"dataPoints": [NUMBER_POINT]},
          "sum": {"dataPoints": [NUMBER_POINT], "aggregationTemporality": INT32,
                  "isMonotonic": BOOL},
          "histogram": {"dataPoints": [HISTOGRAM_POINT], "aggregationTemporality": INT32}}
REQUEST = {"resourceMetrics": [{
    "resource": {"attributes": ATTRIBUTES, "droppedAttributesCount": INT32},
    "scopeMetrics": [{"scope": {"name": STRING, "version": STRING, "attributes": ATTRIBUTES,
                                "droppedAttributesCount": INT32},
                      "metrics": [METRIC], "schemaUrl": STRING}],
    "schemaUrl": STRING}]}


def check_scalar(value, kind, where):
    good = {"uint64": lambda: isinstance(value, str) and re.fullmatch(r"\d{1,20}", value)
            and int(value) < 1 << 64,
            "double": lambda: isinstance(value, float),
            "string": lambda: isinstance(value, str),
            "bool": lambda: isinstance(value, bool),
            "int32": lambda: type(value) is int}[kind]()
    assert good, f"{where}: {value!r} is no {kind}"


def check(value, schema, where):
    if isinstance(schema, tuple):
        check_scalar(value, schema[0], where)
    elif isinstance(schema, list):
        assert isinstance(value, list), f"{where}: no list"
        for index, item in enumerate(value):
            check(item, schema[0], f"{where}[{index}]")
    else:
        assert isinstance(value, dict), f"{where}: no message"
        for key, item in value.items():
            assert key in schema, f"{where}: the protocol has no field {key}"
            check(item, schema[key], f"{where}.{key}")


def check_meaning(request):
    """What the schema cannot say: rules of the data model."""
    for resource in request["resourceMetrics"]:
        for scope in resource["scopeMetrics"]:
            names = [metric["name"] for metric in scope["metrics"]]
            assert len(set(names)) == len(names), "a metric comes twice"
            for metric in scope["metrics"]:
                assert len({"gauge", "sum", "histogram"} & set(metric)) == 1, metric["name"]
                data = metric.get("sum") or metric.get("histogram")
                assert data["aggregationTemporality"] in (1, 2), metric["name"]
                sets = [json.dumps(point["attributes"], sort_keys=True) for point in data["dataPoints"]]
                assert len(set(sets)) == len(sets), "a set of attributes comes twice"
                for point in data["dataPoints"]:
                    assert int(point["startTimeUnixNano"]) <= int(point["timeUnixNano"])
                    if "histogram" in metric:
                        assert len(point["bucketCounts"]) == len(point["explicitBounds"]) + 1
                        assert sum(map(int, point["bucketCounts"])) == int(point["count"])
                        assert point["explicitBounds"] == sorted(set(point["explicitBounds"]))


class Collector(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        line = {"headers": dict(self.headers)}
        status = 200
        try:
            assert self.path == "/v1/metrics", self.path
            assert self.headers["Content-Type"] == "application/json", self.headers["Content-Type"]
            request = json.loads(body)
            check(request, REQUEST, "request")
            check_meaning(request)
            line["request"] = request
        except (AssertionError, KeyError, ValueError) as error:
            line["error"] = repr(error)
            status = 400
        with open(sys.argv[1], "a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):
        pass


def main():
    server = HTTPServer(("127.0.0.1", 0), Collector)
    print(server.server_port, flush=True)
    server.serve_forever()


main()
