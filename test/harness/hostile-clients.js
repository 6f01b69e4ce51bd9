/* Attacks the server at a port with hostile clients until they are done or SIGTERM arrives, then prints the number of attacks. */
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectSecurely } from "node:tls";

const [port, kind] = process.argv.slice(2);

/** A connection to the server, which may break at any time. */
const open = () => connectSecurely({ port, rejectUnauthorized: false }).on("error", () => {});

const request = (path, host = "localhost") => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const post = (path) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\nSec-Fetch-Site: same-origin\r\n` +
  "Content-Type: application/x-www-form-urlencoded\r\n\r\n";

/** The attacks. Each uses its own connection, and is repeated. */
const HOSTILE = {
  "pipelines too much": () => write(open(), request("/sign-in").repeat(40)),
  "sends headers slowly": () => drip(write(open(), "GET / HTTP/1.1\r\nX: ")),
  "sends a form slowly": () => drip(write(open(), post("/sign-in"))),
  "sends a hook slowly": () => drip(write(open(), post("/hooks/none"))),
  "never reads": () => write(open(), request("/docs/rules").repeat(16)).once("data", pause),
  leaves: () => write(open(), request("/docs/rules")).once("data", leave),
  "half a handshake": () => connect(port, "127.0.0.1").on("error", () => {}),
  "no handshake": () => connect(port, "127.0.0.1", tear).on("error", () => {}),
  "huge headers": () => write(open(), `GET / HTTP/1.1\r\nX: ${"x".repeat(100_000)}\r\n\r\n`),
  "many hosts": (count) => write(open(), request("/docs/rules", `h${count}.localhost`)),
  "foreign hosts": (count) => write(open(), request("/docs/rules", `h${count}.example`)),
};

function write(socket, bytes) {
  socket.once("secureConnect", () => socket.write(bytes));
  return socket.resume();
}

function drip(socket) {
  const dripping = setInterval(() => socket.write("x"), 500);
  return socket.once("close", () => clearInterval(dripping));
}

function pause() {
  this.pause();
}

function tear() {
  this.resetAndDestroy();
}

function leave() {
  this.destroy();
}

/** Sends 1,400 requests on each of sixty connections, until each is closed. */
async function flood() {
  const sockets = Array.from({ length: 60 }, () => open().resume());
  await Promise.all(sockets.map((socket) => once(socket, "secureConnect")));
  const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
  for (const socket of sockets) socket.write(request("/docs/rules").repeat(1400));
  await Promise.all(closed);
  return sockets.length;
}

/** Keeps 1,300 idle connections from one address open until SIGTERM. */
async function hold() {
  const sockets = new Set();
  let begun = 0;
  let isOver = false;
  const begin = () => {
    if (isOver) return;
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    begun++;
    sockets.add(socket);
    socket.once("close", () => {
      sockets.delete(socket);
      setTimeout(begin, 1000);
    });
  };
  for (let count = 0; count < 1300; count++) begin();
  await once(process, "SIGTERM");
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return begun;
}

/** Starts one more client of each kind every 50 ms, until SIGTERM. */
async function mix() {
  const kinds = Object.values(HOSTILE);
  const sockets = new Set();
  let begun = 0;
  const beginning = setInterval(() => {
    const socket = kinds[begun % kinds.length](begun++);
    sockets.add(socket.once("close", () => sockets.delete(socket)));
    setTimeout(() => socket.destroy(), 20_000 * Math.random()).unref();
  }, 50);
  await once(process, "SIGTERM");
  clearInterval(beginning);
  for (const socket of sockets) socket.destroy();
  return begun;
}

const count = await { flood, mixed: mix, silent: hold }[kind]();
process.stdout.write(`${count}\n`);
