declare module "fs-native-extensions" {
  /** The lock ends when the file is closed or the process ends. Returns false if another process has it. */
  export function tryLock(fd: number): boolean;
}
