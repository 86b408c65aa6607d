import type { Response } from '@ai-studio/contract/responses/response.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../test/support/postgres.ts';
import type { TenantId } from '../kernel/context.ts';
import { hexId } from '../kernel/ids.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import { createResponseStore, deleteOldResponses } from './store.ts';

const [ours, theirs] = ['ours' as TenantId, 'theirs' as TenantId];
const DAY_MS = 86_400_000;

let fresh: FreshDatabase;
let nowMs = Date.now();
beforeAll(async () => {
  fresh = await freshDatabase();
  const tenants = [ours, theirs].map((id) => ({ id, name: id }));
  await fresh.db.query.insertInto('tenants').values(tenants).execute();
});
afterAll(() => fresh.close());

const open = () =>
  createResponseStore({ db: fresh.db, box: createSecretBox(Buffer.alloc(32, 7)), retentionDays: 2, now: () => nowMs });

/** A response of one question and one answer. */
function exchange(question: string, answer: string, previous: string | null = null) {
  const id = `resp_${hexId()}`;
  const content = [{ type: 'output_text', text: answer, annotations: [], logprobs: [] }];
  const output = [{ id: `msg_${hexId()}`, type: 'message', status: 'completed', role: 'assistant', content }];
  const response = { id, previous_response_id: previous, output } as unknown as Response;
  const input = [{ type: 'message', role: 'user', content: question, id: `msg_${hexId()}` } as const];
  return { response, input, include: [] };
}

test('a conversation is told from its first question on, to its own tenant alone', async () => {
  const store = open();
  const first = exchange('1+1?', 'two');
  const second = exchange('and 2+2?', 'four', first.response.id);
  await store.save(ours, first);
  await store.save(ours, second);
  const told = await store.conversation(ours, second.response.id);
  expect(told).toMatchObject([
    { role: 'user', content: '1+1?' },
    { role: 'assistant', content: [{ text: 'two' }] },
    { role: 'user', content: 'and 2+2?' },
    { role: 'assistant', content: [{ text: 'four' }] },
  ]);
  const { id } = first.response;
  expect(await store.get(ours, id)).toEqual(first);
  await expect(store.get(theirs, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(store.remove(theirs, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(store.conversation(theirs, id)).rejects.toMatchObject({ param: 'previous_response_id' });
  const itemId = first.input[0]?.id ?? '';
  expect((await store.items(ours, [itemId, 'msg_none'])).get(itemId)).toMatchObject({ content: '1+1?' });
  expect((await store.items(theirs, [itemId])).size).toBe(0);
  // A response of one's own that names another tenant's tells nothing of it.
  const bridge = exchange('x', 'y', id);
  await store.save(theirs, bridge);
  await expect(store.conversation(theirs, bridge.response.id)).rejects.toMatchObject({
    param: 'previous_response_id',
  });
});

test('what people asked is not to be read in the database', async () => {
  const one = exchange('a question of theirs', 'an answer to it');
  await open().save(ours, one);
  const { rows } = await fresh.db.query
    .selectFrom('responses')
    .selectAll()
    .where('id', '=', one.response.id)
    .execute()
    .then((rows) => ({ rows: JSON.stringify(rows) }));
  expect(rows).not.toMatch(/question|answer/);
});

test('what is deleted, or too old, is gone, and so is what goes on from it', async () => {
  const store = open();
  const first = exchange('1', 'a');
  const second = exchange('2', 'b', first.response.id);
  const kept = exchange('3', 'c');
  for (const one of [first, second, kept]) await store.save(ours, one);
  await store.remove(ours, first.response.id);
  await expect(store.remove(ours, first.response.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(store.conversation(ours, second.response.id)).rejects.toMatchObject({ param: 'previous_response_id' });
  nowMs += 3 * DAY_MS;
  await expect(store.get(ours, kept.response.id)).rejects.toMatchObject({ code: 'not_found' });
  await fresh.db.query
    .updateTable('responses')
    .set({ expires_at: new Date(0) })
    .where('id', '=', kept.response.id)
    .execute();
  expect(await deleteOldResponses({ db: fresh.db })).toBe(1);
});

test('an id that no response can have is not there', async () => {
  for (const id of ['', 'x', "resp_' OR 1=1", 'resp_\u0000', `resp_${'0'.repeat(33)}`]) {
    await expect(open().get(ours, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(open().remove(ours, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(open().conversation(ours, id)).rejects.toMatchObject({ param: 'previous_response_id' });
  }
  expect((await open().items(ours, ['\u0000', 'msg_1'])).size).toBe(0);
});
