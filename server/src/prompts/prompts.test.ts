import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshDatabase, freshDatabase } from '../../test/support/postgres.ts';
import { systemAuditActor } from '../identity/index.ts';
import { type Person, type PersonActor, unlimitedActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { changePrompt, createPrompt, listVersions } from './index.ts';

const tenantId = 'ours' as TenantId;
const personOf = (userId: string, rights: PersonActor['rights']): PersonActor => ({
  ...unlimitedActor<Person>({ tenantId, keyId: null, userId }),
  rights,
});
const ada = personOf('ada', new Set(['prompts.share']));
const bob = personOf('bob', new Set(['prompts.manage']));

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
  await fresh.db.query.insertInto('tenants').values({ id: tenantId, name: 'Ours' }).execute();
  await fresh.db.query
    .insertInto('users')
    .values(['ada', 'bob'].map((id) => ({ id, email: `${id}@example.org`, name: id })))
    .execute();
});
afterAll(() => fresh.close());

const by = (actor: PersonActor) => ({
  actor,
  auditActor: systemAuditActor(tenantId),
  requestId: 'test',
  signal: new AbortController().signal,
});
const create = (visibility: 'private' | 'tenant') =>
  createPrompt({ db: fresh.db }, by(ada), {
    name: 'Letter',
    description: '',
    content: 'One',
    visibility,
  });
const change = (actor: PersonActor, id: string, to: Parameters<typeof changePrompt>[3]) =>
  changePrompt({ db: fresh.db }, by(actor), id, to);
const versions = async (actor: PersonActor, id: string) =>
  (await listVersions({ db: fresh.db }, actor, id)).map(({ content }) => content);

test('others see the versions of a prompt from its sharing on, its owner sees all', async () => {
  const { id } = await create('private');
  await change(ada, id, { version: 1, content: 'Two' });
  await change(ada, id, { version: 2, content: 'Three', visibility: 'tenant' });
  await change(bob, id, { version: 3, content: 'Four' });
  expect(await versions(bob, id)).toEqual(['Four', 'Three']);
  expect(await versions(ada, id)).toEqual(['Four', 'Three', 'Two', 'One']);
  await change(ada, id, { version: 4, visibility: 'private' });
  await change(ada, id, { version: 4, content: 'Five' });
  await change(ada, id, { version: 5, visibility: 'tenant' });
  expect(await versions(bob, id)).toEqual(['Five']);
  const { id: shared } = await create('tenant');
  await change(ada, shared, { version: 1, content: 'Two' });
  expect(await versions(bob, shared)).toEqual(['Two', 'One']);
});

test('who may not share any more changes no prompt that others read, but takes it back', async () => {
  const { id } = await create('tenant');
  const without = { ...ada, rights: new Set<never>() };
  const refused = { code: 'forbidden', reason: 'role_missing' };
  for (const to of [{ content: 'Two' }, { name: 'Other' }, { description: 'Other' }])
    await expect(change(without, id, { version: 1, ...to })).rejects.toMatchObject(refused);
  expect(await change({ ...ada, rights: bob.rights }, id, { version: 1, content: 'Two' })).toMatchObject({
    version: 2,
  });
  expect(await change(without, id, { version: 2, content: 'Three', visibility: 'private' })).toMatchObject({
    version: 3,
  });
  await expect(change(without, id, { version: 3, visibility: 'tenant' })).rejects.toMatchObject(refused);
});
