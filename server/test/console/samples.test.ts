import type { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import type { ConsoleDocuments } from '@ai-studio/contract/console/retrieval.ts';
import { OwnSample, Sample } from '@ai-studio/contract/console/samples.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';

let house: ConsoleHouse;
let dev: SignedInBrowser;
let user: SignedInBrowser;
let other: SignedInBrowser;

beforeAll(async () => {
  house = await openConsoleHouse();
  const tenant = await makeTenant(house, 'Ours');
  dev = await personOf(house, tenant, 'developer');
  other = await personOf(house, tenant, 'developer', 'other');
  user = await personOf(house, tenant, 'user');
});
afterAll(() => house.close());

const own = async (who: SignedInBrowser) => OwnSample.parse((await who.get('/sample')).json()).sample;

test('a sample is a collection that can be searched, and an agent over it with questions', async () => {
  expect(await own(dev)).toBeNull();
  const made = await dev.post('/sample', { language: 'ko' });
  expect(made.status, made.text).toBe(201);
  const sample = Sample.parse(made.json());
  expect(await own(dev)).toEqual(sample);
  expect(await own(other)).toBeNull();

  const agent = (await dev.get(`/agents/${sample.agent_id}`)).json<AgentDetails>();
  expect(agent).toMatchObject({ name: '예시 안내 도우미', problems: [] });
  const input = agent.draft.nodes.find((node) => node.kind === 'input');
  expect(input?.examples).toHaveLength(3);
  expect(JSON.stringify(agent.draft)).toContain('질문과 같은 언어로 답하세요');
  await eventually(async () => {
    const { counts } = (await dev.get(`/collections/${sample.collection_id}/documents`)).json<ConsoleDocuments>();
    expect(counts).toEqual({ open: 0, ready: 3, failed: 0 });
  });
  // Each of its questions is in its language, and answered by its documents.
  for (const [at, fact] of ['본인 결혼 | 5일', '| 100,000원', '1년에 60일까지'].entries()) {
    const query = input?.examples[at] ?? '';
    expect(query).toMatch(/^[가-힣\d ]+\?$/u);
    const found = await dev.post('/collections/search', { collection_ids: [sample.collection_id], query });
    expect(found.text, query).toContain(fact);
  }

  // Another call makes no second one.
  expect((await dev.post('/sample', { language: 'en' })).json()).toEqual(sample);
});

test('it goes with all that belongs to it, also where part of it is gone already', async () => {
  const sample = await own(dev);
  expectRefused(await other.delete('/sample'), 404, null);
  expect((await dev.delete('/sample')).status).toBe(204);
  expect(await own(dev)).toBeNull();
  expect((await dev.get(`/agents/${sample?.agent_id}`)).status).toBe(404);
  expect((await dev.get(`/collections/${sample?.collection_id}`)).status).toBe(404);
  expectRefused(await dev.delete('/sample'), 404, null);

  const second = Sample.parse((await dev.post('/sample', { language: 'en' })).json());
  expect((await dev.delete(`/collections/${second.collection_id}`)).status).toBe(204);
  expect(await own(dev)).toBeNull();
  const third = Sample.parse((await dev.post('/sample', { language: 'en' })).json());
  expect(third.agent_id).not.toBe(second.agent_id);
  await dev.post(`/agents/${third.agent_id}/archive`);
  expect((await dev.delete('/sample')).status).toBe(204);
  expect((await dev.get(`/collections/${third.collection_id}`)).status).toBe(404);
});

test('two calls at one time make one', async () => {
  const made = await Promise.all([1, 2].map(() => other.post('/sample', { language: 'en' })));
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  const [sample, ...rest] = made.map((answer) => Sample.parse(answer.json()));
  expect(rest).toEqual([sample]);
  expect(await own(other)).toEqual(sample);
  const { items } = (await other.get('/agents')).json<{ items: { id: string; by: string }[] }>();
  expect(items.flatMap(({ id, by }) => (by === other.name ? [id] : []))).toEqual([sample?.agent_id]);
  const { rows } = await sql<{ id: string }>`SELECT id FROM collections WHERE deleted_at IS NULL
    AND owner_user_id = ${other.userId}`.execute(house.db.query);
  expect(rows.map(({ id }) => id)).toEqual([sample?.collection_id]);
});

test('who may not build has none, and the body is strict', async () => {
  for (const method of ['GET', 'POST', 'DELETE'])
    expectRefused(
      await user.send(method, '/sample', method === 'POST' ? { language: 'ko' } : undefined),
      403,
      'role_missing',
    );
  for (const body of [{}, { language: 'fr' }, { language: 'ko', more: 1 }])
    expect((await dev.post('/sample', body)).status, JSON.stringify(body)).toBe(400);
});
