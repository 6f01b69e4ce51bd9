import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const BIN = new URL("../bin/", import.meta.url);

export interface Shown {
  exitCode: number;
  stdout: string;
}

export interface Stage {
  say(text: string): void;
  list(lines: readonly string[]): void;
  show(program: "shipscore" | "shipscore-server", args: string[]): Promise<Shown>;
  showExitCode(code: number): void;
}

const quote = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

export function openStage(
  out: NodeJS.WriteStream,
  env: () => NodeJS.ProcessEnv,
  signal: AbortSignal,
): Stage {
  const bold = (text: string) =>
    out.isTTY && !process.env["NO_COLOR"] ? `\u001b[1m${text}\u001b[0m` : text;
  return {
    say: (text) => void out.write(`\n${text}\n`),
    list: (lines) => void out.write(lines.map((line) => `${line}\n`).join("")),
    show(program, args) {
      out.write(`${bold(`$ ${[program, ...args].map(quote).join(" ")}`)}\n`);
      const script = fileURLToPath(new URL(`${program}.js`, BIN));
      const child = spawn(process.execPath, [script, ...args], {
        env: env(),
        stdio: ["ignore", "pipe", "pipe"],
        signal,
      });
      let stdout = "";
      child.stdout.on("data", (chunk: Buffer) => {
        stdout += chunk.toString();
        out.write(chunk);
      });
      child.stderr.on("data", (chunk: Buffer) => out.write(chunk));
      return new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (exitCode) =>
          resolve({ exitCode: exitCode ?? 1, stdout: stdout.trim() }),
        );
      });
    },
    showExitCode: (code) => void out.write(`${bold("$ echo $?")}\n${code}\n`),
  };
}
