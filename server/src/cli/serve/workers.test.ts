import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import type { PostgresConnection } from '../../compose.ts';
import type { Logger } from '../../kernel/log.ts';
import { type FromWorker, startWorkers, type ToWorker, type WorkerGroup } from './workers.ts';

// Workers that are made up here: what becomes of each is said beforehand.

type Fate = 'serves' | 'is killed' | 'fails' | 'is slow';

class FakeWorker extends EventEmitter {
  readonly id = 1;
  readonly process = { send: () => true };
  readonly #fate: Fate;
  /** What a process is told before is lost. */
  #hears = false;
  readonly told: ToWorker['type'][] = [];
  constructor(fate: Fate) {
    super();
    this.#fate = fate;
    const begin = () => {
      this.#hears = true;
      this.#say({ type: 'listening' });
    };
    if (fate === 'is slow') setTimeout(begin, 100);
    else setImmediate(begin);
  }
  #say(message: FromWorker): void {
    this.emit('message', message);
  }
  isConnected(): boolean {
    return true;
  }
  send(message: ToWorker): void {
    if (!this.#hears) return;
    this.told.push(message.type);
    if (message.type === 'stop' || this.#fate === 'is killed') setImmediate(() => this.end());
    else this.#say(this.#fate === 'serves' ? { type: 'ready', port: 8_080 } : { type: 'failed', message: 'no port' });
  }
  end(): void {
    this.emit('exit', null, 'SIGKILL');
  }
}

const log: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
let group: WorkerGroup | null = null;
let made: FakeWorker[] = [];
afterEach(async () => {
  await group?.close(0);
  group = null;
  made = [];
});

/** Those that come after all that were said serve. */
async function start(count: number, ...fates: readonly Fate[]): Promise<WorkerGroup> {
  const fork = () => {
    const worker = new FakeWorker(fates[made.length] ?? 'serves');
    made.push(worker);
    return worker as unknown as Worker;
  };
  group = await startWorkers(count, { connection: {} as PostgresConnection, log, fork, replaceDelayMs: 1 });
  return group;
}

test('a worker that is killed at the first start is started again', async () => {
  expect((await start(1, 'is killed', 'is killed')).port).toBe(8_080);
  expect(made).toHaveLength(3);
});

test('one that is killed three times before any serves is the end of the start, with the reason', async () => {
  await expect(start(1, 'is killed', 'is killed', 'is killed')).rejects.toMatchObject({
    code: 'unavailable',
    message: 'A worker process ended at its start (SIGKILL)',
  });
  expect(made).toHaveLength(3);
});

test('one that says why it cannot start is so at once', async () => {
  await expect(start(1, 'fails')).rejects.toMatchObject({ code: 'unavailable', message: 'no port' });
  expect(made).toHaveLength(1);
});

test('where another serves already its start is not waited for, and it is tried until it serves', async () => {
  const fates: readonly Fate[] = ['serves', 'is killed', 'is killed', 'fails', 'is killed', 'is killed'];
  expect((await start(2, ...fates)).port).toBe(8_080);
  await eventually(() => expect(made).toHaveLength(7));
});

test('the connection on its way to one that ends is closed: nobody else would answer or end it', async () => {
  await start(1);
  const close = vi.fn();
  const handOver = made[0]?.process.send as unknown as (message: object, handle: object) => boolean;
  expect(handOver({ cmd: 'NODE_CLUSTER', act: 'newconn' }, { close })).toBe(true);
  expect(close).not.toHaveBeenCalled();
  made[0]?.end();
  expect(close).toHaveBeenCalledOnce();
});

test('one that begins when all are told to stop is told so as soon as it hears', async () => {
  const { close } = await start(2, 'serves', 'serves', 'is slow');
  made[0]?.end();
  await eventually(() => expect(made).toHaveLength(3));
  await close(600_000);
  expect(made[2]?.told).toEqual(['stop']);
});

test('a message that one does not get, as it was killed a moment ago, ends nothing', async () => {
  await start(1);
  expect(() => made[0]?.emit('error', new Error('write EPIPE'))).not.toThrow();
});

test('one that ends later is replaced', async () => {
  await start(2);
  made[0]?.end();
  await eventually(() => expect(made).toHaveLength(3));
});
