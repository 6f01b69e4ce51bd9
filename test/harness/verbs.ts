import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { ROOT } from "./package.ts";

const SERVER = join(ROOT, "server");
/** Rooms of verbs on accounts and projects. */
const VERBS =
  /^(?:access|projects)\/|^alerts\/(?:alerts|deliveries|recipients)\.ts$|^statuses\/answers\.ts$/;
/** Who asks: doors, and the wiring and the background work where they ask by themselves. */
const DOORS =
  /^(?:api|mcp|hooks|web|operator)\/|^(?:exec|main|start|instance|app|watching\/schedule)\.ts$/;
/** The `sql` of a transaction is a parameter. */
const TRANSACTION = /\(\s*sql\b(?!`)/;
const OTHER_SQL = /insertEvent\(\s*(?!sql\b)|const \{[^}]*\bsql\b[^}]*\} =/;
const RECORD = "db/accounts/events.ts#insertEvent";
const ACTION = /"[a-z_]+\.[a-z_]+"/g;
const WRITES = /\b(?:insert\s+into|delete\s+from|update\s+\w+\s+set)\b/;

/** A function or constant of a file's top level. */
interface Declaration {
  file: string;
  name: string;
  isExported: boolean;
  isFunction: boolean;
  /** True for one that takes part in somebody else's transaction. */
  isOnSql: boolean;
  text: string;
  /** What it refers to, as `file#name`. */
  uses: Set<string>;
}

/** A verb that changes something. */
export interface Verb {
  /** As `access/tokens.ts createToken`. */
  name: string;
  isRecorded: boolean;
  /** The verbs that it is part of. */
  partOf: string[];
  /** The files of doors that call it. */
  doors: string[];
}

export interface Calls {
  verbs: Verb[];
  /** What of db/ doors write with, past all verbs: `web/a.ts: insertRow`. */
  passed: string[];
  /** What records an event in no transaction: `access/a.ts: verb`. */
  loose: string[];
  /** The actions that are recorded. */
  actions: string[];
}

type Program = ReturnType<typeof parseSync>["program"];
type Statement = Program["body"][number];

const nodesOf = (statement: Statement) =>
  statement.type === "ExportNamedDeclaration" && statement.declaration !== null
    ? { node: statement.declaration, isExported: true }
    : { node: statement, isExported: false };

/** Where the names of a file come from: those that it imports, also where it does so later. */
function readImports(file: string, program: Program): Map<string, string> {
  const origins = new Map<string, string>();
  const note = (source: string, imported: string, local: string) => {
    if (source.startsWith(".")) origins.set(local, `${join(dirname(file), source)}#${imported}`);
  };
  new Visitor({
    ImportDeclaration({ source, specifiers }) {
      for (const each of specifiers)
        if (each.type === "ImportSpecifier" && each.imported.type === "Identifier")
          note(source.value, each.imported.name, each.local.name);
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== "ObjectPattern" || init?.type !== "AwaitExpression") return;
      const { argument } = init;
      if (argument.type !== "ImportExpression" || argument.source.type !== "Literal") return;
      for (const each of id.properties)
        if (each.type === "Property" && each.key.type === "Identifier")
          note(String(argument.source.value), each.key.name, each.key.name);
    },
  }).visit(program);
  return origins;
}

/** The names that a program refers to, and where; not those of fields. */
function readNames(program: Program): { name: string; start: number }[] {
  const names: { name: string; start: number }[] = [];
  const fields = new Set<number>();
  new Visitor({
    MemberExpression(node) {
      if (!node.computed) fields.add(node.property.start);
    },
    Property(node) {
      if (!node.computed && !node.shorthand) fields.add(node.key.start);
    },
    Identifier: ({ name, start }) => void names.push({ name, start }),
    JSXIdentifier: ({ name, start }) => void names.push({ name, start }),
  }).visit(program);
  return names.filter(({ start }) => !fields.has(start));
}

function readFile(file: string): Declaration[] {
  const source = readFileSync(join(SERVER, file), "utf8");
  const { program } = parseSync(file, source);
  const origins = readImports(file, program);
  const names = readNames(program);
  const declared = program.body.flatMap((statement) => {
    const { node, isExported } = nodesOf(statement);
    const functions =
      node.type === "VariableDeclaration"
        ? node.declarations.map(({ id, init }) => ({ id, made: init, of: node }))
        : node.type === "FunctionDeclaration"
          ? [{ id: node.id, made: node, of: node }]
          : [];
    return functions.flatMap(({ id, made, of: { start, end } }) => {
      if (id?.type !== "Identifier") return [];
      const [first] = made !== null && "params" in made ? made.params : [];
      const isFunction = made !== null && "params" in made;
      const isOnSql = first?.type === "Identifier" && first.name === "sql";
      return [{ name: id.name, isExported, isFunction, isOnSql, start, end }];
    });
  });
  const own = new Set(declared.map(({ name }) => name));
  return declared.map(({ start, end, ...rest }) => {
    const used = names.filter((one) => one.start >= start && one.start < end);
    const places = used.map(({ name }) => (own.has(name) ? `${file}#${name}` : origins.get(name)));
    const uses = new Set(places.filter((place) => place !== undefined));
    return { file, ...rest, text: source.slice(start, end), uses };
  });
}

/** Reads from the server's source which verbs change something, and which doors call them. */
export function readCalls(): Calls {
  const files = readdirSync(SERVER, { recursive: true, encoding: "utf8" });
  const declarations = files.filter((file) => /\.tsx?$/.test(file)).flatMap(readFile);
  const byPlace = new Map(declarations.map((one) => [`${one.file}#${one.name}`, one]));
  const isWriter = ({ file, text }: Declaration) => file.startsWith("db/") && WRITES.test(text);

  const known = new Map<Declaration, Set<Declaration>>();
  /** The declaration, and all that it uses by whatever way. */
  function reachOf(from: Declaration): Set<Declaration> {
    const found = known.get(from);
    if (found !== undefined) return found;
    const reach = new Set([from]);
    known.set(from, reach);
    // The walk comes to what is added on the way, too.
    for (const one of reach)
      for (const place of one.uses) {
        const used = byPlace.get(place);
        if (used !== undefined) reach.add(used);
      }
    return reach;
  }
  const reaches = (from: Declaration, isIt: (one: Declaration) => boolean) =>
    [...reachOf(from)].some(isIt);

  const ofDoors = declarations.filter(({ file }) => DOORS.test(file));
  const callers = (place: string) =>
    ofDoors.filter(({ uses }) => uses.has(place)).map(({ file }) => file);
  const verbs = declarations.filter(
    (one) =>
      VERBS.test(one.file) &&
      one.isExported &&
      one.isFunction &&
      !one.isOnSql &&
      reaches(one, isWriter),
  );
  const isRecord = ({ file, name }: Declaration) => `${file}#${name}` === RECORD;
  const nameOf = ({ file, name }: Declaration) => `${file} ${name}`;
  return {
    verbs: verbs.map((verb) => ({
      name: nameOf(verb),
      isRecorded: reaches(verb, isRecord),
      partOf: verbs.filter((other) => other !== verb && reachOf(other).has(verb)).map(nameOf),
      doors: [...new Set(callers(`${verb.file}#${verb.name}`))].toSorted(),
    })),
    passed: ofDoors
      .flatMap(({ file, uses }) =>
        [...uses].flatMap((place) => {
          const used = byPlace.get(place);
          if (!used?.file.startsWith("db/") || !reaches(used, isWriter)) return [];
          return [`${file}: ${used.name}`];
        }),
      )
      .toSorted(),
    loose: declarations
      .filter((one) => one.file !== "db/accounts/events.ts" && one.uses.has(RECORD))
      .filter(({ text }) => !TRANSACTION.test(text) || OTHER_SQL.test(text))
      .map(({ file, name }) => `${file}: ${name}`),
    actions: declarations.flatMap(({ file, text }) =>
      VERBS.test(file) ? (text.match(ACTION) ?? []).map((quoted) => quoted.slice(1, -1)) : [],
    ),
  };
}
