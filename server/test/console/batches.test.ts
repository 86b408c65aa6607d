import { ConsoleBatchList } from '@ai-studio/contract/console/batches.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPostgresBus } from '../../src/adapters/postgres/index.ts';
import { issueKey, systemAuditActor } from '../../src/identity/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { chatLines, startBatch } from '../support/batches.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';

let house: ConsoleHouse;
let ours: TenantId;
let dev: SignedInBrowser;
let colleague: SignedInBrowser;
let boss: SignedInBrowser;
let user: SignedInBrowser;
let stranger: SignedInBrowser;
/** Of the developer; of its six requests a minute a batch leaves half to others. */
let key: string;

beforeAll(async () => {
  house = await openConsoleHouse();
  ours = await makeTenant(house, 'Ours');
  dev = await personOf(house, ours, 'developer', 'Dev');
  colleague = await personOf(house, ours, 'developer', 'Colleague');
  boss = await personOf(house, ours, 'administrator', 'Boss');
  user = await personOf(house, ours, 'user', 'User');
  stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator', 'Stranger');
  const bus = createPostgresBus(house.db);
  const who = { ...systemAuditActor(ours), userId: dev.userId };
  const issued = await issueKey({ db: house.db, bus }, who, { name: 'Nightly', requestsPerMinute: 6 });
  key = issued.value;
  await bus.close();
});
afterAll(() => house.close());

const batchesOf = async (person: SignedInBrowser) =>
  ConsoleBatchList.parse((await person.get('/batches')).json()).items;

test('whose key started a batch sees its progress and cancels it; administrators do, and nobody else', async () => {
  const { id } = await startBatch({ base: house.base, key }, chatLines(20));
  await eventually(async () =>
    expect(await batchesOf(dev)).toMatchObject([{ id, status: 'in_progress', key_name: 'Nightly', total: 20 }]),
  );
  expect((await batchesOf(boss)).map((batch) => batch.id)).toEqual([id]);
  for (const other of [colleague, stranger]) {
    expect(await batchesOf(other)).toEqual([]);
    expectRefused(await other.post(`/batches/${id}/cancel`, undefined), 404);
  }
  expectRefused(await user.get('/batches'), 403);
  expect((await dev.post(`/batches/${id}/cancel`, undefined)).status).toBe(204);
  await eventually(async () => expect(await batchesOf(dev)).toMatchObject([{ status: 'cancelled', error: null }]));
  const [batch] = await batchesOf(dev);
  // Two requests of the six were those that started it.
  expect(batch?.completed).toBeLessThan(6);
  expectRefused(await boss.post(`/batches/${'0'.repeat(32)}/cancel`, undefined), 404);
  const audited = await house.db.query
    .selectFrom('audit_events')
    .select(['action', 'target_id', 'actor_user_id'])
    .where('action', '=', 'batch_cancelled')
    .execute();
  expect(audited).toEqual([{ action: 'batch_cancelled', target_id: id, actor_user_id: dev.userId }]);
});

test('why a batch failed is told by its code and line', async () => {
  const bus = createPostgresBus(house.db);
  const who = { ...systemAuditActor(ours), userId: colleague.userId };
  const { value } = await issueKey({ db: house.db, bus }, who, { name: 'Other' });
  await bus.close();
  await startBatch({ base: house.base, key: value }, `${chatLines(1)}\n{`);
  await eventually(async () =>
    expect(await batchesOf(colleague)).toMatchObject([
      { status: 'failed', error: { code: 'invalid_json_line', line: 2 }, total: 0 },
    ]),
  );
});
