import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a program that runs the fake llama-server, and gives its path. It names this Node, as the one of the search path may be
 * another one, or none.
 */
export function writeFakeLlamaServer(folder: string): string {
  const path = join(folder, 'fake-llama-server');
  const script = join(import.meta.dirname, 'fake-llama-server.ts');
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`, { mode: 0o755 });
  return path;
}
