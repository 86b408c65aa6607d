import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'ai-studio-llama-';
/** Addresses of Unix sockets are short. Source: unix(7), 108 bytes with the final zero; less on other systems. */
const MAX_PATH_LENGTH = 100;
const MAX_NAME_LENGTH = '/00000000-00000000.sock'.length;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Folders that services which were killed have left. */
function removeLeftovers(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(/^ai-studio-llama-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    // Another user's folder cannot be removed, and need not be.
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 0 });
  }
}

/** A folder for sockets that only this user can look into, with a short path. */
export interface SocketFolder {
  path(name: string): string;
  /** Safe to repeat. */
  remove(): void;
}

export function createSocketFolder(): SocketFolder {
  const long = join(tmpdir(), `${PREFIX}0000000-000000`).length + MAX_NAME_LENGTH > MAX_PATH_LENGTH;
  const parent = long ? '/tmp' : tmpdir();
  try {
    removeLeftovers(parent);
  } catch {
    // What others left is no reason not to start.
  }
  // Made with mode 0700.
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  return {
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
