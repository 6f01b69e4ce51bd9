import { expect, test } from "vitest";
import {
  AppError,
  describeFailure,
  describeRefusal,
  OPERATOR_ERRORS,
  type ErrorCode,
} from "../../server/base/errors.ts";
import { describeInput, FORM_FAULTS, INPUT_FAULTS } from "../../server/base/input-faults.ts";
import { parametersOf, sayError, WIRE_ERRORS, type WireErrorCode } from "../../shared/errors.ts";

const BOUNDS = ["hour", "day", "at_once", "owners", "names"];
const VALUES: Readonly<Record<string, unknown>> = {
  maxBytes: 16_384,
  maxLength: 255,
  host: "example.com",
  file: "robots.txt",
  allow: "POST",
  used: 1000,
  limit: 1000,
  retryAfterSeconds: 150,
};

/** The values with which a code's sentence is shown. */
function listValues(code: WireErrorCode) {
  const names = Object.keys(parametersOf(code));
  const values = Object.fromEntries(names.map((name) => [name, VALUES[name]]));
  return names.includes("bound") ? BOUNDS.map((bound) => ({ ...values, bound })) : [values];
}

/** Stands for each parameter by its name. */
const PARAMETERS = new Proxy<Record<string, unknown>>(
  {
    code: "private",
    names: ["<name>", "<name>"],
    known: ["<known>", "<known>"],
    failure: { en: "<failure>" },
    why: { en: "<why>" },
    hindrance: { by: "migration" },
    fault: "encoding",
  },
  { get: (samples, name) => samples[String(name)] ?? `<${String(name)}>` },
);

/** The sentences of the errors with these codes, as the operator reads them. */
const listFailures = (codes: readonly string[]) =>
  codes.flatMap((code) => {
    const { exitCode, words } = describeFailure(new AppError(code as ErrorCode, PARAMETERS));
    return [`${exitCode} ${code}`, `  ${words}`];
  });

test("the sentences of all errors and faults for the operator", async () => {
  const faults = Object.keys({ ...INPUT_FAULTS, ...FORM_FAULTS }).flatMap((fault) => [
    fault,
    `  ${describeInput({ fault, value: "<value>", known: "<known>" })}`,
  ]);
  const forms = Object.entries(FORM_FAULTS).flatMap(([fault, { fr }]) => [fault, `  ${fr}`]);
  const lines = [...listFailures(Object.keys(OPERATOR_ERRORS)), ...faults, ...forms];
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("operator-errors.txt");
});

test("the sentences of all errors, in both languages", async () => {
  const lines = (Object.keys(WIRE_ERRORS) as WireErrorCode[]).flatMap((code) =>
    listValues(code).flatMap((values) => {
      const { status, advice } = WIRE_ERRORS[code];
      const texts = [sayError(code, values), advice ?? []].flat();
      return [`${status} ${code}`, ...texts.flatMap(({ fr, en }) => [`  ${fr}`, `  ${en}`])];
    }),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("errors.txt");
});

test("the host of a rejected URL is named, shortened and on one line", () => {
  const host = `\u202E\n${"a".repeat(200)}`;
  expect(describeRefusal({ code: "private", host }).fr).toMatch(/^L'hôte « a{99}… » est privé : /);
});

test.each<[failure: Error, words: string]>([
  [new AppError("busy", {}), "The command failed (busy)."],
  [new Error("no\n room"), "no room"],
])("a failure that is not the operator's has a sentence too: %s", (failure, words) => {
  expect(describeFailure(failure)).toEqual({ exitCode: 1, words });
});
