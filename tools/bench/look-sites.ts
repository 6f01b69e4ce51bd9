/*
 * Many small sites at one port, `look-sites.ts AUTHORITY_FILE COUNT`: `https://site-N.localhost`, each with a certificate
 * of its own. Its authority's certificate goes to the file. They spend as little as they can on an answer.
 */
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createSecureContext, createServer, type SecureContext } from "node:tls";
import { createAuthority } from "../../test/harness/certificates.ts";
import { answerOf } from "../../test/hostile/writing.ts";

const [, , authorityFile = "", count = "150"] = process.argv;
const authority = await createAuthority();
const contexts = new Map<string, SecureContext>();
for (let index = 0; index < Number(count); index++) {
  const host = `site-${index}.localhost`;
  contexts.set(host, createSecureContext(await authority.issue({ hosts: [host] })));
}
const paragraph =
  "<p>We buy from eleven gardens and pack each order in the week it is placed.</p>\n";
const page = answerOf(
  `<!doctype html><html lang="en"><title>Tea</title>${paragraph.repeat(130)}`,
  "strict-transport-security: max-age=31536000; includeSubDomains",
  "content-security-policy: default-src 'self'; object-src 'none'; frame-ancestors 'none'",
  "x-content-type-options: nosniff",
  "cache-control: no-cache",
);
const server = createServer(
  {
    ALPNProtocols: ["http/1.1"],
    SNICallback: (host, done) => done(null, contexts.get(host)),
  },
  (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", () => socket.write(page));
  },
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", 4096, resolve));
writeFileSync(authorityFile, authority.certificate);
process.stderr.write(`listening on https://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
