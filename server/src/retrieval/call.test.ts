import { expect, test } from 'vitest';
import type { Calls } from '../inference/index.ts';
import { openModelCall } from './call.ts';
import type { RetrievalDeps } from './deps.ts';

test('a call has the class of the request that it is a part of, unless it has one of its own', () => {
  type Details = Parameters<Calls['openUnlimited']>[0];
  const opened: Details[] = [];
  const deps = { calls: { openUnlimited: (details: Details) => void opened.push(details) }, now: () => 0 };
  const ctx = { actor: {} as never, requestId: 'r', signal: new AbortController().signal };
  const open = (priority?: 'batch', own?: 'ingest') =>
    openModelCall(deps as unknown as RetrievalDeps, { ...ctx, priority }, 'search', own);
  open();
  open('batch');
  open('batch', 'ingest');
  expect(opened.map(({ priority }) => priority)).toEqual([undefined, 'batch', 'ingest']);
});
