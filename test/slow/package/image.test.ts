import { spawn } from "node:child_process";
import { mkdtemp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readImage } from "../../harness/image.ts";
import { installPacked, measureBytes, runNpm } from "../../harness/package.ts";
import { findDebootstrap, findProgram } from "../../harness/unpacked.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 900_000 });

const MAX_BYTES = 250_000_000;
/** What `debian:trixie-slim` leaves out of Debian's smallest system. */
const NOT_IN_SLIM =
  "usr/share/doc usr/share/man usr/share/locale usr/share/info var/cache/apt var/lib/apt/lists";

const { steps, get, health, command } = await readImage();
const debootstrap = findDebootstrap();
const canEnter = process.getuid?.() === 0 && findProgram(["unshare"]) !== undefined;

/*
 * No Docker is needed: the last stage of the Dockerfile, step by step, in a Debian made here, and the server in namespaces of its
 * own, as process 1 on a root that cannot be written to.
 */
describe.skipIf(debootstrap === undefined || !canEnter)(
  "the image, in a Debian installed here,",
  () => {
    let folder: string;
    let root: string;
    let data: string;
    let server: ReturnType<typeof start>;
    const env = get("ENV").flatMap((text) => text.split(" "));
    const [user = "", group = ""] = get("USER")[0]?.split(":") ?? [];

    async function build(): Promise<void> {
      folder = await mkdtemp(join(tmpdir(), "sc-image-"));
      [root, data] = [join(folder, "root"), join(folder, "data")];
      const { script = "", env: where = {} } = debootstrap ?? {};
      await execa("sh", [script, "--variant=minbase", "trixie", root], { env: where });
      for (const path of NOT_IN_SLIM.split(" "))
        await rm(join(root, path), { recursive: true, force: true });
      const home = await installPacked("shipscore-server");
      const made = dirname(home);
      const node = `node-${process.platform}-${process.arch}`;
      await runNpm(home, "install", "--no-save", `${node}@24`);
      const [tarball = ""] = (await readdir(made)).filter((name) => name.endsWith(".tgz"));
      await runNpm(made, "install", "--global", "--prefix=opt", join(made, tarball));
      const built: Record<string, string> = {
        "/usr/local/bin/node": join(home, "node_modules", node, "bin/node"),
        "/opt/shipscore": join(made, "opt"),
      };
      for (const [word, text] of steps) {
        if (word === "RUN") await execa("chroot", [root, "sh", "-ec", text]);
        const [, from = "", to = ""] = /^--from=build (\S+) (\S+)$/.exec(text) ?? [];
        if (word !== "COPY") continue;
        await mkdir(dirname(join(root, to)), { recursive: true });
        await execa("cp", ["--archive", built[from] ?? from, join(root, to)]);
      }
      await rm(made, { recursive: true });
      await execa("cp", ["--archive", join(root, "var/lib/shipscore"), data]);
    }

    /** Process 1 of its own namespaces, which has nothing to write to but /tmp and the volume. */
    function start() {
      const enter = [
        `mount --bind ${root} ${root}`,
        `mount --bind ${data} ${root}/var/lib/shipscore`,
        `mount -t tmpfs tmpfs ${root}/tmp`,
        `mount -t proc proc ${root}/proc`,
        `mount --bind /dev ${root}/dev`,
        `mount -o remount,bind,ro ${root}`,
        "ip link set lo up",
        `exec chroot --userspec=${user}:${group} ${root} "$@"`,
      ].join("\n");
      const all = ["SHIPSCORE_BEHIND_TLS_PROXY=1", "SHIPSCORE_CYCLE_SECONDS=0", ...env];
      const apart = ["--mount", "--pid", "--net", "--fork", "--kill-child"];
      const inside = ["sh", "-ec", enter, "sh", "/usr/bin/env", "-i", ...all, ...command];
      const child = spawn("unshare", [...apart, ...inside]);
      let said = "";
      child.stdout.on("data", (text) => (said += text));
      child.stderr.on("data", (text) => (said += text));
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
      return { child, ended, said: () => said };
    }

    async function findFirst(): Promise<string> {
      const { pid } = server.child;
      const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
      return text.trim();
    }

    /** As `docker exec` would, by this user. */
    async function run(words: readonly string[], by = [user, group]) {
      const ids = by.length === 0 ? [] : [`--setuid=${by[0]}`, `--setgid=${by[1]}`];
      const spaces = ["--mount", "--pid", "--net", "--root", ...ids];
      const inside = ["/usr/bin/env", "-i", ...env, ...words];
      return execa("nsenter", [`--target=${await findFirst()}`, ...spaces, "--", ...inside], {
        reject: false,
      });
    }

    beforeAll(async () => {
      await build();
      server = start();
    });
    afterAll(async () => {
      server?.child.kill("SIGKILL");
      await server?.ended;
      await rm(folder, { recursive: true });
    });

    test("takes less than 250 MB", async () => {
      expect(await measureBytes(root)).toBeLessThan(MAX_BYTES);
    });

    test("reports by its own health check that it is ready", async () => {
      await vi.waitFor(async () => expect((await run(health)).exitCode).toBe(0), {
        timeout: 60_000,
        interval: 500,
      });
    });

    test("runs with its own user, as process 1, and writes only to the volume", async () => {
      const status = await readFile(`/proc/${await findFirst()}/status`, "utf8");
      expect(status).toMatch(new RegExp(`^Uid:\\s+${user}\\s+${user}\\s`, "m"));
      expect(status).toMatch(/^NSpid:\s+\d+\s+1$/m);
      const written = await run(["touch", "/opt/shipscore/here"], []);
      expect([written.exitCode, written.stderr]).toEqual([
        1,
        expect.stringContaining("Read-only file system"),
      ]);
      expect(await readdir(data)).not.toEqual([]);
    });

    test("runs the operator's commands", async () => {
      const args = ["shipscore-server", "account", "add", "ada@example.com", "--plan", "team"];
      expect(await run(args)).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^acc_\w+$/),
      });
    });

    test("drains at Docker's stop signal", async () => {
      process.kill(Number(await findFirst()), get("STOPSIGNAL")[0]);
      expect([await server.ended, server.said()]).toEqual([0, expect.stringContaining("draining")]);
    });
  },
);
