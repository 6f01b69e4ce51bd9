import type { SMTPTransportOptions } from "nodemailer";
import { isUrl } from "../../shared/url.ts";

/** How e-mails are sent, and from whom. */
export interface MailSettings {
  readonly relay: Relay;
  readonly from: MailAddress;
}

/** What nodemailer is told about the server that takes the e-mails. */
export type Relay = SMTPTransportOptions;

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

const ADDRESS = /^[^\s<>,;"@]+@[^\s<>,;"@]+$/;
const NAMED = /^([^<>"\p{Cc}]*)<([^<>]*)>$/u;

/** Reads `name@example.com` or `Name <name@example.com>`; undefined for anything else. */
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

/**
 * Reads an smtp or smtps URL, with the user and the password that the relay wants; undefined for anything else. A
 * password crosses the network only encrypted. On this machine certificates are not looked at: relays there have one
 * that they made themselves.
 */
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
