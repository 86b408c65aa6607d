import type { AuditPage } from '@ai-studio/contract/console/audit.ts';
import { Prompt, PromptPage, PromptVersions } from '@ai-studio/contract/console/prompts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';

let house: ConsoleHouse;
let user: SignedInBrowser;
let dev: SignedInBrowser;
let boss: SignedInBrowser;
let foreign: SignedInBrowser;

beforeAll(async () => {
  house = await openConsoleHouse();
  const tenant = await makeTenant(house, 'Ours');
  user = await personOf(house, tenant, 'user', 'Uma');
  dev = await personOf(house, tenant, 'developer', 'Dana');
  boss = await personOf(house, tenant, 'administrator', 'Boss');
  foreign = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator', 'Stranger');
});
afterAll(() => house.close());

const make = async (who: SignedInBrowser, more: object = {}) => {
  const made = await who.post('/prompts', { name: '회의록', content: '{{부서}} 회의록을 요약해 주세요.', ...more });
  expect(made.status, made.text).toBe(201);
  return Prompt.parse(made.json());
};
const list = async (who: SignedInBrowser, query = '') =>
  PromptPage.parse((await who.get(`/prompts${query}`)).json()).items.map(({ name }) => name);
const audited = async () =>
  (await boss.get('/audit?size=50')).json<AuditPage>().items.filter(({ target }) => target?.kind === 'prompt');

test('a prompt is its own person’s, with its variables; nobody else has it', async () => {
  const mine = await make(user, { description: '주간 회의용' });
  expect(mine).toMatchObject({ variables: ['부서'], version: 1, own: true, changes: true, visibility: 'private' });
  expect(await list(user)).toEqual(['회의록']);
  for (const other of [dev, boss, foreign]) {
    expect(await list(other)).toEqual([]);
    expectRefused(await other.get(`/prompts/${mine.id}`), 404);
    expectRefused(await other.get(`/prompts/${mine.id}/versions`), 404);
    expectRefused(await other.patch(`/prompts/${mine.id}`, { version: 1, name: 'x' }), 404);
    expectRefused(await other.delete(`/prompts/${mine.id}`), 404);
  }
  // The audit log says that something was made, and not what a person calls what is theirs.
  expect((await audited())[0]).toMatchObject({ action: 'prompt_created', target: { id: mine.id, name: '' } });
  expect((await user.delete(`/prompts/${mine.id}`)).status).toBe(204);
  expectRefused(await user.get(`/prompts/${mine.id}`), 404);
});

test('whoever builds shares them with their tenant; they and administrators change them', async () => {
  expectRefused(await user.post('/prompts', { name: 'x', content: 'y', visibility: 'tenant' }), 403, 'role_missing');
  const shared = await make(dev, { name: '보도자료', visibility: 'tenant' });
  const seen = Prompt.parse((await user.get(`/prompts/${shared.id}`)).json());
  expect(seen).toMatchObject({ owner: 'Dana', own: false, changes: false, removes: false, content: shared.content });
  expectRefused(await foreign.get(`/prompts/${shared.id}`), 404);
  expectRefused(await user.patch(`/prompts/${shared.id}`, { version: 1, name: 'x' }), 403, 'role_missing');
  expectRefused(await user.delete(`/prompts/${shared.id}`), 403, 'role_missing');
  const private_ = { version: 1, visibility: 'private' };
  expectRefused(await boss.patch(`/prompts/${shared.id}`, private_), 403, 'role_missing');
  expect((await boss.patch(`/prompts/${shared.id}`, { version: 1, name: '보도자료 초안' })).json()).toMatchObject({
    name: '보도자료 초안',
    version: 1,
  });
  expect((await dev.patch(`/prompts/${shared.id}`, private_)).status).toBe(200);
  expectRefused(await boss.get(`/prompts/${shared.id}`), 404);
  const mine = await make(user);
  expectRefused(await user.patch(`/prompts/${mine.id}`, { version: 1, visibility: 'tenant' }), 403, 'role_missing');
  const changes = (await audited()).filter(({ action }) => action === 'prompt_changed');
  expect(changes.map(({ actor, target, detail }) => [actor.name, target?.name, detail['visibility']])).toEqual([
    ['Dana', '', 'private'],
    ['Boss', '보도자료 초안', 'tenant'],
  ]);
  for (const { id, who } of [
    { id: shared.id, who: dev },
    { id: mine.id, who: user },
  ])
    await who.delete(`/prompts/${id}`);
});

test('whoever shares no more, by their role, takes back and deletes what they shared, and no more', async () => {
  const later = await personOf(house, dev.tenantId, 'developer', 'Later');
  const [shared, other] = [await make(later, { visibility: 'tenant' }), await make(later, { visibility: 'tenant' })];
  expect(shared).toMatchObject({ changes: true, removes: true });
  await house.db.query.updateTable('memberships').set({ role: 'user' }).where('user_id', '=', later.userId).execute();
  const at = `/prompts/${shared.id}`;
  expect((await later.get(at)).json()).toMatchObject({ own: true, changes: false, removes: true });
  expectRefused(await later.patch(at, { version: 1, content: 'Other words' }), 403, 'role_missing');
  expect((await later.patch(at, { version: 1, visibility: 'private' })).json()).toMatchObject({ changes: true });
  expect((await later.patch(at, { version: 1, content: 'Other words' })).status).toBe(200);
  for (const { id } of [shared, other]) expect((await later.delete(`/prompts/${id}`)).status).toBe(204);
});

test('another text is another version, which earlier ones can be put in the place of', async () => {
  const first = await make(dev, { visibility: 'tenant' });
  const at = `/prompts/${first.id}`;
  expect((await dev.patch(at, { version: 1, content: '{{a}} {{b}}' })).json()).toMatchObject({
    version: 2,
    variables: ['a', 'b'],
  });
  // Two people at once: whoever began from an earlier text is told.
  expectRefused(await boss.patch(at, { version: 1, content: 'other' }), 409, 'prompt_changed');
  expect((await boss.patch(at, { version: 2, content: first.content })).json()).toMatchObject({ version: 3 });
  // The same words make none.
  expect((await dev.patch(at, { version: 3, content: first.content })).json()).toMatchObject({ version: 3 });
  const { items } = PromptVersions.parse((await user.get(`${at}/versions`)).json());
  expect(items.map(({ version, author, content }) => [version, author, content])).toEqual([
    [3, 'Boss', first.content],
    [2, 'Dana', '{{a}} {{b}}'],
    [1, 'Dana', first.content],
  ]);
  await dev.delete(at);
});

test('they are found by words, a page at a time', async () => {
  for (const name of ['하나', '둘', '100%']) await make(user, { name, content: `${name} 요약` });
  const other = await make(dev, { name: '공유', visibility: 'tenant' });
  expect(await list(user)).toEqual(['공유', '100%', '둘', '하나']);
  expect(await list(user, '?show=own')).toEqual(['100%', '둘', '하나']);
  expect(await list(user, '?show=shared')).toEqual(['공유']);
  expect(await list(user, `?text=${encodeURIComponent('요약 둘')}`)).toEqual(['둘']);
  expect(await list(user, `?text=${encodeURIComponent('%')}`)).toEqual(['100%']);
  expect(await list(user, '?size=2&from=1')).toEqual(['100%', '둘']);
  expect((await user.get('/prompts?size=1')).json()).toMatchObject({ total: 4 });
  await dev.delete(`/prompts/${other.id}`);
});

test('what is no prompt is refused', async () => {
  for (const body of [
    {},
    { name: ' ', content: 'x' },
    { name: 'x', content: ' \n' },
    { name: 'x'.repeat(101), content: 'x' },
    { name: 'x', content: 'x'.repeat(20_001) },
    { name: 'x', content: 'x', visibility: 'world' },
    { name: 'x', content: 'x', owner: 'me' },
    { name: 'x', content: 'a\0b' },
  ])
    expectRefused(await user.post('/prompts', body), 400, 'invalid_field');
  for (const id of ['x', '%00', 'f'.repeat(32)]) expectRefused(await user.get(`/prompts/${id}`), 404);
});
