import { expect, test } from 'vitest';
import { createLog } from '../kernel/json-log.ts';
import type { Logger } from '../kernel/log.ts';
import type { RequestLogEntry } from '../http-kit/request-log-entry.ts';
import type { Metrics } from './metrics.ts';
import { createRequestObserver } from './observe.ts';

const entry: RequestLogEntry = {
  requestId: 'r0',
  route: 'chat',
  status: 200,
  keyId: 'k',
  tenantId: 't',
  model: 'm',
  stream: false,
  requestBytes: 1,
  responseBytes: 2,
  durationMs: 3.14,
  firstTokenMs: null,
  error: null,
};

/** What is logged of requests at `info`, and how many of them were measured. */
function observed(entries: readonly RequestLogEntry[]) {
  const lines: Record<string, unknown>[] = [];
  const sink = {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    flushSync: () => undefined,
  };
  let measured = 0;
  const metrics = { request: () => measured++ } as Partial<Metrics> as Metrics;
  const observe = createRequestObserver(createLog({ sink, level: 'info', format: 'json' }), metrics);
  for (const one of entries) observe(one);
  return { lines, measured };
}

test('each request has a line of its own, whatever came before it', () => {
  const variants: readonly Partial<RequestLogEntry>[] = [
    {},
    { status: 429, error: new Error('no') },
    { keyId: null },
    { tenantId: null },
    { model: null },
    { stream: true, firstTokenMs: 12.34 },
    { route: 'completions' },
  ];
  // More kinds of requests than there are loggers kept, some of them again and again.
  const entries = Array.from({ length: 400 }, (_, at): RequestLogEntry => {
    const own = at % 3 === 0 ? { keyId: `k${at}` } : {};
    return { ...entry, ...variants[at % variants.length], ...own, requestId: `r${at}`, requestBytes: at };
  });
  const { lines, measured } = observed(entries);
  expect(measured).toBe(entries.length);
  expect(lines).toHaveLength(entries.length);
  for (const [
    at,
    { requestId, route, status, keyId, tenantId, model, stream, firstTokenMs, error },
  ] of entries.entries()) {
    const { level: _level, time: _time, reason, ...line } = lines[at] ?? {};
    expect(line).toEqual({
      msg: 'request',
      requestId,
      route,
      status,
      keyId,
      tenantId,
      model,
      stream,
      requestBytes: at,
      responseBytes: 2,
      durationMs: 3.1,
      ...(firstTokenMs === null ? {} : { firstTokenMs: 12.3 }),
    });
    expect(reason === undefined).toBe(error === null);
  }
});

test('what is polled is logged where it fails', () => {
  const polled = { ...entry, route: 'readyz' };
  const { lines, measured } = observed([polled, { ...polled, status: 503 }, polled]);
  expect(lines.map(({ status }) => status)).toEqual([503]);
  expect(measured).toBe(3);
});

test('what callers have in common is written anew for those alone who have not asked for long', () => {
  let written = 0;
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const log: Logger = { ...quiet, child: () => (written++, { ...quiet, child: () => log }) };
  const observe = createRequestObserver(log, { request: () => undefined } as Partial<Metrics> as Metrics);
  for (let at = 0; at < 200; at++) {
    observe(entry);
    observe({ ...entry, keyId: `k${at}` });
  }
  expect(written).toBe(201);
  // One of those that were forgotten meanwhile, and one that is kept.
  observe({ ...entry, keyId: 'k0' });
  observe({ ...entry, keyId: 'k199' });
  expect(written).toBe(202);
});
