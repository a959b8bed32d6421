// SPDX-License-Identifier: MIT
// Does OpenTelemetry's own definition of the protocol know all that was sent? otlp.mjs PACKAGE FILE
//
// PACKAGE is the directory of @opentelemetry/otlp-transformer, which holds the messages generated
// from opentelemetry-proto. Each request of FILE (as otlp.py leaves it) becomes the binary message
// and comes back: a field that the protocol does not know, or of another type, does not.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const root = createRequire(import.meta.url)(process.argv[2] + "/build/src/generated/root.js");
const Request = root.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;

function thereAndBack(request) {
    const message = Request.fromObject(request);
    const problem = Request.verify(message);
    assert.equal(problem, null, problem);
    return Request.toObject(Request.decode(Request.encode(message).finish()), { longs: String });
}

const lines = readFileSync(process.argv[3], "utf8").trim().split("\n").map(JSON.parse);
let metrics = 0;
for (const { request } of lines) {
    assert.deepEqual(thereAndBack(request), request);
    metrics += request.resourceMetrics[0].scopeMetrics[0].metrics.length;
}
// It can fail: what the protocol does not know is lost on the way, a wrong type is one.
const wrong = structuredClone(lines[0].request);
wrong.resourceMetrics[0].scopeMetrics[0].metrics[0].nmae = "x";
assert.notDeepEqual(thereAndBack(wrong), wrong);
assert.ok(metrics > 0);
console.log(`${lines.length} requests with ${metrics} metrics are as the protocol has them`);
