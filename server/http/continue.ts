import type { FastifyReply, FastifyRequest } from "fastify";
import { awaitsContinue } from "./node-http.ts";

/** False if the body will be refused before it is read. */
const isReadable = ({ server, mediaType, headers, routeOptions }: FastifyRequest) =>
  mediaType !== undefined &&
  server.hasContentTypeParser(mediaType) &&
  !(Number(headers["content-length"]) > (routeOptions.bodyLimit ?? Infinity));

/** The hook before a body is read: tells a client that waits for it to send the body. */
export async function continueReadable(request: FastifyRequest, reply: FastifyReply) {
  if (awaitsContinue(request.raw) && isReadable(request)) reply.raw.writeContinue();
}
