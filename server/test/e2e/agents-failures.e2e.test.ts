import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import {
  databaseOf,
  firstTenant,
  makeAgent,
  message,
  pathOf,
  plainAgent,
  readingAgent,
  refused,
  rpc,
  stream,
} from '../support/a2a.ts';
import { type House, openSharedHouse } from '../support/house.ts';
import { call } from '../support/http.ts';

// What callers are told where a run fails because of what they sent.

let house: House;
let db: Database;
let tenant: TenantId;
beforeAll(async () => {
  house = await openSharedHouse();
  db = await databaseOf(house);
  tenant = await firstTenant(db);
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});

const file = (bytes: string, name: string) => ({
  kind: 'file',
  file: { name, mimeType: 'application/octet-stream', bytes: Buffer.from(bytes).toString('base64') },
});
const small = { ...plainAgent(), limits: { seconds: 600, tokens: 100 } };

test.each([
  [
    'a damaged file',
    readingAgent,
    [file('%PDF-1.7 and nothing more', '보고서.pdf')],
    /^parse: The file "보고서\.pdf" cannot be read: .*save it anew/,
  ],
  [
    'a text that is too long',
    small,
    [{ kind: 'text', text: 'word '.repeat(400) }],
    /^model: .*longer than the 100 tokens.*send a shorter text/,
  ],
])('of %s says in words what to do, and is as the failure of any run', async (_name, definition, parts, words) => {
  covers('a2a.failure', 'agents.run.failure');
  const { slug } = await makeAgent(db, tenant, definition);
  const sent = () => message('', { parts });
  const { data } = refused(
    await call(house, pathOf(slug), { body: rpc('message/send', { message: sent() }) }),
    500,
    -32603,
  );
  const { detail, taskId } = data as unknown as { readonly detail: string; readonly taskId: string };
  expect(detail).toMatch(words);
  // Codes and addresses are for other callers.
  expect(detail).not.toMatch(/CORRUPTED|UNSUPPORTED|\/v1\//);
  const { events } = await stream(house, slug, 'message/stream', { message: sent() });
  expect(events.at(-1)?.result).toMatchObject({
    final: true,
    status: { state: 'failed' },
    metadata: { error: { message: detail } },
  });
  const steps = await db.query
    .selectFrom('agent_steps')
    .select(['key', 'state', 'inputs', 'outputs', 'failure'])
    .where('run_id', '=', taskId)
    .orderBy('number')
    .execute();
  expect(steps.at(-1)).toMatchObject({ state: 'failed', outputs: null, failure: { message: detail } });
  expect(steps.at(-1)?.inputs).not.toBeNull();
});
