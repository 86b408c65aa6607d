import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import {
  AgentFile,
  AgentOptions,
  AgentPage,
  agentTemplates,
  DefinitionCheckResult,
} from '@ai-studio/contract/console/agents.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import {
  agentOf,
  deploy,
  makeAgent,
  saveOther,
  submit,
  waiting,
  withCollections,
  openAgentTenants,
} from '../support/agents.ts';
import { type Answer, expectRefused } from '../support/console.ts';
import { type SignedInBrowser } from '../support/people.ts';

const { house, dev, colleague, chief, stranger, shared, own, theirs } = await openAgentTenants();
afterAll(() => house.close());

const NOTHING = 'f'.repeat(32);

describe('a new agent', () => {
  test('is a draft with an ID of its own', async () => {
    covers('agents.create.draft', 'agents.create.slug');
    const slugs = [];
    for (const name of ['Holiday Rules (2026)', 'Holiday rules 2026', '연차 도우미', '休暇'])
      slugs.push((await makeAgent(dev, { name })).slug);
    for (const slug of slugs) expect(slug).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(new Set(slugs).size).toBe(slugs.length);
    const agent = await makeAgent(colleague, { name: 'One', description: 'What it does' });
    expect(agent).toMatchObject({
      state: 'draft',
      deployed_version: null,
      has_changes: true,
      revision: 1,
      by: 'Colin',
    });
    expect(agent.a2a_url).toBe(`${house.base}/api/v1/external/agents/${agent.slug}/a2a`);
    expect(agent.card_url).toBe(`${house.base}/api/v1/external/agents/${agent.slug}/.well-known/agent-card.json`);
    const renamed = agentOf(await dev.patch(`/agents/${agent.id}`, { name: 'Two' }));
    expect(renamed).toMatchObject({ name: 'Two', slug: agent.slug, description: 'What it does', revision: 1 });
    expect((await makeAgent(stranger, { name: 'One' })).slug).not.toBe(agent.slug);
  });

  test('of each template is well where a model and a collection are there', async () => {
    covers('agents.create.templates');
    for (const template of agentTemplates) {
      const agent = await makeAgent(dev, { name: template, template, collections: [shared] });
      expect(agent.problems, template).toEqual([]);
      expect(JSON.stringify(agent.draft).includes(shared)).toBe(
        template === 'knowledge_answer' || template === 'multi_step',
      );
    }
    // The first that there is, where none is named.
    expect((await makeAgent(dev, { template: 'knowledge_answer' })).problems).toEqual([]);
  });

  test('two made at the same time have two IDs', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => makeAgent(dev, { name: 'Twin' })));
    expect(new Set(made.map(({ slug }) => slug)).size).toBe(5);
  });

  test('is found by name, ID and description, and by its state', async () => {
    const { id, slug } = await makeAgent(dev, { name: 'Needle 100%', description: 'In a haystack' });
    const find = async (query: string) =>
      AgentPage.parse((await dev.get(`/agents?${query}`)).json()).items.map(({ id: one }) => one);
    for (const text of ['needle', 'LE 100%', 'haystack', slug])
      expect(await find(`text=${encodeURIComponent(text)}`)).toContain(id);
    expect(await find(`text=${encodeURIComponent('e_100%')}`)).toEqual([]);
    expect(await find('state=draft&text=needle')).toEqual([id]);
    expect(await find('state=deployed&text=needle')).toEqual([]);
    const page = AgentPage.parse((await dev.get('/agents?size=1&from=1')).json());
    expect(page.items).toHaveLength(1);
    expect(page.total).toBeGreaterThan(5);
  });
});

describe('a draft', () => {
  test('is checked as it is written, and kept with its errors', async () => {
    covers('agents.definition.check');
    const agent = await makeAgent(dev, withCollections([shared]));
    const broken = {
      ...agent.draft,
      nodes: agent.draft.nodes.map((node) => (node.kind === 'retrieve' ? { ...node, collections: [NOTHING] } : node)),
    };
    const checked = DefinitionCheckResult.parse(
      (await dev.post(`/agents/${agent.id}/check`, { definition: broken })).json(),
    );
    expect(checked.problems).toMatchObject([{ code: 'unknown_collection', node: 'search', field: 'collections.0' }]);
    const saved = agentOf(await dev.patch(`/agents/${agent.id}`, { draft: broken, revision: agent.revision }));
    expect(saved.problems).toEqual(checked.problems);
    expect(saved.revision).toBe(agent.revision + 1);
    const refused = await dev.post(`/agents/${agent.id}/submit`, { revision: saved.revision });
    expect(expectRefused(refused, 409, 'agent_has_errors').values).toEqual({ errors: 1 });
  });

  test('names what the person may not use, as what is not there', async () => {
    const named = async (who: SignedInBrowser, ids: string[]) => {
      const { id, draft } = await makeAgent(dev, withCollections([shared]));
      const nodes = draft.nodes.map((node) => (node.kind === 'retrieve' ? { ...node, collections: ids } : node));
      const answer = await who.post(`/agents/${id}/check`, { definition: { ...draft, nodes } });
      return DefinitionCheckResult.parse(answer.json()).problems.map(({ code }) => code);
    };
    expect(await named(dev, [own])).toEqual([]);
    expect(await named(colleague, [own])).toEqual(['unknown_collection']);
    expect(await named(chief, [own])).toEqual([]);
    expect(await named(chief, [theirs])).toEqual(['unknown_collection']);
  });

  test('that is no definition, or a bomb, is refused at once', async () => {
    covers('agents.definition.bombs');
    const { id, draft } = await makeAgent(dev);
    const check = async (definition: unknown) =>
      DefinitionCheckResult.parse((await dev.post(`/agents/${id}/check`, { definition })).json()).problems;
    const nodes = Array.from({ length: 10_000 }, (_, index) => ({ kind: 'ask', id: `n${index}`, question: '' }));
    expect(await check({ ...draft, nodes })).toMatchObject([{ code: 'form' }]);
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const raw = `{"definition":{"schema":1,"nodes":[],"edges":[],"more":${deep}}}`;
    const answer = await dev.post(`/agents/${id}/check`, raw, { 'content-type': 'application/json' });
    expect(DefinitionCheckResult.parse(answer.json()).problems).toMatchObject([{ code: 'form' }]);
    expectRefused(await dev.patch(`/agents/${id}`, { draft: { ...draft, nodes }, revision: 1 }), 400, 'invalid_field');
    expectRefused(await dev.post('/agents', { name: 'Bomb', definition: { ...draft, nodes } }), 400, 'agent_form');
    expectRefused(await dev.patch(`/agents/${id}`, { draft }), 400, 'invalid_field');
  });

  test('that somebody else has saved is not overwritten', async () => {
    covers('agents.draft.conflict');
    const agent = await makeAgent(dev);
    await saveOther(colleague, agent, 'Mine');
    const late = await dev.patch(`/agents/${agent.id}`, { draft: agent.draft, revision: agent.revision });
    expect(expectRefused(late, 409, 'agent_saved_elsewhere').values).toEqual({ name: 'Colin', revision: 2 });
    expectRefused(await dev.post(`/agents/${agent.id}/submit`, { revision: 1 }), 409, 'agent_saved_elsewhere');
    // Of many at the same time, one.
    const all = await Promise.all(
      Array.from({ length: 6 }, () => dev.patch(`/agents/${agent.id}`, { draft: agent.draft, revision: 2 })),
    );
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
  });
});

describe('agents that call agents', () => {
  test('call what is deployed, and never each other in a circle', async () => {
    const inner = await deploy(dev, chief, await makeAgent(dev, { name: 'Inner' }));
    const calling = (agent: AgentDefinition, slug: string) => ({
      ...agent,
      nodes: agent.nodes.map((node) =>
        node.kind === 'model' ? { kind: 'agent', id: node.id, agent: slug, position: node.position } : node,
      ),
    });
    const outer = await makeAgent(dev, { name: 'Outer' });
    const save = async (draft: unknown, { id, revision }: { id: string; revision: number }) =>
      agentOf(await dev.patch(`/agents/${id}`, { draft, revision }));
    expect((await save(calling(outer.draft, outer.slug), outer)).problems).toMatchObject([
      { code: 'agent_calls_itself' },
    ]);
    const well = await save(calling(outer.draft, inner.slug), { ...outer, revision: 2 });
    expect(well.problems).toEqual([]);
    await deploy(dev, chief, well);
    const circle = await save(calling(inner.draft, outer.slug), inner);
    expect(circle.problems).toMatchObject([{ code: 'agent_calls_itself', node: 'write' }]);
    const means = AgentOptions.parse((await dev.get('/agent-means')).json());
    expect(means.agents).toContainEqual({ id: inner.id, slug: inner.slug, name: 'Inner' });
    expect(means.models.length).toBeGreaterThan(0);
    expect(means.collections.map(({ id }) => id)).toContain(own);
    expect(means.collections.map(({ id }) => id)).not.toContain(theirs);
  });
});

describe('a file', () => {
  test('holds an agent, and makes one again', async () => {
    covers('agents.definition.file');
    const agent = await makeAgent(dev, { name: '연차', ...withCollections([shared, own]) });
    const exported = await dev.get(`/agents/${agent.id}/export`);
    expect(exported.headers.get('content-disposition')).toContain(`filename="${agent.slug}.json"`);
    const file = AgentFile.parse(exported.json());
    expect(file).toMatchObject({ ai_studio_agent: 1, name: '연차' });
    const made = await makeAgent(dev, { name: 'Copy', definition: file });
    expect(made.draft).toEqual(agent.draft);
    // A definition by itself, too.
    expect((await makeAgent(dev, { name: 'Bare', definition: agent.draft })).draft).toEqual(agent.draft);
    // What is not there for the one who imports is chosen anew.
    const copied = await makeAgent(colleague, { name: 'Copy', definition: file });
    expect(JSON.stringify(copied.draft)).not.toContain(own);
    expect(JSON.stringify(copied.draft)).toContain(shared);
    const elsewhere = await makeAgent(stranger, { name: 'Copy', definition: file });
    for (const id of [own, shared]) expect(JSON.stringify(elsewhere.draft)).not.toContain(id);
    expect(elsewhere.problems).toMatchObject([{ code: 'unknown_collection', node: 'search', field: 'collections' }]);
    const version = waiting(await submit(dev, agent)).version_id;
    expect(AgentFile.parse((await dev.get(`/agents/${agent.id}/export?version=${version}`)).json())).toEqual(file);
    const wrong = await dev.post('/agents', { name: 'Wrong', definition: { ...file, definition: { nodes: 5 } } });
    expectRefused(wrong, 400, 'agent_form');
    const newer = await dev.post('/agents', { name: 'Newer', definition: { ...file, ai_studio_agent: 2 } });
    expect(expectRefused(newer, 400, 'agent_form').param).toBe('definition.ai_studio_agent');
  });

  test('whose fields are not all known is refused with their paths, or taken in without them', async () => {
    covers('agents.definition.unknown-fields');
    const { id, draft, revision } = await makeAgent(dev);
    const nodes = draft.nodes.map((node) =>
      node.kind === 'model'
        ? {
            ...node,
            temprature: 0.2,
            tools: [{ kind: 'calculator', precision: 3 }],
            schema: { type: 'object', any: 1 },
          }
        : node,
    );
    const edges = draft.edges.map((edge, index) => (index === 0 ? { ...edge, label: 'x' } : edge));
    const odd = { ...draft, nodes, edges, limits: { ...draft.limits, memory: 1 }, comment: 'x' };
    const fields = ['write.temprature', 'write.tools.0.precision', 'edges.0.label', 'limits.memory', 'comment'];
    const refuse = async (answer: Promise<Answer>, param: string, told: readonly string[]) => {
      const refused = expectRefused(await answer, 400, 'agent_unknown_fields');
      expect(refused.param).toMatch(new RegExp(`^${param}\\.`));
      const { fields: text, count } = refused.values as { fields: string; count: number };
      expect(text.split(', ').toSorted()).toEqual(told.toSorted());
      expect(count).toBe(told.length);
    };
    await refuse(dev.post('/agents', { name: 'Odd', definition: odd }), 'definition', fields);
    const file = { ai_studio_agent: 1, name: 'n', description: '', definition: odd, author: 'x' };
    await refuse(dev.post('/agents', { name: 'Odd', definition: file }), 'definition', ['author', ...fields]);
    await refuse(dev.patch(`/agents/${id}`, { draft: odd, revision }), 'draft', fields);
    expect(agentOf(await dev.get(`/agents/${id}`)).revision).toBe(revision);
    const made = await makeAgent(dev, { name: 'Without', definition: odd, leave_out: true });
    expect(JSON.stringify(made.draft)).not.toMatch(/temprature|precision|label|memory|comment/);
    // What is free in the form stays.
    expect(made.draft.nodes).toContainEqual(expect.objectContaining({ schema: { type: 'object', any: 1 } }));
  });
});
