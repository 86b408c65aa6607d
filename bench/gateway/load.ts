/**
 * The load generator, in a process of its own. Runs one job at a time, sent by its parent over IPC, and reads the CPU
 * time of the watched processes exactly where its measuring window begins and ends.
 */
import { connect, type Socket } from 'node:net';
import { createFraming } from './framing.ts';
import { TOKEN_MARK } from './payload.ts';
import { cpuMicros, rssKb } from './proc.ts';

/** Where requests go and what they carry besides the body. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type Job = {
  readonly target: Target;
  /** Bodies as base64, used in turn. */
  readonly bodies: readonly string[];
  /** Ids of the contender's processes. */
  readonly watch: readonly number[];
} & (
  | { readonly kind: 'once' }
  | { readonly kind: 'closed'; readonly connections: number; readonly warmMs: number; readonly measureMs: number }
  | {
      readonly kind: 'rate';
      readonly perSecond: number;
      readonly warmMs: number;
      readonly measureMs: number;
      /** Looks at the clock once a millisecond, so that it needs no core for itself; where a millisecond does not matter. */
      readonly coarse?: boolean;
    }
  | {
      readonly kind: 'streams';
      readonly count: number;
      readonly tokens: number;
      readonly openPerSecond: number;
      /** From the last stream's opening to the window, and the window. */
      readonly settleMs: number;
      readonly measureMs: number;
      /** When to give up on streams that do not end. */
      readonly limitMs: number;
      /** Whether the ends of texts repeat them, as those of responses do. */
      readonly repeats?: boolean;
    }
);

/** What a job found out. Times are in milliseconds unless the name says otherwise. */
export interface JobResult {
  /** Requests or, for streams, tokens that arrived within the window. */
  readonly done: number;
  readonly failed: number;
  /** Those of the window that were answered with 503. Only for `rate`. */
  readonly refused: number;
  /** One of the failures, for people. */
  readonly failure: string | null;
  readonly windowMs: number;
  readonly cpuMicros: number;
  /** CPU time that the generator itself used in the window, to see whether it was the limit. */
  readonly ownCpuMicros: number;
  /** Resident memory of the watched processes before the job and with all streams open. */
  readonly rssBeforeKb: number;
  readonly rssOpenKb: number;
  /** Milliseconds from when a request was due to its last byte, sorted. Only for `rate`. */
  readonly latencies: readonly number[];
  /** Streams that delivered every token in order and then ended. */
  readonly intact: number;
  readonly tokensMissing: number;
  readonly body: string;
}

const WHOLE_TIMEOUT_MS = 20_000;
/** What a client is told by a service that has too much to do. */
const BUSY = 'status 503';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function requests({ target, bodies }: Job): Buffer[] {
  return bodies.map((base64) => {
    const body = Buffer.from(base64, 'base64');
    const headers = { host: `127.0.0.1:${target.port}`, 'content-type': 'application/json', ...target.headers };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `POST ${target.path} HTTP/1.1\r\n${lines.join('')}content-length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head, 'latin1'), body]);
  });
}

interface Client {
  send(request: Buffer): void;
  close(): void;
}

/** One keep-alive connection. `onDone` gets null when a reply with status 200 is complete, else the error. */
function createClient(
  port: number,
  onDone: (problem: string | null) => void,
  onBody?: (bytes: Buffer, start: number, end: number) => void,
): Client {
  let status = 0;
  let waiting = false;
  let socket: Socket | undefined;
  const finish = (problem: string | null) => {
    if (!waiting) return;
    waiting = false;
    onDone(problem);
  };
  const open = () => {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    opened.on(
      'data',
      createFraming({
        onHead(head) {
          status = Number(head.slice(9, 12));
        },
        onBody,
        onEnd: () => finish(status === 200 ? null : `status ${status}`),
      }),
    );
    opened.once('error', (error) => finish(error.message));
    opened.once('close', () => {
      if (socket === opened) socket = undefined;
      finish('connection closed');
    });
    return opened;
  };
  return {
    send(request) {
      waiting = true;
      socket ??= open();
      socket.write(request);
    },
    close() {
      waiting = false;
      socket?.destroy();
    },
  };
}

/** Counts what happens between `open` and `close` of the window. */
function createMeter(watch: readonly number[]) {
  let openedAt = 0;
  let cpu = 0;
  let own = process.cpuUsage();
  let failed = 0;
  let failure: string | null = null;
  const rssBeforeKb = rssKb(watch);
  const meter = {
    counting: false,
    done: 0,
    rssOpenKb: 0,
    open() {
      cpu = cpuMicros(watch);
      own = process.cpuUsage();
      openedAt = performance.now();
      meter.counting = true;
    },
    fail(problem: string) {
      failed += 1;
      failure ??= problem;
    },
    close(): Omit<JobResult, 'latencies' | 'refused' | 'intact' | 'tokensMissing' | 'body'> {
      meter.counting = false;
      const windowMs = performance.now() - openedAt;
      const spent = cpuMicros(watch) - cpu;
      const used = process.cpuUsage(own);
      const ownCpuMicros = used.user + used.system;
      const { done, rssOpenKb } = meter;
      return { done, failed, failure, windowMs, cpuMicros: spent, ownCpuMicros, rssBeforeKb, rssOpenKb };
    },
  };
  return meter;
}

const noStreams = { latencies: [], refused: 0, intact: 0, tokensMissing: 0, body: '' };

async function once(job: Job): Promise<JobResult> {
  const meter = createMeter(job.watch);
  meter.open();
  const parts: Buffer[] = [];
  await new Promise<void>((resolve) => {
    const client = createClient(
      job.target.port,
      (problem) => {
        if (problem !== null) meter.fail(problem);
        else meter.done += 1;
        client.close();
        resolve();
      },
      (bytes, start, end) => parts.push(Buffer.from(bytes.subarray(start, end))),
    );
    client.send(requests(job)[0] ?? Buffer.alloc(0));
    setTimeout(resolve, WHOLE_TIMEOUT_MS).unref();
  });
  return { ...meter.close(), ...noStreams, body: Buffer.concat(parts).toString('utf8') };
}

/** As many requests as the contender takes on a fixed number of connections. */
async function closed(job: Job & { kind: 'closed' }): Promise<JobResult> {
  const sends = requests(job);
  const meter = createMeter(job.watch);
  let turn = 0;
  let running = true;
  const clients = Array.from({ length: job.connections }, () => {
    const next = () => {
      turn += 1;
      client.send(sends[turn % sends.length] ?? Buffer.alloc(0));
    };
    const client = createClient(job.target.port, (problem) => {
      if (problem !== null) meter.fail(problem);
      else if (meter.counting) meter.done += 1;
      if (!running) return;
      // A contender that refuses at once must not be asked in a tight loop.
      if (problem === null) next();
      else setTimeout(next, 50);
    });
    next();
    return client;
  });
  await sleep(job.warmMs);
  meter.open();
  await sleep(job.measureMs);
  const result = meter.close();
  running = false;
  for (const client of clients) client.close();
  return { ...result, ...noStreams };
}

/**
 * Requests at fixed moments, whether or not earlier ones were answered; each counts from the moment it was due, so
 * that a stall is charged to every request it held up. Spins rather than sleeps, unless `coarse`: timers are a millisecond coarse.
 */
async function rate(job: Job & { kind: 'rate' }): Promise<JobResult> {
  const sends = requests(job);
  const meter = createMeter(job.watch);
  const latencies: number[] = [];
  const idle: ((due: number, index: number) => void)[] = [];
  const clients: Client[] = [];
  let pending = 0;
  let refused = 0;
  const startedAt = performance.now();
  const fromMs = startedAt + job.warmMs;
  const untilMs = fromMs + job.measureMs;

  const fresh = () => {
    let dueAt = 0;
    const client = createClient(job.target.port, (problem) => {
      pending -= 1;
      if (problem !== null) meter.fail(problem);
      if (problem === BUSY && dueAt >= fromMs) refused += 1;
      if (problem === null && dueAt >= fromMs) {
        meter.done += 1;
        latencies.push(performance.now() - dueAt);
      }
      idle.push(start);
    });
    const start = (due: number, index: number) => {
      dueAt = due;
      pending += 1;
      client.send(sends[index % sends.length] ?? Buffer.alloc(0));
    };
    clients.push(client);
    return start;
  };

  let index = 0;
  await new Promise<void>((resolve) => {
    const spin = () => {
      const now = performance.now();
      if (!meter.counting && now >= fromMs && now < untilMs) meter.open();
      for (;;) {
        const due = startedAt + (index * 1000) / job.perSecond;
        if (due > now || due >= untilMs) break;
        (idle.pop() ?? fresh())(due, index);
        index += 1;
      }
      if (now >= untilMs && (pending === 0 || now > untilMs + WHOLE_TIMEOUT_MS)) resolve();
      else if (job.coarse === true) setTimeout(spin, 1);
      else setImmediate(spin);
    };
    spin();
  });
  const result = meter.close();
  for (const client of clients) client.close();
  for (let i = 0; i < pending; i += 1) meter.fail('no answer');
  latencies.sort((a, b) => a - b);
  return { ...result, ...noStreams, latencies, refused };
}

const MARK = TOKEN_MARK.charCodeAt(0);

/** Reads the numbers of the tokens out of a stream's bytes, wherever they are cut; `next` is called with each. */
function createTokenReader(onToken: (token: number) => void) {
  let value = -1;
  return (bytes: Buffer, start: number, end: number) => {
    let at = start;
    for (;;) {
      if (value < 0) {
        const mark = bytes.indexOf(MARK, at);
        if (mark < 0 || mark >= end) return;
        at = mark + 1;
        value = 0;
      }
      for (; at < end; at += 1) {
        const digit = (bytes[at] ?? 0) - 48;
        if (digit < 0 || digit > 9) break;
        value = value * 10 + digit;
      }
      if (at >= end) return;
      onToken(value);
      value = -1;
    }
  };
}

/** Many streams open at once, each checked token by token. */
async function streams(job: Job & { kind: 'streams' }): Promise<JobResult> {
  const sends = requests(job);
  const meter = createMeter(job.watch);
  const clients: Client[] = [];
  let intact = 0;
  let tokensMissing = 0;
  let over = 0;
  let speaking = 0;

  const start = (index: number) => {
    let expected = 0;
    let disorder = 0;
    const client = createClient(
      job.target.port,
      (problem) => {
        over += 1;
        const missing = job.tokens - expected + disorder;
        tokensMissing += Math.max(0, missing);
        if (problem !== null) meter.fail(problem);
        else if (missing === 0) intact += 1;
        else meter.fail(`${missing} tokens missing or out of order`);
        client.close();
      },
      createTokenReader((token) => {
        if (job.repeats === true && token < expected) return;
        if (token === 0) speaking += 1;
        if (token === expected) expected += 1;
        else disorder += 1;
        if (meter.counting) meter.done += 1;
      }),
    );
    clients.push(client);
    client.send(sends[index % sends.length] ?? Buffer.alloc(0));
  };

  const startedAt = performance.now();
  const deadline = startedAt + job.limitMs;
  while (clients.length < job.count) {
    const due = ((performance.now() - startedAt) * job.openPerSecond) / 1000;
    while (clients.length < Math.min(due, job.count)) start(clients.length);
    await sleep(2);
  }
  while (speaking + over < job.count && performance.now() < deadline) await sleep(10);
  await sleep(job.settleMs);
  meter.open();
  await sleep(job.measureMs);
  meter.rssOpenKb = rssKb(job.watch);
  const { failed: _failed, failure: _failure, ...window } = meter.close();
  while (over < job.count && performance.now() < deadline) await sleep(20);
  const unfinished = job.count - over;
  for (let i = 0; i < unfinished; i += 1) meter.fail('did not end');
  for (const client of clients) client.close();
  const { failed, failure } = meter.close();
  return { ...noStreams, ...window, failed, failure, intact, tokensMissing };
}

function run(job: Job): Promise<JobResult> {
  if (job.kind === 'once') return once(job);
  if (job.kind === 'closed') return closed(job);
  if (job.kind === 'rate') return rate(job);
  return streams(job);
}

process.once('disconnect', () => process.exit(0));
process.on('message', (job: Job) => {
  run(job).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
