import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { StudioError } from '../kernel/errors.ts';
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
