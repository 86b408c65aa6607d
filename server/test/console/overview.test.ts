import { Overview } from '@ai-studio/contract/console/overview.ts';
import { SearchIndexState } from '@ai-studio/contract/console/search-index.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPostgresBus } from '../../src/adapters/postgres/index.ts';
import { systemAuditActor, issueKey } from '../../src/identity/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { type ModelServer, startModelServer } from '../fakes/model-server.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
let fake: ModelServer;
let house: ConsoleHouse;
let ours: TenantId;
let boss: SignedInBrowser;

beforeAll(async () => {
  fake = await startModelServer({ models: ['m'] });
  house = await openConsoleHouse();
  ours = await makeTenant(house, 'Ours');
  boss = await personOf(house, ours, 'administrator');
});
afterAll(async () => {
  await house.close();
  await fake.close();
});

const look = async (person: SignedInBrowser, query = '') => {
  const answer = await person.get(`/overview${query}`);
  expect(answer.status, answer.text).toBe(200);
  return Overview.parse(answer.json());
};
const stepsOf = async () => (await look(boss)).steps?.filter(({ done }) => done).map(({ id }) => id);

describe('the overview', () => {
  test('says how the service fares and what to do first, until it is done', async () => {
    const first = await look(boss);
    expect(first.health).toEqual({ ready: true, parts: [{ name: 'database', ok: true, reason: null }] });
    expect(first.models).toMatchObject({ builtin_only: true, loaded: [] });
    expect(first.models.total).toBeGreaterThan(8);
    // A machine may have a program that speaks.
    expect(first.models.ready).toBeLessThan(2);
    expect(first.today).toMatchObject({ requests: 0 });
    expect(first.waits).toEqual({ invitations: 0, open_documents: 0, failed_documents: 0 });
    expect(first.work?.path.map(({ id, done }) => `${id} ${done}`)).toEqual([
      'collection false',
      'agent false',
      'try false',
      'review false',
    ]);
    expect(first.steps?.map(({ id, done }) => `${id} ${done}`)).toEqual([
      'model false',
      'key false',
      'first_call false',
      'invite false',
    ]);

    const models = [{ remote_id: 'm', id: 'CORE-GOV', kind: 'chat' }];
    await boss.post('/servers', { name: 'gpu', base_url: fake.url, api_key: null, models });
    expect(await stepsOf()).toEqual(['model']);
    expect((await look(boss)).models).toMatchObject({ ready: first.models.ready + 1, builtin_only: false });
    const bus = createPostgresBus(house.db);
    await issueKey({ db: house.db, bus }, { ...systemAuditActor(ours), userId: boss.userId }, { name: 'first' });
    await bus.close();
    await boss.post('/chat/completions', { model: 'CORE-GOV', messages: [{ role: 'user', content: 'Hello' }] });
    expect((await look(boss, '?time_zone=Asia/Seoul')).today).toMatchObject({ requests: 1, completion_tokens: 3 });
    expect(await stepsOf()).toEqual(['model', 'key', 'first_call']);
    await personOf(house, ours, 'user');
    expect((await look(boss)).steps).toBeNull();
  });

  test('shows each role its part, of its own tenant only', async () => {
    const user = await look(await personOf(house, ours, 'user'));
    expect(user).toMatchObject({ today: null, steps: null, work: null, waits: null, health: { ready: true } });
    const dev = await look(await personOf(house, ours, 'developer'));
    expect(dev).toMatchObject({ today: { requests: 0 }, steps: null, waits: null, work: { failed_documents: [] } });
    const stranger = await look(await personOf(house, await makeTenant(house, 'Theirs'), 'administrator'));
    expect(stranger.today).toMatchObject({ requests: 0 });
    expect(stranger.steps?.filter(({ done }) => done).map(({ id }) => id)).toEqual(['model']);
  });

  test('names what expires, failed and waits, to those who can do something about it', async () => {
    const tenant = await makeTenant(house, 'Busy');
    const admin = await personOf(house, tenant, 'administrator');
    const dev = await personOf(house, tenant, 'developer');
    const key = (who: SignedInBrowser, name: string, days: number) =>
      who.post('/keys', {
        name,
        scopes: ['chat'],
        allowed_models: null,
        requests_per_minute: null,
        tokens_per_minute: null,
        tool_stream: null,
        expires_at: new Date(Date.now() + days * 86_400_000).toISOString(),
      });
    await key(admin, 'soon', 3);
    await key(admin, 'later', 60);
    await key(dev, 'mine', 9);
    const names = async (who: SignedInBrowser) => (await look(who)).work?.expiring_keys.map(({ name }) => name);
    expect(await names(admin)).toEqual(['soon', 'mine']);
    expect(await names(dev)).toEqual(['mine']);

    await admin.post('/users', { email: 'invited@example.org', name: 'Invited', role: 'user' });
    const made = (await dev.post('/collections', { collection_name: 'Own' })).json<{ collection_id: string }>();
    const text = ' \n';
    await fetch(
      `${house.base}/console/api/collections/${made.collection_id}/documents?name=empty.md&size=${text.length}`,
      {
        method: 'POST',
        headers: { cookie: dev.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
        body: text,
      },
    );
    await eventually(async () => {
      const { work, waits } = await look(dev);
      expect(work?.failed_documents).toEqual([
        { collection_id: made.collection_id, collection_name: 'Own', failed: 1 },
      ]);
      expect(waits).toBeNull();
    });
    expect((await look(admin)).waits).toEqual({ invitations: 1, open_documents: 0, failed_documents: 1 });
    // Another developer may not change a private collection.
    expect((await look(await personOf(house, tenant, 'developer', 'other'))).work?.failed_documents).toEqual([]);
  });

  test('shows how the search index fares to who looks after the installation, and to nobody else', async () => {
    const operator = await personOf(house, ours, 'user', 'Operator');
    await house.db.query.updateTable('users').set({ operator: true }).where('id', '=', operator.userId).execute();
    const answer = await operator.get('/search-index');
    expect(answer.status, answer.text).toBe(200);
    expect(SearchIndexState.parse(answer.json())).toMatchObject({
      kind: 'embedded',
      host: null,
      trouble: null,
      cluster: null,
      files: { place: 'folder' },
    });
    // There are other tenants, so administrators of one are none of all.
    for (const person of [boss, await personOf(house, ours, 'developer')])
      expectRefused(await person.get('/search-index'), 403, 'role_missing');
  });

  test('knows time zones by their names', async () => {
    for (const zone of ['Nowhere/Land', '+99:00', '%00', 'x'.repeat(65)])
      expectRefused(await boss.get(`/overview?time_zone=${encodeURIComponent(zone)}`), 400, 'invalid_field');
  });
});
