import { readFile } from "node:fs/promises";
import AjvDraft04 from "ajv-draft-04";
import addFormats from "ajv-formats";
import { validateXML } from "xmllint-wasm";

function readSchema(name: string): Promise<string> {
  return readFile(new URL(`../schemas/${name}`, import.meta.url), "utf8");
}

const ajv = new AjvDraft04.default({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const schemas = new Map<string, object>();

/** Lists the errors of a JSON value by a schema of test/schemas. A valid value has none. */
export async function listJsonFaults(name: string, value: unknown): Promise<string[]> {
  const schema = schemas.get(name) ?? (JSON.parse(await readSchema(name)) as object);
  schemas.set(name, schema);
  // Ajv caches a compiled schema only by its object.
  const validate = ajv.compile(schema);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Lists the errors of XML documents by a schema of test/schemas. Well-formed and valid documents have none. */
export async function listXmlFaults(name: string, ...xml: string[]): Promise<string[]> {
  const { errors } = await validateXML({ xml, schema: await readSchema(name) });
  return errors.map(({ rawMessage }) => rawMessage);
}
