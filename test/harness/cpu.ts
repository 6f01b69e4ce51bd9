/** Milliseconds of processor that the work took, which another process's load does not lengthen. */
export async function measureCpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
