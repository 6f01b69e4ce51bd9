import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { ROOT } from "../harness/package.ts";

const LINK = /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g;

/** The anchors of a page: of its headings, as GitHub makes them, and those that it sets itself. */
function listAnchors(page: string): string[] {
  const counts = new Map<string, number>();
  const headings = [...page.replace(/^```[^]*?^```/gm, "").matchAll(/^#+ (.*)$/gm)];
  const slugs = headings.map(([, heading = ""]) => {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = text.replace(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return [...slugs, ...[...page.matchAll(/<a id="([^"]+)"/g)].map(([, id = ""]) => id)];
}

/** The links of these pages that lead to no file, or to no anchor of a page. */
async function findDeadLinks(folder: string, pages: readonly string[]): Promise<string[]> {
  const dead: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(folder, page), "utf8");
    for (const [link, path = "", anchor] of text.matchAll(LINK)) {
      const target = path === "" ? page : relative(folder, join(folder, dirname(page), path));
      const isDead =
        target.startsWith("..") ||
        !existsSync(join(folder, target)) ||
        (anchor !== undefined &&
          !listAnchors(await readFile(join(folder, target), "utf8")).includes(anchor));
      if (isDead) dead.push(`${page}: ${link}`);
    }
  }
  return dead;
}

test("each link in the repository's pages points to a file, and to an existing anchor", async () => {
  const top = await readdir(ROOT);
  const folders = ["docs", "cli", "server", "test", "ops", "tools", "demo", "shared"];
  const below = folders.map(async (folder) =>
    (await readdir(join(ROOT, folder), { recursive: true })).map((name) => join(folder, name)),
  );
  const pages = [top, ...(await Promise.all(below))]
    .flat()
    .filter((name) => name.endsWith(".md") && !name.includes("node_modules"));
  expect(pages.length).toBeGreaterThan(30);
  expect(await findDeadLinks(ROOT, pages)).toEqual([]);
});

test.each([
  ["shipscore", ["README.md", "docs/ci.md", "docs/command.md", "docs/install.md", "docs/mcp.md"]],
  ["shipscore-server", ["README.md", "docs/operating.md", "docs/promises.md", "docs/rules.md"]],
])("each link in the package %s points to one of its files", async (name, some) => {
  const into = await mkdtemp(join(tmpdir(), "sc-links-"));
  try {
    const { stdout: folder } = await execa("node", ["tools/build/pack.js", name, into], {
      cwd: ROOT,
    });
    const pages = (await readdir(folder, { recursive: true })).filter((file) =>
      file.endsWith(".md"),
    );
    expect(pages).toEqual(expect.arrayContaining(some));
    expect(pages.filter((file) => file.includes("internals"))).toEqual([]);
    expect(await findDeadLinks(folder, pages)).toEqual([]);
  } finally {
    await rm(into, { recursive: true });
  }
});
