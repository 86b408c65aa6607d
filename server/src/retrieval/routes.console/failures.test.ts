import { expect, test } from 'vitest';
import { EngineError } from '../../ports/engine.ts';
import { withReasons } from './failures.ts';

test('a model that is away says to the console when to try again, where it is known', async () => {
  const of = (retryAfterSeconds: number | null) =>
    withReasons(Promise.reject(new EngineError('unavailable', 'away', { retryAfterSeconds })));
  const told = { code: 'unavailable', reason: 'search_model_unavailable' };
  await expect(of(5)).rejects.toMatchObject({ ...told, retryAfterSeconds: 5 });
  await expect(of(null)).rejects.toMatchObject({ ...told, retryAfterSeconds: undefined });
});
