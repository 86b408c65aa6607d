import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { StudioError } from '../kernel/errors.ts';
import { createOpenCalls, abortOnDisconnect } from './open-calls.ts';

/** The answer to a request whose caller has left. */
async function leftAlone(): Promise<ServerResponse> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => resolve(response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  request.on('error', () => undefined);
  const response = await promise;
  request.destroy();
  await eventually(() => expect(response.closed).toBe(true));
  server.close();
  return response;
}

test('callers who left before they were known count for nothing, and are asked after no more', async () => {
  const calls = createOpenCalls();
  const response = await leftAlone();
  for (let i = 0; i < 200; i++) calls.trackCall('somebody', response);
  let asked = 0;
  const signal = calls.follow('somebody', response, () => {
    asked++;
    return Promise.resolve(new StudioError('forbidden', 'no'));
  });
  expect(signal.aborted).toBe(true);
  expect(abortOnDisconnect(response).aborted).toBe(true);
  calls.recheckAccess('somebody');
  calls.recheckAccess(null);
  expect(asked).toBe(0);
});
