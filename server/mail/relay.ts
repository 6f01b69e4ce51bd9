import type { SMTPTransportOptions } from "nodemailer";
import { isUrl } from "../../shared/url.ts";

export interface MailSettings {
  readonly relay: Relay;
  readonly from: MailAddress;
}

export type Relay = SMTPTransportOptions;

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const ADDRESS = /^[^\s<>,;"@]+@[^\s<>,;"@]+$/;
const NAMED = /^([^<>"\p{Cc}]*)<([^<>]*)>$/u;

/** `name@example.com` or `Name <name@example.com>`. */
export function readMailAddress(text: string): MailAddress | undefined {
  const [, name = "", address = text] = NAMED.exec(text) ?? [];
  return ADDRESS.test(address) ? { name: name.trim(), address } : undefined;
}

const TIMES = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

const isThisMachine = (host: string) => /^(?:localhost|127\.[\d.]+|::1)$/.test(host);

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A password is never sent over the network unencrypted. Certificates of local relays are not verified, since they are self-signed. */
export function readRelay(text: string): Relay | undefined {
  if (!isUrl(text)) return undefined;
  const { protocol, hostname, port, username, password } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, "");
  const [user, pass] = [decode(username), decode(password)];
  if (!/^smtps?:$/.test(protocol) || host === "" || user === undefined || pass === undefined)
    return undefined;
  return {
    host,
    secure: protocol === "smtps:",
    ...(port !== "" && { port: Number(port) }),
    ...(user !== "" && { auth: { user, pass } }),
    requireTLS: user !== "" && !isThisMachine(host),
    tls: { rejectUnauthorized: !isThisMachine(host) },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...TIMES,
  };
}
