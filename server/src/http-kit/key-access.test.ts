import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { KeyRecord } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { ForbiddenKey } from './auth.ts';
import { createKeyAccess } from './key-access.ts';
import { createKeepAlive } from './keep-alive.ts';

function house(closed: boolean) {
  const keepAlive = createKeepAlive(() => 0);
  const kept: unknown[] = [];
  const keyAccess = createKeyAccess({
    authenticate: () => Promise.reject(new Error('not asked')),
    calls: {} as never,
    keyActor: () => ({}) as never,
    keepAlive: {
      ...keepAlive,
      add(answer) {
        kept.push(answer);
        keepAlive.add(answer);
      },
    },
  });
  const raw = Object.assign(new EventEmitter(), { closed });
  const request = { record: { key: { id: 'k' } } } as FastifyRequest;
  return { keepAlive, kept, raw, signal: keyAccess.abortSignal(request, { raw } as unknown as FastifyReply) };
}

test('an answer ends when its caller leaves, or its key may not be used any more', () => {
  const left = house(false);
  expect(left.signal.aborted).toBe(false);
  left.raw.emit('close');
  expect(left.signal.reason).toMatchObject({ code: 'client_closed' });
  left.keepAlive.close();

  const cut = house(false);
  cut.keepAlive.terminateKey('another', new StudioError('forbidden', 'no'));
  expect(cut.signal.aborted).toBe(false);
  cut.keepAlive.terminateKey('k', new StudioError('unauthenticated', 'deleted'));
  expect(cut.signal.reason).toMatchObject({ code: 'unauthenticated' });
  cut.keepAlive.close();
});

test('of a caller who has left already nothing is kept', () => {
  const { signal, kept, keepAlive } = house(true);
  expect(signal.reason).toMatchObject({ code: 'client_closed' });
  expect(kept).toEqual([]);
  keepAlive.close();
});

describe('a call that is refused', () => {
  const key = { id: 'k' } as unknown as KeyRecord;

  async function refusedBy(refusal: StudioError) {
    const counted: unknown[] = [];
    const given: object[] = [];
    const keyAccess = createKeyAccess({
      authenticate: () => Promise.reject(refusal),
      calls: {
        count(actor: unknown, onRate: (rate: { limit: number; remaining: number; resetSeconds: number }) => void) {
          counted.push(actor);
          onRate({ limit: 60, remaining: 59, resetSeconds: 1 });
          return Promise.resolve();
        },
      } as never,
      keyActor: ({ id }) => ({ keyId: id }) as never,
      keepAlive: {} as never,
    });
    const request = { headers: {}, record: {} } as unknown as FastifyRequest;
    const reply = { headers: (headers: object) => given.push(headers) } as unknown as FastifyReply;
    await expect(keyAccess.authenticate(request, reply, 'chat')).rejects.toBe(refusal);
    return { counted, given, key: request.record.key };
  }

  test('beyond the scope of its key counts for that key, and tells what is left', async () => {
    const refused = await refusedBy(new ForbiddenKey(key, 'The API key has no permission for chat', null));
    expect(refused.counted).toEqual([{ keyId: 'k' }]);
    expect(refused.given).toHaveLength(1);
    expect(refused.key).toBe(key);
  });

  test('without a valid key counts for nobody', async () => {
    const refused = await refusedBy(new StudioError('unauthenticated', 'The API key is not valid'));
    expect(refused).toEqual({ counted: [], given: [], key: undefined });
  });
});
