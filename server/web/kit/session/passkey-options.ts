import type { FastifyRequest } from "fastify";
import { issuePasskeyChallenge, prepareNewPasskey } from "../../../access/passkeys.ts";
import type { RelyingParty } from "../../../access/webauthn.ts";
import type { SessionActor } from "../../../db/accounts/actors.ts";
import type { Deps, ProcessDeps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { findRelyingParty } from "./passkey.tsx";
import { getSignedIn } from "./signed-in.ts";

const encode = (value: string | Buffer) =>
  (typeof value === "string" ? Buffer.from(value) : value).toString("base64url");

/** COSE algorithms (RFC 9053, RFC 8812): EdDSA, ECDSA with P-256, RSA. */
const ALGORITHMS = [-8, -7, -257];

function getParty({ config }: ProcessDeps, request: FastifyRequest): RelyingParty {
  const party = findRelyingParty(request, config);
  if (party === undefined) throw new AppError("route_not_found", {});
  return party;
}

/** For sign-in or, with an actor, for confirmation. */
export async function createPasskeyRequest(
  deps: Deps,
  request: FastifyRequest,
  actor?: SessionActor,
) {
  const { id } = getParty(deps, request);
  const challenge = encode(await issuePasskeyChallenge(deps, actor));
  return { get: { challenge, rpId: id, userVerification: "required" } };
}

export async function createPasskeyCreation(deps: Deps, request: FastifyRequest) {
  const { id } = getParty(deps, request);
  const { actor, email } = getSignedIn(request);
  const { challenge, existing } = await prepareNewPasskey(deps, actor);
  return {
    create: {
      challenge: encode(challenge),
      rp: { id, name: "shipscore" },
      user: { id: encode(actor.accountId), name: email, displayName: email },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      attestation: "none",
      excludeCredentials: existing.map(({ credentialId, transports }) => ({
        type: "public-key",
        id: encode(credentialId),
        ...(transports !== "" && { transports: transports.split(" ") }),
      })),
    },
  };
}
