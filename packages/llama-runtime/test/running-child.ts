import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHILD_FLAGS, type ChildMessage, type ChildSettings, type ReadyInfo } from '../src/child/settings.ts';

const bundle = process.env['STUDIO_TEST_BUNDLE'];
/** Where the process of a model begins: as in the service, where the run of the tests has bundled that; see `childMainOf`. */
const MAIN =
  bundle === undefined ? join(import.meta.dirname, '../src/child/main.ts') : join(bundle, 'llama-child', 'index.mjs');

type Fields = Record<string, unknown>;

/** A reply as JSON, loosely typed: these are tests of what is in it. */
export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface RunningChild {
  readonly info: ReadyInfo;
  readonly process: ChildProcess;
  /** Generations in work or waiting, as the child told last. */
  busy(): number;
  whenIdle(): Promise<void>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Chunks of a stream. */
  stream(body: Fields): Promise<{ chunks: Fields[]; done: boolean }>;
  /** A request whose connection the test can break. */
  open(
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): {
    readonly call: ClientRequest;
    readonly response: Promise<IncomingMessage>;
  };
  stop(): Promise<void>;
}

function settingsOf(modelPath: string, folder: string, settings: Partial<ChildSettings>): ChildSettings {
  return {
    modelPath,
    modelId: 'tiny',
    kind: 'chat',
    socketPath: join(folder, 'model.sock'),
    contextLength: 512,
    parallel: 4,
    threads: 1,
    gpu: 'off',
    runtimeDir: null,
    maxQueue: 32,
    ...settings,
  };
}

async function readAll(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

/** Forks a child and waits until it serves. Rejects with kind and message of a load that failed. */
export async function startTestChild(modelPath: string, wanted: Partial<ChildSettings> = {}): Promise<RunningChild> {
  const folder = mkdtempSync(join(tmpdir(), 'llama-child-'));
  const settings = settingsOf(modelPath, folder, wanted);
  const child = fork(MAIN, [], { execArgv: [...CHILD_FLAGS], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const gone = once(child, 'exit');
  let written = '';
  child.stdout?.on('data', (bytes: Buffer) => (written += bytes.toString()));
  let busy = 0;
  let idle: (() => void)[] = [];
  const loaded = Promise.withResolvers<ReadyInfo>();
  child.on('message', (message: ChildMessage) => {
    if (message.type === 'ready') loaded.resolve(message.info);
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what a test looks at
    if (message.type === 'failed') loaded.reject({ kind: message.kind, message: message.message });
    if (message.type !== 'activity') return;
    busy = message.busy;
    if (busy > 0) return;
    for (const resolve of idle) resolve();
    idle = [];
  });
  const stop = async () => {
    if (child.connected) child.disconnect();
    await gone;
    rmSync(folder, { recursive: true, force: true });
    if (written !== '') throw new Error(`The child wrote to its standard output: ${written}`);
  };
  child.send({ type: 'start', settings });
  const info = await loaded.promise.catch(async (failure: unknown) => {
    await stop();
    throw failure;
  });

  const open: RunningChild['open'] = (path, body, headers = {}) => {
    const call = request({ socketPath: settings.socketPath, path, method: 'POST', headers });
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      call.once('response', resolve);
      call.once('error', reject);
    });
    // Whoever breaks the connection does not wait for the answer.
    response.catch(() => undefined);
    call.end(typeof body === 'string' ? body : JSON.stringify(body));
    return { call, response };
  };

  return {
    info,
    process: child,
    busy: () => busy,
    whenIdle: () => (busy === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(() => resolve()))),
    open,
    async post(path, body, headers) {
      const response = await open(path, body, headers).response;
      return { status: response.statusCode ?? 0, body: JSON.parse(await readAll(response)) as unknown };
    },
    async stream(body) {
      const response = await open('/v1/chat/completions', { ...body, stream: true }).response;
      const lines = (await readAll(response)).split('\n\n').filter((line) => line !== '');
      const data = lines.map((line) => line.replace(/^data: /, ''));
      const done = data.at(-1) === '[DONE]';
      return { chunks: data.filter((line) => line !== '[DONE]').map((line) => JSON.parse(line) as Fields), done };
    },
    stop,
  };
}
