import type { CliError } from "./errors.ts";

/** A workflow command of GitHub Actions, which shows a message beside the job. */
export function formatAnnotation(
  level: "error" | "warning" | "notice",
  title: string,
  message: string,
): string {
  const escaped = {
    title: title.replace(/[%\r\n:,]/g, encodeURIComponent),
    message: message.replace(/[%\r\n]/g, encodeURIComponent),
  };
  return `::${level} title=${escaped.title}::${escaped.message}`;
}

const annotated = new WeakSet<CliError>();

/** Remembers that an error has its annotation, so that the end of the command adds no second one. */
export function markAnnotated(error: CliError): void {
  annotated.add(error);
}

export function isAnnotated(error: CliError): boolean {
  return annotated.has(error);
}
