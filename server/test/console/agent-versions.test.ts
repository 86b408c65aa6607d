import { RunFile } from '@ai-studio/contract/agents/run.ts';
import { RunStreamEvent } from '@ai-studio/contract/console/agent-talks.ts';
import {
  AgentPage,
  AgentVersionDetails,
  AgentVersions,
  DefinitionDifference,
} from '@ai-studio/contract/console/agents.ts';
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import {
  agentOf,
  approval,
  calledBy,
  deploy,
  makeAgent,
  newCollection,
  saveOther,
  submit,
  waiting,
  withCollections,
  openAgentTenants,
} from '../support/agents.ts';
import { expectRefused } from '../support/console.ts';

const { house, dev, colleague, chief, second, user } = await openAgentTenants();
afterAll(() => house.close());

const NOTHING = 'f'.repeat(32);

/** The version that callers of an agent get. */
const calledVersion = (slug: string) => calledBy(house, dev.tenantId, slug);

describe('versions', () => {
  test('tell the names of what they use, to those who may see it', async () => {
    covers('agents.names');
    const inner = await deploy(dev, chief, await makeAgent(dev, { name: 'Inner' }));
    const own = await newCollection(dev, 'private');
    const agent = await makeAgent(dev, { name: 'Named', ...withCollections([own]) });
    const path = `/agents/${agent.id}`;
    const version = waiting(await submit(dev, agent)).version_id;
    agentOf(await dev.post(`${path}/withdraw`));
    const nodes = agent.draft.nodes.map((node) =>
      node.kind === 'model' ? { kind: 'agent', id: node.id, agent: inner.slug, position: node.position } : node,
    );
    agentOf(await dev.patch(path, { draft: { ...agent.draft, nodes }, revision: agent.revision }));
    const seen = async (who: typeof dev) => {
      const { names, changes } = DefinitionDifference.parse(
        (await who.get(`${path}/difference?from=${version}&to=draft`)).json(),
      );
      expect(changes.length).toBeGreaterThan(0);
      const details = AgentVersionDetails.parse((await who.get(`${path}/versions/${version}`)).json());
      return [names?.agents, details.names?.collections];
    };
    const all = [{ [inner.slug]: 'Inner' }, { [own]: 'Rules private' }];
    expect(await seen(dev)).toEqual(all);
    expect(await seen(chief)).toEqual(all);
    expect(await seen(colleague)).toEqual([all[0], {}]);
  });

  test('never change, and are told apart field by field', async () => {
    covers('agents.version.immutable');
    const first = await submit(dev, await makeAgent(dev, { name: 'Versions' }), 'First');
    const path = `/agents/${first.id}`;
    const one = waiting(first).version_id;
    agentOf(await dev.post(`${path}/withdraw`));
    const saved = await saveOther(dev, first, 'Other words');
    const two = waiting(await submit(dev, saved)).version_id;
    const read = async (id: string) => AgentVersionDetails.parse((await dev.get(`${path}/versions/${id}`)).json());
    expect(await read(one)).toMatchObject({
      number: 1,
      note: 'First',
      by: 'Dana',
      approved: false,
      definition: first.draft,
    });
    expect((await read(two)).hash).not.toBe((await read(one)).hash);
    const versions = AgentVersions.parse((await dev.get(`${path}/versions`)).json());
    expect(versions.items.map(({ id }) => id)).toEqual([two, one]);
    const differ = async (from: string, to: string) =>
      DefinitionDifference.parse((await dev.get(`${path}/difference?from=${from}&to=${to}`)).json()).changes;
    expect(await differ(one, two)).toMatchObject([
      { what: 'node', change: 'changed', kind: 'model', path: 'system', after: 'Other words' },
    ]);
    expect(await differ(two, 'draft')).toEqual([]);
    expectRefused(await dev.get(`${path}/difference?from=${one}&to=${NOTHING}`), 404);

    // The draft as the first version was, once it is read anew.
    expectRefused(await dev.post(`${path}/restore`, { version_id: one, revision: 1 }), 409, 'agent_saved_elsewhere');
    const restored = agentOf(await dev.post(`${path}/restore`, { version_id: one, revision: saved.revision }));
    expect(restored.draft).toEqual(first.draft);
    expect(restored.has_changes).toBe(true);
  });

  test('an approved one is deployed again in one step, others are not', async () => {
    covers('agents.rollback', 'agents.undeploy');
    const first = await deploy(dev, chief, await makeAgent(dev));
    const path = `/agents/${first.id}`;
    const one = first.deployed_version_id ?? '';
    const next = await deploy(dev, chief, await saveOther(dev, first, 'Worse'));
    expect(await calledVersion(first.slug)).toBe(2);
    // Who submitted it may roll back: it was approved by somebody else.
    expectRefused(await dev.post(`${path}/deploy`, { version_id: one }), 403, 'role_missing');
    expect(agentOf(await second.post(`${path}/deploy`, { version_id: one })).deployed_version).toBe(1);
    expect(await calledVersion(first.slug)).toBe(1);
    expectRefused(await chief.post(`${path}/deploy`, { version_id: one }), 409, 'agent_unchanged');
    const waits = await submit(dev, await saveOther(dev, next, 'Not looked at'));
    const unapproved = waiting(waits).version_id;
    expectRefused(await chief.post(`${path}/deploy`, { version_id: unapproved }), 409, 'agent_not_approved');

    expectRefused(await dev.post(`${path}/undeploy`), 403, 'role_missing');
    expect(agentOf(await chief.post(`${path}/undeploy`))).toMatchObject({
      state: 'pending_review',
      deployed_version: null,
    });
    expect(await calledVersion(first.slug)).toBeNull();
    expectRefused(await chief.post(`${path}/undeploy`), 409, 'agent_not_deployed');
    expect(agentOf(await chief.post(`${path}/deploy`, { version_id: one })).deployed_version).toBe(1);
  });

  test('runs under way keep the one that they began with', async () => {
    covers('agents.deploy.running');
    const asking = (text: string) => ({
      schema: 1,
      nodes: [
        { kind: 'input', id: 'input' },
        { kind: 'ask', id: 'ask', question: 'Which?' },
        { kind: 'answer', id: 'answer', text },
      ],
      edges: [
        { from: 'input', to: 'ask' },
        { from: 'ask', to: 'answer' },
      ],
    });
    const first = await deploy(
      dev,
      chief,
      await makeAgent(dev, { name: 'Asks', definition: asking('Old {{ask.text}}') }),
    );
    const root = `/deployed-agents/${first.slug}/runs`;
    const runs = ({ text }: { text: string }) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => RunStreamEvent.parse(JSON.parse(line.slice(6))))
        .flatMap((event) => (event.type === 'run' ? [event.run] : []));
    const begun = runs(await user.post(root, { text: 'Hello' })).at(-1);
    expect(begun).toMatchObject({ state: 'input-required', question: 'Which?', version_number: 1 });
    const next = asking('New {{ask.text}}');
    const saved = agentOf(await dev.patch(`/agents/${first.id}`, { draft: next, revision: first.revision }));
    expect((await deploy(dev, chief, saved)).deployed_version).toBe(2);
    const ended = runs(await user.post(root, { text: 'this', run_id: begun?.id })).at(-1);
    expect(ended).toMatchObject({ state: 'completed', answer: 'Old this', version_number: 1 });
    const fresh = runs(await user.post(root, { text: 'Hello' })).at(-1);
    expect(fresh?.version_number).toBe(2);
  });

  test('one that cannot run any more is not deployed', async () => {
    const id = await newCollection(dev, 'tenant');
    const agent = await submit(dev, await makeAgent(dev, withCollections([id])));
    expect((await dev.delete(`/collections/${id}`)).status).toBe(204);
    expectRefused(await chief.post(`/agents/${agent.id}/approve`, approval(agent)), 409, 'agent_has_errors');
    expect(agentOf(await chief.get(`/agents/${agent.id}`)).state).toBe('pending_review');
  });
});

describe('agents that are put away', () => {
  test('are archived, brought back, and deleted once they are archived', async () => {
    covers('agents.archive');
    const agent = await deploy(dev, chief, await makeAgent(dev, { name: 'Old' }));
    const path = `/agents/${agent.id}`;
    await submit(dev, await saveOther(dev, agent, 'More'));
    const given = await fetch(`${house.base}/console/api${path}/files?name=a.txt&size=1`, {
      method: 'POST',
      headers: { cookie: dev.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
      body: 'a',
    });
    const { id: file } = RunFile.parse(await given.json());
    const kept = () => readdirSync(house.dataFolder, { recursive: true }).join();
    expect(kept()).toContain(file);
    expectRefused(await colleague.post(`${path}/archive`), 403, 'agent_not_yours');
    // Callers have it: that is for administrators.
    expectRefused(await dev.post(`${path}/archive`), 403, 'role_missing');
    expectRefused(await dev.delete(path), 409, 'agent_not_archived');
    const archived = agentOf(await chief.post(`${path}/archive`));
    expect(archived).toMatchObject({ state: 'archived', deployed_version: null, review: { state: 'withdrawn' } });
    expect(await calledVersion(agent.slug)).toBeNull();
    const listed = async (query = '') =>
      AgentPage.parse((await dev.get(`/agents${query}`)).json()).items.some(({ id }) => id === agent.id);
    expect([await listed(), await listed('?state=archived')]).toEqual([false, true]);
    for (const [verb, body] of [
      ['archive'],
      ['submit', { revision: archived.revision }],
      ['restore', { version_id: agent.deployed_version_id, revision: archived.revision }],
    ] as const)
      expectRefused(await dev.post(`${path}/${verb}`, body), 409, 'agent_archived');
    expectRefused(await dev.patch(path, { name: 'New' }), 409, 'agent_archived');
    expectRefused(await chief.post(`${path}/deploy`, { version_id: agent.deployed_version_id }), 409, 'agent_archived');
    expect(agentOf(await dev.post(`${path}/unarchive`))).toMatchObject({ state: 'draft', slug: agent.slug });
    expectRefused(await dev.post(`${path}/unarchive`), 409, 'agent_not_archived');
    agentOf(await dev.post(`${path}/archive`));
    expectRefused(await colleague.delete(path), 403, 'agent_not_yours');
    const session = await house.db.query
      .insertInto('agent_sessions')
      .values({ tenant_id: dev.tenantId, agent_id: agent.id, context_id: NOTHING, type: 'test', user_id: dev.userId })
      .returning('id')
      .executeTakeFirstOrThrow();
    await house.db.query
      .insertInto('agent_runs')
      .values({
        id: NOTHING,
        tenant_id: dev.tenantId,
        agent_id: agent.id,
        session_id: session.id,
        version_id: agent.deployed_version_id,
        definition: JSON.stringify(agent.draft),
        input: JSON.stringify({ text: '', files: [], data: null }),
        state: 'working',
        // Of another process, which gives signs of life.
        claim: 'elsewhere',
        seen_at: new Date(Date.now() + 3_600_000),
      })
      .execute();
    expectRefused(await dev.delete(path), 409, 'agent_running');
    await house.db.query.updateTable('agent_runs').set({ state: 'completed' }).where('id', '=', NOTHING).execute();
    expect((await dev.delete(path)).status).toBe(204);
    expect(kept()).not.toContain(file);
    expectRefused(await dev.get(path), 404);
    const rows = await house.db.query
      .selectFrom('agent_versions')
      .select('id')
      .where('agent_id', '=', agent.id)
      .execute();
    expect(rows).toEqual([]);
  });
});
