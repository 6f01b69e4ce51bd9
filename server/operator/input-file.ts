import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { AppError } from "../base/errors.ts";

/** `-` is standard input. Throws `file_not_found`, `file_unreadable`. */
export async function readInput(file: string, stdin: NodeJS.ReadableStream): Promise<string> {
  if (file === "-") return text(stdin);
  return readFile(file, "utf8").catch((error: unknown) => {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    if (reason === "ENOENT") throw new AppError("file_not_found", { file });
    throw new AppError("file_unreadable", { file, reason });
  });
}
