import { type Client, SdkError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/ports/database.ts';
import { databaseOf, firstTenant, makeAgent, plainAgent } from '../support/a2a.ts';
import { type House, openHouse } from '../support/house.ts';
import { call, type Caller, send } from '../support/http.ts';
import { fine, messagesOf, modern, type Version, versions, withClient } from '../support/mcp.ts';
import { covers } from '../requirements.ts';
import { openStream, sse } from '../support/upstream.ts';

// Calls of agents that take a while: their progress, and their end before the end. Two processes share the port, so that requests of one
// client reach different ones.

let house: House;
let db: Database;
let name: string;
beforeAll(async () => {
  house = await openHouse({
    config: () => ({ server: { workers: 2 }, limits: { requests_per_minute: null, tokens_per_minute: null } }),
  });
  db = await databaseOf(house);
  name = `agent_${(await makeAgent(db, await firstTenant(db), plainAgent())).slug}`;
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});
beforeEach(() => house.upstream.reset());

const piece = (text: string) => ({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] });
const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

/** A model that says a word and goes on when it is told to. */
function slowModel(): { readonly goOn: () => void } {
  const waits: (() => void)[] = [];
  house.upstream.plays((upstream) => {
    const stream = openStream(upstream);
    stream.write(sse(piece('Begun')));
    waits.push(() => stream.end(`${sse(piece(', ended'))}${sse(last)}data: [DONE]\n\n`));
  });
  return { goOn: () => waits.forEach((end) => end()) };
}

const stateOfRuns = async () =>
  (await db.query.selectFrom('agent_runs').select('state').orderBy('number').execute()).map(({ state }) => state);

describe.each(versions)('in the revision %s', (version: Version) => {
  test('a client with a token is told of progress, others of the result alone', async () => {
    covers('mcp.agents.progress', 'mcp.stateless');
    const model = slowModel();
    const told: { progress: number; message?: string | undefined }[] = [];
    await withClient(house, version, async (client) => {
      const request = { name, arguments: { message: 'Go' } };
      const result = client.callTool(request, {
        onprogress: (note) => {
          told.push(note);
          if (note.message?.startsWith('Writing')) model.goOn();
        },
      });
      expect(fine(await result)).toMatchObject({ answer: 'Begun, ended' });
      expect(told.map(({ progress }) => progress)).toEqual(told.map((_, at) => at + 1));
      expect(told.map(({ message }) => message)).toEqual(
        expect.arrayContaining(['model: model', 'Writing the answer, 5 characters so far']),
      );
    });
  });

  test('a call that its client cancels ends its run', async () => {
    covers('mcp.agents.cancel');
    slowModel();
    const before = (await stateOfRuns()).length;
    await withClient(house, version, async (client: Client) => {
      const leave = new AbortController();
      const called = client.callTool({ name, arguments: { message: 'Go' } }, { signal: leave.signal });
      const ended = expect(called).rejects.toThrow(SdkError);
      const { aborted } = await house.upstream.next();
      leave.abort();
      await ended;
      await aborted;
      await expect.poll(async () => (await stateOfRuns()).slice(before)).toEqual(['canceled']);
      // The client goes on.
      expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    });
  });
});

/** A call of a revision with sessions, as it stands on the wire. */
const older = (caller: Caller, id: number, session: string, signal?: AbortSignal) =>
  send(caller, '/mcp', {
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      'mcp-session-id': session,
    },
    body: { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { message: 'Go' } } },
    ...(signal ? { signal } : {}),
  });
const cancel = (session: string, requestId: unknown) =>
  call(house, '/v1/mcp', {
    headers: { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } },
  });

test('a notification cancels the request of its session and no other, whatever process gets it', async () => {
  covers('mcp.agents.cancel', 'mcp.notifications', 'mcp.stateless');
  const model = slowModel();
  const before = (await stateOfRuns()).length;
  const [mine, other] = [await older(house, 7, 'session-a'), await older(house, 7, 'session-b')];
  for (const id of [8, '7', null, {}]) expect((await cancel('session-a', id)).status).toBe(202);
  expect((await cancel('session-c', 7)).status).toBe(202);
  // Each over a connection of its own, of which every process gets some.
  await Promise.all(Array.from({ length: 8 }, () => cancel('session-a', 7)));
  // Nothing is answered to what was cancelled.
  expect(messagesOf({ status: 200, headers: mine.headers, text: await mine.text() })).toEqual([]);
  await expect.poll(async () => (await stateOfRuns()).slice(before)).toEqual(['canceled', 'working']);
  model.goOn();
  expect(await other.text()).toContain('Begun, ended');
});

test('the end of the connection ends the run', async () => {
  covers('mcp.agents.cancel');
  for (const begin of [
    (signal: AbortSignal) => older(house, 1, 'leaves', signal),
    (signal: AbortSignal) =>
      send(house, '/mcp', { ...modern('tools/call', { name, arguments: { message: 'Go' } }), signal }),
  ]) {
    slowModel();
    const before = (await stateOfRuns()).length;
    const leave = new AbortController();
    const next = house.upstream.next();
    const answered = begin(leave.signal).then(
      (response) => response.text(),
      () => '',
    );
    const { aborted } = await next;
    leave.abort();
    await answered.catch(() => '');
    await aborted;
    await expect.poll(async () => (await stateOfRuns()).slice(before)).toEqual(['canceled']);
  }
});

test('a client that connects again goes on with its conversation', async () => {
  covers('mcp.stateless', 'mcp.paths');
  const once = async (args: Record<string, unknown>, path: string) => {
    const model = slowModel();
    return withClient(
      house,
      '2025-11-25',
      async (client) => {
        const next = house.upstream.next();
        const called = client.callTool({ name, arguments: args });
        await next;
        model.goOn();
        return fine<{ session_id: number }>(await called).session_id;
      },
      path,
    );
  };
  const session = await once({ message: 'First words' }, '/v1/mcp');
  house.upstream.reset();
  expect(await once({ message: 'Second', session_id: session }, '/api/v1/mcp')).toBe(session);
  expect(house.upstream.one().text).toContain('First words');
});
