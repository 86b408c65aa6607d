import { AgentHistory, AgentReviews } from '@ai-studio/contract/console/agents.ts';
import { AuditPage } from '@ai-studio/contract/console/audit.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import {
  agentOf,
  approval,
  deploy,
  makeAgent,
  saveOther,
  submit,
  waiting,
  withCollections,
  openAgentTenants,
} from '../support/agents.ts';
import { expectRefused } from '../support/console.ts';
import { type SignedInBrowser } from '../support/people.ts';

const { house, dev, chief, user, stranger, shared, own } = await openAgentTenants();
afterAll(() => house.close());

const NOTHING = 'f'.repeat(32);

describe('everything', () => {
  test('is in the history of the agent and in the audit log', async () => {
    covers('agents.audit');
    const agent = await makeAgent(dev, { name: 'Told' });
    const path = `/agents/${agent.id}`;
    await submit(dev, agent);
    await dev.post(`${path}/withdraw`);
    const again = await submit(dev, agent);
    await chief.post(`${path}/reject`, { ...approval(again), reason: 'No' });
    await saveOther(dev, await saveOther(dev, agent, 'Yes'), 'Yes!');
    await deploy(dev, chief, agentOf(await dev.patch(path, { name: 'Told again' })));
    await chief.post(`${path}/archive`);
    await chief.post(`${path}/unarchive`);
    const history = AgentHistory.parse((await dev.get(`${path}/history`)).json()).items;
    const expected = [
      'created',
      'submitted',
      'withdrawn',
      'submitted',
      'rejected',
      'submitted',
      'approved',
      'deployed',
      'undeployed',
      'archived',
      'unarchived',
    ];
    expect(history.map(({ action }) => action).toReversed()).toEqual(expected);
    expect(history.find(({ action }) => action === 'rejected')).toMatchObject({
      by: 'Chia',
      reason: 'No',
      version_number: 1,
    });
    await chief.post(`${path}/archive`);
    await chief.delete(path);
    const { items } = AuditPage.parse((await chief.get('/audit?size=200')).json());
    const mine = items.filter(({ target }) => target?.id === agent.id).toReversed();
    expect(mine.map(({ action }) => action)).toEqual([
      ...expected.slice(0, 5).map((action) => `agent_${action}`),
      // The saves of a person, one after the other, are one line; then the name.
      'agent_changed',
      'agent_changed',
      ...expected.slice(5).map((action) => `agent_${action}`),
      'agent_archived',
      'agent_removed',
    ]);
    expect(mine.find(({ action }) => action === 'agent_approved')).toMatchObject({
      actor: { name: 'Chia' },
      target: { kind: 'agent', name: 'Told again' },
      detail: { slug: agent.slug, version: 2 },
    });
  });

  test('of another tenant is unknown, wherever its ids stand', async () => {
    covers('agents.tenants');
    const ours = await submit(dev, await makeAgent(dev, { name: 'Hidden' }));
    const { id: review, version_id: version, hash } = waiting(ours);
    const mine = await submit(stranger, await makeAgent(stranger, { name: 'Visible' }));
    const path = `/agents/${mine.id}`;
    /** Answers to an id that is nothing's and to that of the other tenant are the same. */
    const same = async (id: string, call: (id: string) => ReturnType<SignedInBrowser['get']>) => {
      const [foreign, unknown] = [await call(id), await call(NOTHING)];
      const plain = (text: string) => text.replaceAll(id, NOTHING).replaceAll(/"request_id":"\w+"/g, '');
      expect([foreign.status, plain(foreign.text)]).toEqual([unknown.status, plain(unknown.text)]);
      return foreign.status;
    };
    const draft = 'draft';
    expect([
      await same(ours.id, (id) => stranger.get(`/agents/${id}`)),
      await same(version, (id) => stranger.get(`${path}/versions/${id}`)),
      await same(version, (id) => stranger.get(`${path}/difference?from=${id}&to=${draft}`)),
      await same(version, (id) => stranger.get(`${path}/difference?from=${draft}&to=${id}`)),
      await same(version, (id) => stranger.get(`${path}/export?version=${id}`)),
      await same(version, (id) => stranger.post(`${path}/deploy`, { version_id: id })),
      await same(version, (id) => stranger.post(`${path}/restore`, { version_id: id, revision: 1 })),
    ]).toEqual([404, 404, 404, 404, 404, 404, 404]);
    // With the hash of what it is of, too.
    for (const [verb, more] of [
      ['approve', {}],
      ['reject', { reason: 'x' }],
    ] as const)
      expect(await same(review, (id) => stranger.post(`${path}/${verb}`, { review_id: id, hash, ...more }))).toBe(409);
    for (const [verb, body] of [
      ['submit', { revision: 1 }],
      ['approve', { review_id: review, hash }],
      ['reject', { review_id: review, hash, reason: 'x' }],
      ['deploy', { version_id: version }],
      ['restore', { version_id: version, revision: 1 }],
    ] as const)
      await same(ours.id, (id) => stranger.post(`/agents/${id}/${verb}`, body));
    for (const verb of ['withdraw', 'undeploy', 'archive', 'unarchive'])
      expect(await same(ours.id, (id) => stranger.post(`/agents/${id}/${verb}`))).toBe(404);
    const places: ((id: string) => object)[] = [
      (id) => ({ kind: 'retrieve', collections: [id] }),
      (id) => ({ kind: 'model', model: 'CORE-GOV', tools: [{ kind: 'search_collection', collections: [id] }] }),
      (id) => ({ kind: 'model', model: 'CORE-GOV', tools: [{ kind: 'server', server: id }] }),
      (id) => ({ kind: 'tool', tool: { kind: 'search_collection', collections: [id] } }),
      (id) => ({ kind: 'agent', agent: id }),
    ];
    for (const node of places)
      for (const id of 'agent' in node(NOTHING) ? [ours.id, ours.slug] : [shared, own, ours.id])
        await same(id, (one) => {
          const nodes = [...mine.draft.nodes, { id: 'more', ...node(one) }];
          return stranger.post(`${path}/check`, { definition: { ...mine.draft, nodes } });
        });
    const made = await makeAgent(stranger, { name: 'Mine', ...withCollections([shared]) });
    expect(JSON.stringify(made.draft)).not.toContain(shared);
    expect((await stranger.get('/agents')).text).not.toContain('Hidden');
    expect(agentOf(await dev.get(`/agents/${ours.id}`))).toMatchObject({ state: 'pending_review', revision: 1 });
  });

  test('is for those whose role it is', async () => {
    covers('agents.roles');
    const agent = await submit(dev, await makeAgent(dev));
    const path = `/agents/${agent.id}`;
    const build: [string, string, unknown?][] = [
      ['GET', '/agents'],
      ['POST', '/agents', { name: 'x' }],
      ['GET', path],
      ['PATCH', path, { name: 'x' }],
      ['DELETE', path],
      ['POST', `${path}/check`, { definition: {} }],
      ['POST', `${path}/submit`, { revision: 1 }],
      ['POST', `${path}/withdraw`],
      ['POST', `${path}/archive`],
      ['GET', `${path}/versions`],
      ['GET', `${path}/history`],
      ['GET', `${path}/export`],
      ['GET', '/agent-means'],
    ];
    const decide: [string, string, unknown?][] = [
      ['GET', '/agent-reviews'],
      ['POST', `${path}/approve`, approval(agent)],
      ['POST', `${path}/reject`, { ...approval(agent), reason: 'x' }],
      ['POST', `${path}/deploy`, { version_id: waiting(agent).version_id }],
      ['POST', `${path}/undeploy`],
    ];
    for (const [method, at, body] of [...build, ...decide])
      expectRefused(await user.send(method, at, body), 403, 'role_missing');
    for (const [method, at, body] of decide) expectRefused(await dev.send(method, at, body), 403, 'role_missing');
    const reviews = AgentReviews.parse((await chief.get('/agent-reviews?state=pending')).json());
    expect(reviews.items.map(({ agent_id: id }) => id)).toContain(agent.id);
    expect(reviews.pending).toBe(reviews.items.length);
    agentOf(await dev.post(`${path}/withdraw`));
    const after = AgentReviews.parse((await chief.get('/agent-reviews')).json());
    expect(after.pending).toBe(reviews.pending - 1);
    expect(after.items.find(({ agent_id: id }) => id === agent.id)).toMatchObject({ state: 'withdrawn' });
    const others = AgentReviews.parse((await stranger.get('/agent-reviews')).json()).items;
    expect(others.some(({ agent_id: id }) => id === agent.id)).toBe(false);
  });
});
