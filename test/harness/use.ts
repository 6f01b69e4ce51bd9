import { afterAll, beforeAll } from "vitest";

/** What the tests of a file or `describe` share: started before the first of them and ended after the last, in reverse order. */
export function use<Shared extends object>(
  start: () => Shared | Promise<Shared>,
  end: (shared: Shared & { close?(): unknown }) => unknown = (shared) => shared.close?.(),
): Shared {
  const shared = {} as Shared;
  beforeAll(async () => void Object.assign(shared, await start()));
  afterAll(() => end(shared));
  return shared;
}
