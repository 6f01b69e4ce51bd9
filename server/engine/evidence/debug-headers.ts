/** Headers that only open debuggers and profilers send. */
export const DEBUG_HEADERS: ReadonlyMap<string, string> = new Map([
  ["x-debug-token", "Symfony profiler"],
  ["x-debug-token-link", "Symfony profiler"],
  ["x-clockwork-id", "Clockwork"],
  ["x-debug-link", "Yii debugger"],
  ["x-miniprofiler-ids", "MiniProfiler"],
  ["phpdebugbar-id", "PHP DebugBar"],
  ["djdt-request-id", "Django Debug Toolbar"],
  ["djdt-store-id", "Django Debug Toolbar"],
  ["x-debugkit-id", "CakePHP DebugKit"],
  ["x-xdebug-profile-filename", "Xdebug"],
]);
