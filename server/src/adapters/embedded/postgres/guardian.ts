import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Waits at the other end of a pipe. The end of the pipe means that the service is gone, however it went; then the
 * database is asked to end fast, after five seconds without a checkpoint, after fifteen by force.
 */
const SCRIPT = `
read -r pid || exit 0
cat >/dev/null
kill -INT "$pid" 2>/dev/null || exit 0
n=0
while kill -0 "$pid" 2>/dev/null; do
  n=$((n + 1))
  [ "$n" -eq 50 ] && kill -QUIT "$pid" 2>/dev/null
  [ "$n" -eq 150 ] && kill -KILL "$pid" 2>/dev/null
  [ "$n" -ge 200 ] && exit 1
  sleep 0.1
done
`;

/** A small process that outlives the service just long enough to end its PostgreSQL. */
export interface Guardian {
  /** Names the process to end. */
  watch(pid: number): void;
  /** Ends the guardian alone. */
  dismiss(): void;
}

export function startGuardian(env: Readonly<Record<string, string>>): Guardian {
  // A session of its own: Ctrl-C in a terminal must reach the service alone, which drains before it stops its database.
  const child: ChildProcess = spawn('/bin/sh', ['-c', SCRIPT, 'postgres-guardian'], {
    env,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return {
    watch: (pid) => void child.stdin?.write(`${pid}\n`),
    dismiss: () => void child.kill('SIGKILL'),
  };
}
