import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
import type { RateState } from '../../ports/rate-limiter.ts';
import { type ChatDeps, createOpenChat } from '../index.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { type ChatRouteDeps, createChatHandler } from './serve-chat.ts';
import { NodeExchange } from '../../http-kit/node-exchange.ts';
import { createKeepAlive } from '../../http-kit/keep-alive.ts';
import type { RequestLogEntry } from '../../http-kit/request-log-entry.ts';

test('a call that is ended while its refusal is counted is answered and told of once', async () => {
  const keepAlive = createKeepAlive(Date.now);
  const accessLost = new AbortController();
  const observed: RequestLogEntry[] = [];
  const counting = Promise.withResolvers<void>();
  const counted = Promise.withResolvers<RateState>();
  const actor = unlimitedActor({
    tenantId: 't' as TenantId,
    keyId: null,
    userId: 'u',
  });
  const deps: Partial<ChatRouteDeps> = {
    authenticate: () => ({ actor, toolStream: null, accessLost: accessLost.signal }),
    maxBodyBytes: 100,
    openChat: createOpenChat({
      check() {
        throw invalidRequest('The body is no chat', 'model');
      },
      limiter: {
        reserve() {
          counting.resolve();
          return counted.promise;
        },
        settle: () => undefined,
      },
    } satisfies Partial<ChatDeps> as never),
    endpoint: 'chat',
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
    handle(new NodeExchange(request, response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { method: 'POST', body: '{}' });
  await counting.promise;
  accessLost.abort(new StudioError('forbidden', 'You have left this tenant'));
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
