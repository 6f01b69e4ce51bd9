import { createServer, get, IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { findVisitor } from "../../server/http/visitor.ts";
import { parseNetworks } from "../../server/engine/net/address.ts";
import { listen } from "../harness/site.ts";

const PROXIES = parseNetworks("10.0.0.0/8, 2001:db8:ffff::/48");

/** A request on a connection from that address, with these X-Forwarded-For lines. */
function requestFrom(address: string | undefined, ...lines: string[]): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: address });
  const request = new IncomingMessage(socket);
  if (lines.length > 0) request.headers["x-forwarded-for"] = lines.join(", ");
  return request;
}

describe("the sender of a request", () => {
  test.each([
    ["the connection, IPv4", "192.0.2.1", "192.0.2.1"],
    ["IPv4 that is written as IPv6", "::ffff:192.0.2.1", "192.0.2.1"],
    ["the /64 of IPv6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["the /64 of IPv6, in its one spelling", "2001:0DB8:0:0:ffff::1", "2001:db8::/64"],
    ["another /64", "2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["a link-local address without its interface", "fe80::1%eth0", "fe80::/64"],
    ["loopback", "::1", "::/64"],
    ["nobody, once the connection is gone", undefined, ""],
  ])("is %s", (_, address, visitor) => {
    expect(findVisitor(requestFrom(address), PROXIES)).toBe(visitor);
  });

  test.each([
    ["a stranger's header is not believed", "192.0.2.1", ["198.51.100.7"], "192.0.2.1"],
    ["nor without trusted proxies", "10.0.0.1", ["198.51.100.7"], "10.0.0.1", ""],
    ["a proxy names its client", "10.0.0.1", ["198.51.100.7"], "198.51.100.7"],
    ["a mapped proxy is that proxy", "::ffff:10.0.0.1", ["198.51.100.7"], "198.51.100.7"],
    ["an IPv6 proxy", "2001:db8:ffff::1", ["198.51.100.7"], "198.51.100.7"],
    [
      "what the client claimed is left of it",
      "10.0.0.1",
      ["1.1.1.1, 198.51.100.7"],
      "198.51.100.7",
    ],
    ["a client cannot claim to be a proxy", "10.0.0.1", ["1.1.1.1, 10.9.9.9, 8.8.8.8"], "8.8.8.8"],
    ["proxies behind each other", "10.0.0.1", ["1.1.1.1, 8.8.8.8, 10.0.0.3,10.0.0.2"], "8.8.8.8"],
    ["several lines are one list", "10.0.0.1", ["1.1.1.1", "8.8.8.8", "10.0.0.2"], "8.8.8.8"],
    ["proxies alone: the first of them", "10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"],
    ["no header", "10.0.0.1", [], "10.0.0.1"],
    ["an empty header", "10.0.0.1", [" , ,"], "10.0.0.1"],
    ["empty entries are none", "10.0.0.1", ["8.8.8.8, , 10.0.0.2,"], "8.8.8.8"],
    ["a port", "10.0.0.1", ["8.8.8.8:4711"], "8.8.8.8"],
    ["IPv6", "10.0.0.1", ["2001:db8:1:2:3:4:5:6"], "2001:db8:1:2::/64"],
    ["IPv6 in brackets", "10.0.0.1", ["[2001:db8:1:2::6]"], "2001:db8:1:2::/64"],
    ["IPv6 in brackets with a port", "10.0.0.1", ["[2001:db8:1:2::6]:443"], "2001:db8:1:2::/64"],
    ["mapped IPv4", "10.0.0.1", ["::ffff:8.8.8.8"], "8.8.8.8"],
    ["mapped IPv4 in hexadecimal", "10.0.0.1", ["::ffff:808:808"], "8.8.8.8"],
    ["a mapped proxy in the list", "10.0.0.1", ["8.8.8.8, ::ffff:a00:2"], "8.8.8.8"],
    ["garbage ends the walk", "10.0.0.1", ["8.8.8.8, unknown, 10.0.0.2"], "10.0.0.2"],
    ["garbage at once", "10.0.0.1", ["8.8.8.8, <script>"], "10.0.0.1"],
    ["a name", "10.0.0.1", ["client.example.com"], "10.0.0.1"],
    ["an octal-looking address", "10.0.0.1", ["010.8.8.8"], "10.0.0.1"],
    ["a decimal one", "10.0.0.1", ["134744072"], "10.0.0.1"],
    ["a port that is none", "10.0.0.1", ["8.8.8.8:port"], "10.0.0.1"],
    ["an open bracket", "10.0.0.1", ["[2001:db8::1"], "10.0.0.1"],
    ["IPv4 in brackets", "10.0.0.1", ["[8.8.8.8]"], "10.0.0.1"],
  ])("%s", (_, address, lines, visitor, trusted?: string) => {
    const proxies = trusted === undefined ? PROXIES : parseNetworks(trusted);
    expect(findVisitor(requestFrom(address, ...lines), proxies)).toBe(visitor);
  });

  test("is found in header lines read by Node", async () => {
    const server = createServer((request, response) => {
      response.end(findVisitor(request, parseNetworks("127.0.0.0/8")));
    });
    const port = await listen(server);
    const headers = { "x-forwarded-for": ["1.1.1.1", "8.8.8.8:80", "127.0.0.2"] };
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = get({ host: "127.0.0.1", port, headers }, (response) => {
        response.on("data", (body: Buffer) => resolve(String(body)));
      });
      sent.on("error", reject);
    });
    expect(answer).toBe("8.8.8.8");
    await new Promise((resolve) => server.close(resolve));
  });

  test("is found in the last 100 entries of a very long list, from its end", () => {
    const lines = ["8.8.8.8", ...Array<string>(5000).fill("10.0.0.2")];
    expect(findVisitor(requestFrom("10.0.0.1", ...lines), PROXIES)).toBe("10.0.0.2");
    const claimed = [...Array<string>(5000).fill("1.1.1.1"), "8.8.8.8", "10.0.0.2"];
    expect(findVisitor(requestFrom("10.0.0.1", ...claimed), PROXIES)).toBe("8.8.8.8");
  });
});
