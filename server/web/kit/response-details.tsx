import type { Text } from "../../../shared/language.ts";
import { oneLine } from "../../base/syntax/text.ts";
import type { PageAnswers } from "../../engine/evidence/packed-evidence.ts";
import { describeDay, type TimeReader } from "./time.tsx";
import { FactList } from "./layout.tsx";
import { T, useReader } from "./reader.tsx";

const WORDS = {
  title: {
    fr: "En-têtes, redirections, certificat et cookies reçus",
    en: "Headers, redirects, certificate and cookies received",
  },
  redirects: { fr: "Redirections", en: "Redirects" },
  headers: { fr: "En-têtes de la réponse", en: "Response headers" },
  partly: {
    fr: "Seuls les en-têtes qu'une règle examine sont listés ; les valeurs secrètes sont masquées.",
    en: "Only the headers that a rule examines; secret values are masked.",
  },
  cookies: { fr: "Cookies", en: "Cookies" },
  certificate: { fr: "Certificat", en: "Certificate" },
  subject: { fr: "Délivré à", en: "Issued to" },
  issuer: { fr: "Émis par", en: "Issued by" },
  names: { fr: "Noms couverts", en: "Names covered" },
  valid: { fr: "Validité", en: "Validity" },
  key: { fr: "Clé et signature", en: "Key and signature" },
  connection: { fr: "Connexion", en: "Connection" },
} as const;

const MAX_LINES = 40;
const MAX_LENGTH = 200;
const MAX_NAMES = 10;

function Lines({ title, lines }: { title: Text; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>
        <T text={title} />
      </h3>
      <pre>
        {lines
          .slice(0, MAX_LINES)
          .map((line) => oneLine(line, MAX_LENGTH))
          .join("\n")}
      </pre>
    </>
  );
}

function describeSpan(from: string, to: string, reader: TimeReader): string {
  const [first, last] = [from, to].map((date) => describeDay(new Date(date), reader));
  return { fr: `du ${first} au ${last}`, en: `from ${first} to ${last}` }[reader.language];
}

function Certificate({ tls }: { tls: NonNullable<PageAnswers["tls"]> }) {
  const reader = useReader();
  const { certificate, protocol, cipher } = tls;
  const { subject, issuer, sans, notBefore, notAfter, keyType, keyBits, curve } = certificate;
  const names = sans.map((name) => name.replace(/^\w+:/, ""));
  const rows: [Text, string][] = [
    [WORDS.subject, subject],
    [WORDS.issuer, issuer],
    [
      WORDS.names,
      [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ["…"] : [])].join(", "),
    ],
    [WORDS.valid, describeSpan(notBefore, notAfter, reader)],
    [
      WORDS.key,
      [keyType, curve ?? keyBits, certificate.signatureAlgorithm].filter(Boolean).join(", "),
    ],
    [WORDS.connection, `${protocol}, ${cipher}`],
  ];
  return (
    <>
      <h3>
        <T text={WORDS.certificate} />
      </h3>
      <FactList facts={rows.map(([name, value]) => [name, oneLine(value, MAX_LENGTH)])} />
    </>
  );
}

export function ResponseDetails({ seen: { hops, headers, cookies, tls } }: { seen: PageAnswers }) {
  return (
    <details class="seen">
      <summary>
        <h2>
          <T text={WORDS.title} />
        </h2>
      </summary>
      <Lines
        title={WORDS.redirects}
        lines={hops.length > 1 ? hops.map(({ url, status }) => `${status} ${url}`) : []}
      />
      <Lines title={WORDS.headers} lines={headers.map(([name, value]) => `${name}: ${value}`)} />
      <p class="soft">
        <T text={WORDS.partly} />
      </p>
      <Lines title={WORDS.cookies} lines={cookies} />
      {tls && <Certificate tls={tls} />}
    </details>
  );
}
