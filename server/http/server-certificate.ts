import { unwatchFile, watchFile } from "node:fs";
import { readFile } from "node:fs/promises";
import { createSecureContext, type Server } from "node:tls";
import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";

type Files = NonNullable<Config["tls"]>;

const POLL_MS = 2000;

/** Reads the certificate and its key, both PEM. Throws `tls_files_invalid`. */
export async function readServerCertificate({ certFile, keyFile }: Files) {
  try {
    const certificate = { cert: await readFile(certFile), key: await readFile(keyFile) };
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    throw new AppError("tls_files_invalid", {}, { cause: error });
  }
}

/**
 * Starts using a renewed certificate without a restart; if it cannot be loaded, the old one stays in use. Returns a
 * function that stops this.
 */
export function followCertificate(server: Server, files: Files, { log }: Deps): () => void {
  const reload = () => {
    readServerCertificate(files)
      .then((certificate) => server.setSecureContext(certificate))
      .then(() => log.info("certificate reloaded"))
      .catch((error: unknown) =>
        log.error({ err: error }, "certificate not reloaded; the old one stays"),
      );
  };
  const paths = [files.certFile, files.keyFile];
  for (const path of paths) watchFile(path, { interval: POLL_MS }, reload).unref();
  return () => paths.forEach((path) => unwatchFile(path, reload));
}
