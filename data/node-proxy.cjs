// SPDX-License-Identifier: MIT
// For versions of Node.js whose fetch() knows no proxy: it goes out through the one of http_proxy
// all the same. Loaded by --require into what runs in the sandbox; later versions have it built in
// (NODE_USE_ENV_PROXY) and are left alone.
"use strict";
const [major, minor] = process.versions.node.split(".").map(Number);
const builtIn = major >= 24 || (major === 22 && minor >= 21);
const plain = globalThis.fetch;

// What undici, which fetch() is made of, calls for each connection.
function connect({ hostname, port, protocol, servername }, callback) {
  const proxy = new URL(process.env.http_proxy);
  const number = Number(port) || (protocol === "https:" ? 443 : 80);
  const secure = (socket) => {
    if (protocol !== "https:") return callback(null, socket);
    const tls = require("node:tls").connect({
      socket,
      host: hostname,
      servername: servername || undefined,
      ALPNProtocols: ["http/1.1"],
    });
    tls.once("secureConnect", () => callback(null, tls)).once("error", callback);
  };
  if (["localhost", "127.0.0.1", "::1", "[::1]"].includes(hostname)) {
    const host = hostname.replace(/[[\]]/g, "");
    const socket = require("node:net").connect(number, host);
    socket.once("connect", () => secure(socket)).once("error", callback);
    return;
  }
  const path = `${hostname}:${number}`;
  require("node:http")
    .request({ host: proxy.hostname, port: proxy.port, method: "CONNECT", path, headers: { host: path } })
    .once("connect", ({ statusCode }, socket, body) => {
      if (statusCode === 200) return secure(socket);
      const told = [];
      socket.on("data", (piece) => told.push(piece));
      socket.once("error", () => socket.destroy());
      socket.once("close", () =>
        callback(new Error(`${statusCode} ${Buffer.concat([body, ...told]).toString().trim()}`)));
    })
    .once("error", callback)
    .end();
}

function useProxy() {
  const symbol = Symbol.for("undici.globalDispatcher.1");
  void globalThis.Response; // loads undici, which sets its dispatcher
  const Agent = globalThis[symbol]?.constructor;
  if (Agent !== undefined) globalThis[symbol] = new Agent({ connect });
}

if (!builtIn && plain !== undefined && process.env.http_proxy) {
  globalThis.fetch = function fetch(...rest) {
    globalThis.fetch = plain;
    useProxy();
    return plain.apply(this, rest);
  };
}
