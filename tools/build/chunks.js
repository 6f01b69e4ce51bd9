import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

const HASHBANG = "#!/usr/bin/env node";

/** What almost every run reads: the start, the command `check`, and what gives the other commands their flags. */
const USUAL = ["shipscore", "check", "declarations"];

/**
 * Joins the chunks that are always read together: those that the same of the usual entries read, and of the others those that
 * one entry alone reads.
 * @param outputs of a build that splits, by their paths
 * @returns the names of the joined files, and the plugin that makes them of entry points `joined:NAME`
 */
export function joinChunks(outputs) {
  const paths = Object.keys(outputs).filter((path) => path.endsWith(".cjs"));
  const isEntry = (path) => Boolean(outputs[path].entryPoint);
  const nameOf = (path) => basename(path).replace(/(?:-[0-9A-Z]{8})?\.cjs$/, "");

  function listRead(path, read = new Set()) {
    if (read.has(path)) return read;
    read.add(path);
    for (const { path: next, kind, external } of outputs[path].imports)
      if (!external && kind === "import-statement") listRead(next, read);
    return read;
  }

  const entries = paths
    .filter(isEntry)
    .map((path) => ({ name: nameOf(path), read: listRead(path) }));
  const usual = USUAL.map((name) => entries.find((entry) => entry.name === name));
  const groupOf = (path) => {
    const early = usual.filter(({ read }) => read.has(path)).map(({ name }) => name);
    if (early[0] === "shipscore") return "shipscore";
    if (early.length > 0) return `shipscore/${early.length > 1 ? "commands" : early[0]}`;
    const late = entries.filter(({ read }) => read.has(path)).map(({ name }) => name);
    return `shipscore/${late.length > 1 ? basename(path, ".cjs") : late[0]}`;
  };
  const files = paths.map((path) => ({ path: join(root, path), group: groupOf(path) }));
  const names = [...new Set(files.map(({ group }) => group))];
  const findFile = (path) => files.find((file) => file.path === path);

  const lent = new Set(
    paths.flatMap((path) =>
      outputs[path].imports
        .filter((one) => !one.external && groupOf(one.path) !== groupOf(path))
        .map((one) => join(root, one.path)),
    ),
  );

  /** All chunks of a file, and for the others those that they import. */
  const listMembers = (group) =>
    files.flatMap((file, index) => {
      if (file.group !== group) return [];
      const place = JSON.stringify(file.path);
      if (!lent.has(file.path)) return [`import ${place};`];
      return [`import * as chunk${index} from ${place}; export { chunk${index} };`];
    });

  /** A chunk of another file, as a module. */
  function borrow(group, path) {
    const file = findFile(path);
    const way = relative(dirname(`/${group}`), `/${file.group}.cjs`);
    const place = JSON.stringify(way.startsWith(".") ? way : `./${way}`);
    return `const chunk = require(${place}).chunk${files.indexOf(file)};
module.exports = Object.defineProperty(chunk, "__esModule", { value: true });`;
  }

  const plugin = {
    name: "joined",
    setup(build) {
      build.onResolve({ filter: /^joined:/ }, ({ path }) => ({
        path: path.slice("joined:".length),
        namespace: "joined",
      }));
      build.onLoad({ filter: /.*/, namespace: "joined" }, ({ path: group }) => ({
        contents: [...(group === "shipscore" ? [HASHBANG] : []), ...listMembers(group)].join("\n"),
        resolveDir: root,
      }));
      build.onResolve({ filter: /^\.{1,2}\// }, ({ path, importer, resolveDir, namespace }) => {
        if (namespace === "borrowed") return { path, external: true };
        const wanted = findFile(join(resolveDir, path));
        const { group } = findFile(importer) ?? {};
        if (!wanted || wanted.group === group) return undefined;
        return { path: `${group}:${wanted.path}`, namespace: "borrowed" };
      });
      build.onLoad({ filter: /.*/, namespace: "borrowed" }, ({ path }) => {
        const [group = "", wanted = ""] = path.split(":");
        return { contents: borrow(group, wanted), loader: "js", resolveDir: root };
      });
    },
  };
  return { names, plugin };
}
