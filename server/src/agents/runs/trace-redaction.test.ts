import { expect, test } from 'vitest';
import type { Database } from '../../ports/database.ts';
import type { RunActor } from '../run-actor.ts';
import type { Execution } from './execution.ts';
import { createTraceRedaction } from './trace-redaction.ts';

const policy = (mode: 'mask' | 'report') => ({ mode, types: [], recognizer_model: null });
const hide = (_policy: object, text: string) => text.replaceAll('secret', '[PII]');

function hideWith(guard: object | null | undefined, actorOf: RunActor | null = null) {
  const asked: unknown[] = [];
  const traceRedaction = createTraceRedaction({
    db: {} as Database,
    guard: { hide },
    actorOf: (who, own) => {
      asked.push(own);
      return actorOf === null ? expect.fail('nobody is looked up') : actorOf(who, own);
    },
  });
  const execution = { guard, actor: {}, row: { definition: { limits: { guard: 'mask' } } } };
  return { asked, hidden: traceRedaction(execution as unknown as Execution) };
}

test('a trace is hidden where models were not to see its values, and only there', async () => {
  const masked = await hideWith(policy('mask')).hidden;
  expect(masked?.('my secret')).toBe('my [PII]');
  expect(await hideWith(policy('report')).hidden).toBeNull();
  expect(await hideWith(null).hidden).toBeNull();
});

test('where no model was asked the policy of whoever pays for the run decides, with the mode of its agent', async () => {
  const actor = { guard: policy('mask') } as unknown as Awaited<ReturnType<RunActor>>;
  const { asked, hidden } = hideWith(undefined, () => Promise.resolve(actor));
  expect((await hidden)?.('secret')).toBe('[PII]');
  expect(asked).toEqual([['mask']]);
});
