import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

const PRESENT = 1;
const VERIFIED = 4;
const ATTESTED = 64;

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const encode = (data: string | Buffer) => Buffer.from(data as never).toString("base64url");

/** CBOR (RFC 8949) of a byte string of up to 65,535 bytes. */
function bytes(data: Buffer): Buffer {
  const head = Buffer.alloc(3);
  head[0] = 0x59;
  head.writeUInt16BE(data.length, 1);
  return Buffer.concat([head, data]);
}

const text = (word: string) =>
  Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);

export interface Asked {
  challenge: string;
  rpId?: string;
  rp?: { id: string };
}

export interface Lies {
  /** If false, the authenticator did not verify the user. */
  isVerified?: boolean;
  origin?: string;
  rpId?: string;
  /** The number of certificates in its attestation. */
  certificates?: number;
  counter?: number;
  key?: KeyObject;
}

/** An authenticator with one passkey (ES256), and the page's script that uses it. */
export class Authenticator {
  readonly id = randomBytes(32);
  readonly keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  create({ challenge, rp }: Asked, lies: Lies = {}): string {
    const { x = "", y = "" } = this.keys.publicKey.export({ format: "jwk" });
    const cose = Buffer.concat([
      Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]),
      Buffer.from(x, "base64url"),
      Buffer.from([0x22, 0x58, 32]),
      Buffer.from(y, "base64url"),
    ]);
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, cose]);
    const data = this.#describe(rp?.id ?? "", lies, attested);
    const certificates = Array.from({ length: lies.certificates ?? 0 }, () =>
      bytes(randomBytes(300)),
    );
    const statement = Buffer.concat([
      Buffer.from([0xa1]),
      text("x5c"),
      Buffer.from([0x80 + certificates.length]),
      ...certificates,
    ]);
    const hasCertificates = certificates.length > 0;
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      text("fmt"),
      text(hasCertificates ? "packed" : "none"),
      text("attStmt"),
      hasCertificates ? statement : Buffer.from([0xa0]),
      text("authData"),
      bytes(data),
    ]);
    return this.#answer({
      clientDataJSON: encode(this.#clientData("webauthn.create", challenge, lies)),
      attestationObject: encode(attestationObject),
      transports: ["internal"],
    });
  }

  get({ challenge, rpId = "" }: Asked, lies: Lies = {}): string {
    const clientData = this.#clientData("webauthn.get", challenge, lies);
    const data = this.#describe(rpId, lies);
    const signed = Buffer.concat([data, sha256(clientData)]);
    const signature = sign("sha256", signed, lies.key ?? this.keys.privateKey);
    return this.#answer({
      clientDataJSON: encode(clientData),
      authenticatorData: encode(data),
      signature: encode(signature),
    });
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Lies): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin: false });
  }

  #describe(rpId: string, lies: Lies, attested = Buffer.alloc(0)): Buffer {
    const verified = (lies.isVerified ?? true) ? VERIFIED : 0;
    const flags = PRESENT | verified | (attested.length > 0 ? ATTESTED : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? 0);
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags]), counter, attested]);
  }

  #answer(response: object): string {
    const id = encode(this.id);
    return JSON.stringify({ id, rawId: id, type: "public-key", response });
  }
}
