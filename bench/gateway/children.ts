import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { processTree } from './proc.ts';

const STOP_MS = 15_000;
const POLL_MS = 50;

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A program of the benchmark, and whatever it starts. */
export interface Program {
  readonly child: ChildProcess;
  /** Ids of the program's processes that run now. */
  pids(): number[];
  /** Asks for the program's end, insists after 15 seconds, and returns when none of its processes is left. Safe to repeat. */
  stop(): Promise<void>;
  /** The last of what it printed. */
  output(): string;
}

export interface ProgramOptions {
  /** Core to keep to. */
  readonly core: string | null;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Whether messages are exchanged with it. */
  readonly channel?: boolean;
}

const alive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Starts programs and ends them all; no program outlives its owner. */
export function createPrograms() {
  const running = new Set<Program>();

  function start(file: string, args: readonly string[], { core, env, cwd, channel = false }: ProgramOptions): Program {
    const [command, ...rest] = core === null ? [file, ...args] : ['taskset', '-c', core, file, ...args];
    const child = spawn(command ?? file, rest, {
      env: { ...process.env, ...env },
      cwd,
      stdio: ['ignore', 'pipe', 'pipe', channel ? 'ipc' : 'ignore'],
    });
    let printed = '';
    const keep = (bytes: Buffer) => (printed = (printed + bytes.toString('utf8')).slice(-20_000));
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', (error) => (printed += error.message));

    let stopping: Promise<void> | undefined;
    const end = async () => {
      const pids = program.pids();
      child.kill('SIGTERM');
      const deadline = Date.now() + STOP_MS;
      while (pids.some(alive) && Date.now() < deadline) await sleep(POLL_MS);
      for (const pid of pids.filter(alive)) process.kill(pid, 'SIGKILL');
      running.delete(program);
    };
    const program: Program = {
      child,
      // The id of one that has ended may be another's by now.
      pids: () =>
        child.pid === undefined || child.exitCode !== null || child.signalCode !== null ? [] : processTree(child.pid),
      stop: () => (stopping ??= end()),
      output: () => printed,
    };
    running.add(program);
    return program;
  }

  return { start, stopAll: async () => void (await Promise.all([...running].map((program) => program.stop()))) };
}
export type Programs = ReturnType<typeof createPrograms>;

/** The next message of a program that has a channel. Rejects when it ends first. */
export function nextMessage<T>({ child, output }: Program): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`a program of the benchmark ended: ${output()}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}

/** A TCP port of 127.0.0.1 that is free now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
