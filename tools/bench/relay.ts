/* Forwards TCP to a port of 127.0.0.1, with a delay in each direction: `relay.ts PORT DELAY_MS`. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

const [port, delayMs] = process.argv.slice(2).map(Number);

function pass(from: Socket, to: Socket): void {
  from.on("data", (chunk) => setTimeout(() => to.write(chunk), delayMs));
  from.on("close", () => setTimeout(() => to.destroy(), delayMs));
  from.on("error", () => from.destroy());
}

const server = createServer({ noDelay: true }, (near) => {
  const far = connect({ port: port ?? 0, host: "127.0.0.1", noDelay: true });
  pass(near, far);
  pass(far, near);
});
server.listen(0, "127.0.0.1", () => {
  const { port: own } = server.address() as AddressInfo;
  process.stderr.write(`listening on https://127.0.0.1:${own}\n`);
});
