import { connect } from "node:net";

export interface RawAnswer {
  status: number;
  /** Header lines as received, with lower-case names, without those that always differ (Date, X-Request-Id). */
  headers: string[];
  requestId: string | undefined;
  body: string;
}

/**
 * Sends exactly these bytes to a server on loopback. Reads until the server closes the connection or is silent for `quietMs`. To end
 * earlier, send `Connection: close`.
 */
export async function sendRaw(serverUrl: string, bytes: string, quietMs = 300): Promise<RawAnswer> {
  return parseAnswer(await exchangeRaw(serverUrl, bytes, quietMs));
}

/** Returns the exact bytes that `sendRaw` parses. Rejects if the connection is reset. */
export function exchangeRaw(serverUrl: string, bytes: string, quietMs: number): Promise<string> {
  const { hostname, port } = new URL(serverUrl);
  const host = hostname.replaceAll(/[[\]]/g, "");
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), host, () => socket.write(bytes, "latin1"));
    let received = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      received += chunk;
      socket.setTimeout(quietMs);
    });
    socket.on("timeout", () => socket.end());
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return `${line.slice(0, colon).toLowerCase()}:${line.slice(colon + 1)}`;
  });
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: headers.filter((line) => !/^(?:date|x-request-id):/.test(line)),
    requestId: headers.find((line) => line.startsWith("x-request-id:"))?.split(": ")[1],
    body: text.slice(end + 4),
  };
}
