import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generateKeyValue } from '../../src/identity/key-format.ts';
import { administratorEnv } from './administrator-env.ts';
import type { Caller } from './http.ts';
import { inTime } from './in-time.ts';
import { copySeed, type Seed } from './seed.ts';

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs');

/** A key of the right form for STUDIO_INIT_API_KEY. */
export const testKey = generateKeyValue();

export interface ServiceOptions {
  /** Content of the configuration file. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder to use; without it one is made and removed at the end. */
  readonly dataFolder?: string;
  readonly port?: number;
  /** Programs that run it: the last one runs what is given to it. */
  readonly within?: readonly string[];
  /** Has the service make its database itself, as on a new machine, instead of starting from a copy of a migrated one. */
  readonly makesDatabase?: boolean;
  /** The key to register at the first start; null registers none, so that the service makes one. */
  readonly initKey?: string | null;
}

/** The service as a process of its own. */
export interface Service extends Caller {
  readonly port: number;
  readonly dataFolder: string;
  /** The database that it was given; null where it has one of its own. */
  readonly databaseUrl: string | null;
  readonly pid: number;
  /** What it has printed so far. */
  output(): string;
  exited: Promise<number | null>;
  /** Asks it to stop and waits until it has. */
  stop(): Promise<number | null>;
  /** kill -9 */
  kill(): Promise<void>;
  /** Stops it, and removes its data folder when that was made for it. */
  close(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export const temporaryFolder = () => mkdtemp(join(tmpdir(), 'ai-studio-test-'));

/** The database to begin with: one with the administrator where the environment names them, as hashing a password takes long. */
const seedOf = (env: ServiceOptions['env'] = {}): Seed =>
  Object.entries(administratorEnv).every(([name, value]) => env[name] === value) ? 'set-up' : 'migrated';

/** Starts the service without waiting for it to be ready. */
export async function launch(options: ServiceOptions = {}): Promise<Service> {
  const dataFolder = options.dataFolder ?? (await temporaryFolder());
  const port = options.port ?? (await freePort());
  const databaseUrl = options.env?.['STUDIO_DATABASE_URL'] ?? null;
  if (databaseUrl === null && options.makesDatabase !== true) await copySeed(dataFolder, seedOf(options.env));
  const configFile = join(await temporaryFolder(), 'studio.yaml');
  // JSON is YAML.
  await writeFile(configFile, JSON.stringify(options.config ?? {}));
  const initKey = options.initKey === undefined ? testKey : options.initKey;
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(STUDIO_|VITEST|NODE_OPTIONS|NODE_ENV)/.test(name)),
  );
  const node = process.execPath;
  const [command, ...rest] = [...(options.within ?? []), node, main];
  const child = spawn(command ?? node, rest, {
    cwd: join(import.meta.dirname, '..', '..', '..'),
    env: {
      ...inherited,
      STUDIO_CONFIG: configFile,
      STUDIO_DATA_DIR: dataFolder,
      STUDIO_SERVER_PORT: String(port),
      ...(initKey === null ? {} : { STUDIO_INIT_API_KEY: initKey }),
      ...options.env,
    },
    // The channel closes with this process, however it ends, and the service with it.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  return serviceOf(child, {
    port,
    dataFolder,
    databaseUrl,
    configFile,
    key: initKey ?? '',
    keepsFolder: options.dataFolder !== undefined,
  });
}

const running = new Set<Service>();

/** What all running services of this process have printed since a moment, without their everyday lines. */
export function printedSince(moment: Date): string {
  const since = moment.toISOString();
  const isTelling = (line: string) => {
    if (!line.startsWith('{')) return line !== '';
    const { level, time } = JSON.parse(line) as { level: string; time: string };
    return level !== 'info' && level !== 'debug' && time >= since;
  };
  return [...running].flatMap((service) => service.output().split('\n').filter(isTelling).slice(-20)).join('\n');
}

function serviceOf(
  child: ChildProcess,
  known: {
    port: number;
    dataFolder: string;
    databaseUrl: string | null;
    configFile: string;
    key: string;
    keepsFolder: boolean;
  },
): Service {
  let printed = '';
  child.stdout?.on('data', (part: Buffer) => (printed += part.toString('utf8')));
  child.stderr?.on('data', (part: Buffer) => (printed += part.toString('utf8')));
  const exited = once(child, 'close').then(async ([code]) => {
    await rm(dirname(known.configFile), { recursive: true, force: true });
    return code as number | null;
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return inTime(`the end of a service by ${signal}`, exited);
  };
  const service: Service = {
    base: `http://127.0.0.1:${known.port}`,
    key: known.key,
    port: known.port,
    dataFolder: known.dataFolder,
    databaseUrl: known.databaseUrl,
    pid: child.pid ?? -1,
    output: () => printed,
    exited,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    async close() {
      // Nobody waits for answers that are still open: the second signal ends them.
      const impatient = setTimeout(() => child.kill('SIGTERM'), 2_000);
      await end('SIGTERM');
      clearTimeout(impatient);
      // A database that its service did not wait for may still be ending.
      if (!known.keepsFolder) await rm(known.dataFolder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
  running.add(service);
  void exited.then(() => running.delete(service));
  return service;
}

/** Waits until the service says that it is ready. Fails with what it printed when it ends instead. */
export async function untilReady(service: Service, withinMs = 180_000): Promise<Service> {
  const ended = { now: false };
  void service.exited.then(() => (ended.now = true));
  for (const deadline = Date.now() + withinMs; Date.now() < deadline;) {
    if (ended.now) throw new Error(`the service ended at its start:\n${service.output()}`);
    const ready = await fetch(`${service.base}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return service;
    await wait(25);
  }
  await service.kill();
  throw new Error(`the service was not ready within ${withinMs} ms:\n${service.output()}`);
}

/** Starts the service and waits until it is ready. */
export const startService = async (options: ServiceOptions = {}): Promise<Service> => untilReady(await launch(options));
