import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../test/support/postgres.ts';
import { createPostgresBus } from '../adapters/postgres/index.ts';
import type { Bus } from '../ports/bus.ts';
import { createBindings } from './bindings.ts';
let fresh: FreshDatabase;
let bus: Bus;
beforeAll(async () => {
  fresh = await freshDatabase();
  bus = createPostgresBus(fresh.db);
});
afterAll(async () => {
  await bus?.close();
  await fresh?.close();
});

test('a binding is not changed where what is part of the change fails', async () => {
  const bindings = createBindings({ db: fresh.db, bus });
  const fail = () => Promise.reject(new Error('the note could not be written'));
  let noted = 0;
  const note = () => Promise.resolve(void noted++);
  const bound = async () => (await bindings.list()).map(({ catalogueId, localId }) => [catalogueId, localId]);

  await expect(bindings.bind({ catalogueId: 'GOV', localId: 'a' }, fail)).rejects.toThrow('could not be written');
  expect(await bound()).toEqual([]);
  await bindings.bind({ catalogueId: 'GOV', localId: 'a' }, note);
  await expect(bindings.bind({ catalogueId: 'GOV', localId: 'b' }, fail)).rejects.toThrow('could not be written');
  await expect(bindings.unbind('GOV', fail)).rejects.toThrow('could not be written');
  expect(await bound()).toEqual([['GOV', 'a']]);
  expect(await bindings.unbind('GOV', note)).toBe(true);
  // There is nothing to note.
  expect(await bindings.unbind('GOV', note)).toBe(false);
  expect([await bound(), noted]).toEqual([[], 2]);
});
