import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { generateKeyValue } from '../../server/src/identity/key-format.ts';
import { freePort, type Program, type Programs, sleep } from '../gateway/children.ts';
import { cpuMicros } from '../gateway/proc.ts';

const READY_MS = 120_000;
/** Between two questions whether it is ready. */
const POLL_MS = 4;

/** A folder with the data of one checkout's service, which is started on it again and again. */
export interface Installation {
  readonly name: string;
  start(programs: Programs): Promise<RunningService>;
}

export interface RunningService {
  readonly program: Program;
  /** From the start of what `npm start` runs until `/readyz` answers 200, in milliseconds. */
  readonly readyMs: number;
  /** CPU time of all its processes until then, in milliseconds. */
  readonly cpuMs: number;
  /** Sends a request with the key. Throws on another status than 200. */
  call(method: string, path: string, body?: object): Promise<string>;
}

/** Whether it answers 200; false while nobody listens. */
const isReady = (port: number) =>
  new Promise<boolean>((resolve) => {
    const request = http.get({ host: '127.0.0.1', port, path: '/readyz', agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200));
    });
    request.once('error', () => resolve(false));
  });

const caller =
  (port: number, key: string): RunningService['call'] =>
  async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && !isForm ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return text;
  };

/** Prepares a folder for the service of a checkout, with settings as they are by default and without limits. */
export async function install(name: string, checkout: string, folder: string): Promise<Installation> {
  const starter = join(checkout, 'tools/bootstrap.mjs');
  if (!existsSync(starter)) throw new Error(`${checkout} is no checkout of this service`);
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const key = generateKeyValue();
  const file = join(folder, 'studio.yaml');
  const limits = { requests_per_minute: null, tokens_per_minute: null };
  // JSON is YAML. What other services of the machine answer to a search for model servers would be measured too.
  const config = { data_dir: join(folder, 'data'), server: { port }, probe: { enabled: false }, limits };
  writeFileSync(file, JSON.stringify(config));
  // That of the checkout, whatever this process has.
  const NODE_COMPILE_CACHE = join(checkout, '.runtime/compile-cache');
  const env = { STUDIO_CONFIG: file, STUDIO_INIT_API_KEY: key, NODE_COMPILE_CACHE };

  const start = async (programs: Programs): Promise<RunningService> => {
    const began = performance.now();
    const program = programs.start(process.execPath, [starter, 'start'], { core: null, env });
    while (!(await isReady(port))) {
      if (program.child.exitCode !== null || performance.now() - began > READY_MS)
        throw new Error(`${name} did not get ready:\n${program.output()}`);
      await sleep(POLL_MS);
    }
    const readyMs = performance.now() - began;
    return { program, readyMs, cpuMs: cpuMicros(program.pids()) / 1_000, call: caller(port, key) };
  };
  return { name, start };
}
