import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { invalidRequest, StudioError } from '../kernel/errors.ts';
import type { RateState } from '../ports/rate-limiter.ts';
import { type ChatRouteDeps, createChatHandler } from './chat.ts';
import { createKeepAlive } from './keep-alive.ts';
import type { Observed } from './observed.ts';

test('a call that is ended while its refusal is counted is answered and told of once', async () => {
  const keepAlive = createKeepAlive(Date.now);
  const mayNot = new AbortController();
  const observed: Observed[] = [];
  const counting = Promise.withResolvers<void>();
  const counted = Promise.withResolvers<RateState>();
  const deps: Partial<ChatRouteDeps> = {
    authenticate: () => ({ id: 'k', userId: 'u', guard: null, mayNot: mayNot.signal }) as never,
    maxBodyBytes: 100,
    prepare() {
      throw invalidRequest('The body is no chat', 'model');
    },
    limiter: {
      reserve() {
        counting.resolve();
        return counted.promise;
      },
    } as never,
    limitsOf: () => ({}) as never,
    failure: (error) => ({
      status: 403,
      headers: {},
      body: { error: { message: String(error), type: 'permission_error', param: null, code: '403' } },
    }),
    keepAlive,
    observe: (one) => void observed.push(one),
    now: Date.now,
  };
  const handle = createChatHandler(deps as ChatRouteDeps);
  const failures: unknown[] = [];
  const server = createServer((request, response) => {
    response.on('error', (error) => failures.push(error));
    handle(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { method: 'POST', body: '{}' });
  await counting.promise;
  mayNot.abort(new StudioError('forbidden', 'You have left this tenant'));
  expect(await (await answer).json()).toMatchObject({
    error: { message: expect.stringContaining('You have left this tenant') as string },
  });
  counted.resolve({ allowed: true } as RateState);
  await new Promise((resolve) => setImmediate(resolve));
  expect(observed).toHaveLength(1);
  expect(failures).toEqual([]);
  server.closeAllConnections();
  server.close();
  keepAlive.close();
});
