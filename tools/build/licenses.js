/* Reads the licenses of bundled packages. They require that copies include them. */
import { readdir, readFile } from "node:fs/promises";

async function readLicense(root, folder) {
  const file = (await readdir(`${root}${folder}`)).find((name) => /^licen[cs]e/i.test(name));
  const text = await readFile(`${root}${folder}/${file ?? "package.json"}`, "utf8");
  const name = folder.replace(/.*node_modules\//, "");
  return { name, text: file ? text : `${JSON.parse(text).license}\n` };
}

/** `metafile`: the one that esbuild writes. */
export async function readLicenses(root, metafile) {
  const folders = Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  const sorted = [...new Set(folders)].toSorted();
  const licenses = await Promise.all(sorted.map((folder) => readLicense(root, folder)));
  const namesOf = new Map(licenses.map(({ text }) => [text, []]));
  for (const { name, text } of licenses) namesOf.get(text).push(name);
  return [...namesOf].map(([text, names]) => `${names.join(", ")}\n\n${text}`).join("\n\n");
}
