/* Preloaded into a server's process: sets its clock CLOCK_AHEAD_SECONDS ahead. */
const AHEAD_MS = Number(process.env.CLOCK_AHEAD_SECONDS) * 1000;
const { now } = Date;

globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [now() + AHEAD_MS] : given));
  }
  static now() {
    return now() + AHEAD_MS;
  }
};
