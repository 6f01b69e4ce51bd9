import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    isThorough: boolean;
  }
}

/** Without `--mode all`, the longest properties are tried on one in so many inputs. */
export const ONE_IN = inject("isThorough") ? 1 : 10;
