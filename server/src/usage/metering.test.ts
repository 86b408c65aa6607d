import { describe, expect, test } from 'vitest';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import { EngineError } from '../ports/engine.ts';
import { createMetering, type MeteredCall, type ModelUse } from './metering.ts';
import type { UsageRow } from './usage-row.ts';

const tenantId = 't' as TenantId;
/** The row that a call is counted as. */
function rowOf(
  use: Partial<ModelUse> = {},
  actor: MeteredCall['actor'] = { tenantId, keyId: 'k', userId: 'ada' },
): UsageRow | undefined {
  const rows: UsageRow[] = [];
  const metering = createMetering({ record: (row) => void rows.push(row) }, () => 1_500);
  metering.record({ actor, endpoint: 'chat', startedMs: 1_000 }, { model: 'm', engine: 'e/0', ...use });
  expect(rows).toHaveLength(1);
  return rows[0];
}

test('a call is a row of its key, else of its person, with nothing used where nothing is said', () => {
  expect(rowOf()).toEqual({
    at: 1_000,
    tenantId,
    keyId: 'k',
    userId: null,
    endpoint: 'chat',
    model: 'm',
    engine: 'e/0',
    status: 200,
    outcome: 'ok',
    stream: false,
    promptTokens: 0,
    completionTokens: 0,
    reasoningTokens: null,
    firstTokenMs: null,
    latencyMs: 500,
  });
  expect(rowOf({}, { tenantId, keyId: null, userId: 'ada' })).toMatchObject({ keyId: null, userId: 'ada' });
});

describe('the status of a row', () => {
  test.each<[string, Partial<ModelUse>, number]>([
    ['of an answer that is complete', { outcome: 'ok' }, 200],
    ['of a call that its caller ended', { outcome: 'canceled' }, 499],
    [
      'of one that its caller ended after its beginning',
      { outcome: 'canceled', stream: true, firstTokenMs: 5, completionTokens: 3 },
      499,
    ],
    [
      'of one that failed because its caller had ended it',
      { outcome: 'canceled', error: new StudioError('unavailable', 'x') },
      499,
    ],
    ['of a refusal', { outcome: 'error', error: new EngineError('refused', 'x') }, 400],
    ['of a failure of the model server', { outcome: 'error', error: new EngineError('unavailable', 'x') }, 503],
    ['of a limit', { outcome: 'error', error: new StudioError('rate_limited', 'x') }, 429],
    ['of a fault', { outcome: 'error', error: new TypeError('x') }, 500],
    ['that the caller gives', { outcome: 'error', error: new TypeError('x'), status: 418 }, 418],
  ])('%s', (_name, more, status) => expect(rowOf(more)).toMatchObject({ status }));
});

test('whoever listens is told each row', () => {
  const heard: unknown[] = [];
  const metering = createMetering({ record: () => undefined });
  for (const name of ['a', 'b']) metering.onRow(({ model }) => heard.push([name, model]));
  const actor = { tenantId, keyId: 'k', userId: null };
  metering.record({ actor, endpoint: 'chat', startedMs: 0 }, { model: 'm', engine: null });
  expect(heard).toEqual([
    ['a', 'm'],
    ['b', 'm'],
  ]);
});
