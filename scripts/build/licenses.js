/* The licences of bundled packages, which ask to travel with them. */
import { readdir, readFile } from "node:fs/promises";

/** A package's licence: its file, or the name that its manifest gives. */
async function readLicense(root, folder) {
  const file = (await readdir(`${root}${folder}`)).find((name) => /^licen[cs]e/i.test(name));
  const text = await readFile(`${root}${folder}/${file ?? "package.json"}`, "utf8");
  const name = folder.replace(/.*node_modules\//, "");
  return `${name}\n\n${file ? text : `${JSON.parse(text).license}\n`}`;
}

/** Those of every package in a bundle whose `metafile` esbuild wrote, as one text. */
export async function readLicenses(root, metafile) {
  const folders = Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  const licenses = [...new Set(folders)].toSorted().map((folder) => readLicense(root, folder));
  return (await Promise.all(licenses)).join("\n\n");
}
