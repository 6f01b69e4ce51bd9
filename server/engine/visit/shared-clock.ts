/** Milliseconds on a clock that no one sets and that all threads share, unlike `performance.now()`, which each begins at 0. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6;
