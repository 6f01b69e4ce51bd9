declare module "fs-native-extensions" {
  /**
   * Locks a file that is open for writing until it is closed or the process ends; returns false if another process has
   * the lock.
   */
  export function tryLock(fd: number): boolean;
}
