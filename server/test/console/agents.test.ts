import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import {
  AgentFile,
  AgentHistory,
  AgentMeans,
  AgentPage,
  AgentReviews,
  agentTemplates,
  AgentVersionDetails,
  AgentVersions,
  DefinitionChecked,
  DefinitionDifference,
  RunStreamEvent,
} from '@ai-studio/contract/console/agents.ts';
import { AuditPage } from '@ai-studio/contract/console/audit.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deployedBySlug } from '../../src/agents/index.ts';
import { covers } from '../requirements.ts';
import { agentOf, approval, deploy, makeAgent, saveOther, submit, waiting } from '../support/agents.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { usesDatabase } from '../support/postgres.ts';

usesDatabase();

let house: ConsoleHouse;
let dev: SignedInBrowser;
let colleague: SignedInBrowser;
let chief: SignedInBrowser;
let second: SignedInBrowser;
let user: SignedInBrowser;
let stranger: SignedInBrowser;
/** A collection that everybody of the tenant may search, one of the developer's own, and one of another tenant. */
let shared: string;
let own: string;
let theirs: string;

const NOTHING = 'f'.repeat(32);

async function collection(who: SignedInBrowser, visibility: string): Promise<string> {
  const made = await who.post('/collections', { collection_name: `Rules ${visibility}`, visibility });
  expect(made.status, made.text).toBe(201);
  return made.json<{ collection_id: string }>().collection_id;
}

beforeAll(async () => {
  house = await openConsoleHouse();
  const ours = await makeTenant(house, 'Ours');
  dev = await personOf(house, ours, 'developer', 'Dana');
  colleague = await personOf(house, ours, 'developer', 'Colin');
  chief = await personOf(house, ours, 'administrator', 'Chia');
  second = await personOf(house, ours, 'administrator', 'Sora');
  user = await personOf(house, ours, 'user', 'Uma');
  stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator', 'Stranger');
  shared = await collection(dev, 'tenant');
  own = await collection(dev, 'private');
  theirs = await collection(stranger, 'tenant');
});
afterAll(() => house.close());

/** What callers of an agent get. */
async function calledVersion(slug: string): Promise<number | null> {
  const found = await deployedBySlug({ db: house.db }, dev.tenantId, slug);
  return found?.deployed === true ? found.versionNumber : null;
}

const withCollections = (ids: string[]) => ({ template: 'knowledge_answer', collections: ids });

describe('a new agent', () => {
  test('is a draft with an ID of its own, made from its name', async () => {
    covers('agents.create.draft', 'agents.create.slug');
    const slugs = [];
    for (const name of ['Holiday Rules (2026)', 'Holiday rules 2026', '연차 도우미', '¡Ünïcode!', '休暇'])
      slugs.push((await makeAgent(dev, { name })).slug);
    expect(slugs[0]).toBe('holiday-rules-2026');
    expect(slugs[1]).toMatch(/^holiday-rules-2026-[a-z0-9]{6}$/);
    expect(slugs[2]).toBe('yeoncha-doumi');
    expect(slugs[3]).toBe('unicode');
    expect(slugs[4]).toMatch(/^agent-[a-z0-9]{6}$/);
    const agent = await makeAgent(colleague, { name: 'One', description: 'What it does' });
    expect(agent).toMatchObject({
      state: 'draft',
      deployed_version: null,
      has_changes: true,
      revision: 1,
      by: 'Colin',
    });
    expect(agent.a2a_url).toBe(`${house.base}/api/v1/external/agents/one/a2a`);
    expect(agent.card_url).toBe(`${house.base}/api/v1/external/agents/one/.well-known/agent-card.json`);
    const renamed = agentOf(await dev.patch(`/agents/${agent.id}`, { name: 'Two' }));
    expect(renamed).toMatchObject({ name: 'Two', slug: 'one', description: 'What it does', revision: 1 });
    // Of another tenant, the same ID is free.
    expect((await makeAgent(stranger, { name: 'One' })).slug).toBe('one');
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
    const checked = DefinitionChecked.parse(
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
      return DefinitionChecked.parse(answer.json()).problems.map(({ code }) => code);
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
      DefinitionChecked.parse((await dev.post(`/agents/${id}/check`, { definition })).json()).problems;
    const nodes = Array.from({ length: 10_000 }, (_, index) => ({ kind: 'ask', id: `n${index}`, question: '' }));
    expect(await check({ ...draft, nodes })).toMatchObject([{ code: 'form' }]);
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const raw = `{"definition":{"schema":1,"nodes":[],"edges":[],"more":${deep}}}`;
    const answer = await dev.post(`/agents/${id}/check`, raw, { 'content-type': 'application/json' });
    expect(DefinitionChecked.parse(answer.json()).problems).toMatchObject([{ code: 'form' }]);
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

describe('the way of an agent', () => {
  test('from draft over review to callers, and a newer version while callers go on', async () => {
    covers('agents.submit', 'agents.approve', 'agents.review.keeps-deployed');
    const agent = await makeAgent(dev, { name: 'Way' });
    expect(await calledVersion(agent.slug)).toBeNull();
    const submitted = await submit(dev, agent, 'Please look');
    expect(submitted).toMatchObject({ state: 'pending_review', has_changes: false });
    expect(waiting(submitted)).toMatchObject({
      note: 'Please look',
      submitted_by: 'Dana',
      own: true,
      may_decide: false,
    });
    expect(await calledVersion(agent.slug)).toBeNull();
    expectRefused(await dev.post(`/agents/${agent.id}/submit`, { revision: 1 }), 409, 'agent_in_review');
    const seen = agentOf(await chief.get(`/agents/${agent.id}`));
    expect(waiting(seen)).toMatchObject({ own: false, may_decide: true });
    const deployed = agentOf(await chief.post(`/agents/${agent.id}/approve`, approval(seen)));
    expect(deployed).toMatchObject({ state: 'deployed', deployed_version: 1, has_changes: false });
    expect(await calledVersion(agent.slug)).toBe(1);
    expectRefused(await dev.post(`/agents/${agent.id}/submit`, { revision: 1 }), 409, 'agent_unchanged');

    const changed = await saveOther(dev, deployed, 'Say more');
    expect(changed).toMatchObject({ state: 'deployed', has_changes: true });
    const again = await submit(dev, changed);
    expect(again).toMatchObject({ state: 'pending_review', deployed_version: 1 });
    expect(await calledVersion(agent.slug)).toBe(1);
    expect(agentOf(await second.post(`/agents/${agent.id}/approve`, approval(again))).deployed_version).toBe(2);
    expect(await calledVersion(agent.slug)).toBe(2);
  });

  test('back to a draft: rejected with a reason, or withdrawn', async () => {
    covers('agents.reject', 'agents.withdraw');
    const agent = await makeAgent(dev);
    const submitted = await submit(dev, agent);
    expectRefused(await chief.post(`/agents/${agent.id}/reject`, approval(submitted)), 400, 'invalid_field');
    const rejected = agentOf(
      await chief.post(`/agents/${agent.id}/reject`, { ...approval(submitted), reason: 'Too short' }),
    );
    expect(rejected).toMatchObject({
      state: 'draft',
      review: { state: 'rejected', reason: 'Too short', decided_by: 'Chia' },
    });
    const again = await submit(dev, agent);
    // Nothing was changed: the same version.
    expect(waiting(again).version_number).toBe(1);
    expectRefused(await colleague.post(`/agents/${agent.id}/withdraw`), 403, 'agent_not_yours');
    const withdrawn = agentOf(await dev.post(`/agents/${agent.id}/withdraw`));
    expect(withdrawn).toMatchObject({ state: 'draft', review: { state: 'withdrawn' } });
    expectRefused(await dev.post(`/agents/${agent.id}/withdraw`), 409, 'agent_not_in_review');
    expectRefused(await chief.post(`/agents/${agent.id}/approve`, approval(again)), 409, 'agent_not_in_review');
    const third = await submit(dev, await saveOther(dev, withdrawn, 'Longer'));
    expect(waiting(third).version_number).toBe(2);
    // An older approval says nothing of it.
    expectRefused(await chief.post(`/agents/${agent.id}/approve`, approval(again)), 409, 'agent_not_in_review');
    agentOf(await chief.post(`/agents/${agent.id}/withdraw`));
  });

  test('an approval is of just what was looked at', async () => {
    covers('agents.approve.bound');
    const agent = await makeAgent(dev);
    const submitted = await submit(dev, agent);
    const { review_id: id, hash } = approval(submitted);
    const other = { review_id: id, hash: hash.replace(/^./, (first) => (first === '0' ? '1' : '0')) };
    expectRefused(await chief.post(`/agents/${agent.id}/approve`, other), 409, 'agent_review_differs');
    expectRefused(
      await chief.post(`/agents/${agent.id}/reject`, { ...other, reason: 'x' }),
      409,
      'agent_review_differs',
    );
    // What is stored is looked at once more, should anything have changed it.
    const definition = JSON.stringify({ ...agent.draft, limits: { seconds: 1, tokens: 1 } });
    await house.db.query.updateTable('agent_versions').set({ definition }).where('agent_id', '=', agent.id).execute();
    expectRefused(
      await chief.post(`/agents/${agent.id}/approve`, { review_id: id, hash }),
      409,
      'agent_review_differs',
    );
    // A draft that is saved while it is reviewed changes nothing of the review.
    const next = await makeAgent(dev);
    const waits = await submit(dev, next);
    await saveOther(dev, next, 'Later');
    const done = agentOf(await chief.post(`/agents/${next.id}/approve`, approval(waits)));
    expect(done).toMatchObject({ state: 'deployed', has_changes: true });
    const deployed = await deployedBySlug({ db: house.db }, dev.tenantId, next.slug);
    expect(JSON.stringify(deployed)).not.toContain('Later');
  });

  test('who submitted does not approve, but for a single administrator', async () => {
    covers('agents.approve.other-person');
    const agent = await submit(chief, await makeAgent(chief));
    expect(waiting(agentOf(await chief.get(`/agents/${agent.id}`)))).toMatchObject({ own: true, may_decide: false });
    expectRefused(await chief.post(`/agents/${agent.id}/approve`, approval(agent)), 403, 'agent_own_submission');
    agentOf(await second.post(`/agents/${agent.id}/approve`, approval(agent)));
    const alone = await submit(stranger, await makeAgent(stranger));
    expect(waiting(alone)).toMatchObject({ own: true, may_decide: true });
    agentOf(await stranger.post(`/agents/${alone.id}/approve`, approval(alone)));
    // Others that cannot act do not count.
    const tenant = await makeTenant(house, 'Three');
    const first = await personOf(house, tenant, 'administrator');
    const gone = await personOf(house, tenant, 'administrator');
    const mine = await submit(first, await makeAgent(first));
    expectRefused(await first.post(`/agents/${mine.id}/approve`, approval(mine)), 403, 'agent_own_submission');
    await house.db.query
      .updateTable('memberships')
      .set({ state: 'disabled' })
      .where('user_id', '=', gone.userId)
      .execute();
    agentOf(await first.post(`/agents/${mine.id}/approve`, approval(mine)));
  });

  test('of two decisions at the same time there is one', async () => {
    covers('agents.approve.once');
    for (const other of ['approve', 'reject']) {
      const agent = await submit(dev, await makeAgent(dev));
      const path = `/agents/${agent.id}`;
      const answers = await Promise.all([
        chief.post(`${path}/approve`, approval(agent)),
        second.post(`${path}/${other}`, { ...approval(agent), ...(other === 'reject' ? { reason: 'No' } : {}) }),
      ]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
      const history = AgentHistory.parse((await dev.get(`${path}/history`)).json()).items.map(({ action }) => action);
      expect(history.filter((action) => action === 'approved' || action === 'rejected')).toHaveLength(1);
    }
    const agent = await makeAgent(dev);
    const many = await Promise.all(
      [dev, colleague, chief].map((who) => who.post(`/agents/${agent.id}/submit`, { revision: 1 })),
    );
    expect(many.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(AgentVersions.parse((await dev.get(`/agents/${agent.id}/versions`)).json()).items).toHaveLength(1);
  });

  test('a submission while somebody saves is of one or the other', async () => {
    const agent = await makeAgent(dev);
    const { draft, id } = agent;
    const nodes = draft.nodes.map((node) => (node.kind === 'model' ? { ...node, system: 'Saved' } : node));
    const [submitted, saved] = await Promise.all([
      dev.post(`/agents/${id}/submit`, { revision: 1 }),
      colleague.patch(`/agents/${id}`, { draft: { ...draft, nodes }, revision: 1 }),
    ]);
    expect(saved.status).toBe(200);
    if (submitted.status !== 200) expectRefused(submitted, 409, 'agent_saved_elsewhere');
    else {
      const versions = AgentVersions.parse((await dev.get(`/agents/${id}/versions`)).json());
      const version = AgentVersionDetails.parse(
        (await dev.get(`/agents/${id}/versions/${versions.items[0]?.id}`)).json(),
      );
      expect(version.definition).toEqual(draft);
    }
  });
});

describe('versions', () => {
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
    const id = await collection(dev, 'tenant');
    const agent = await submit(dev, await makeAgent(dev, withCollections([id])));
    expect((await dev.delete(`/collections/${id}`)).status).toBe(204);
    expectRefused(await chief.post(`/agents/${agent.id}/approve`, approval(agent)), 409, 'agent_has_errors');
    expect(agentOf(await chief.get(`/agents/${agent.id}`)).state).toBe('pending_review');
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
    expect((await save(calling(outer.draft, 'outer'), outer)).problems).toMatchObject([{ code: 'agent_calls_itself' }]);
    const well = await save(calling(outer.draft, inner.slug), { ...outer, revision: 2 });
    expect(well.problems).toEqual([]);
    await deploy(dev, chief, well);
    const circle = await save(calling(inner.draft, 'outer'), inner);
    expect(circle.problems).toMatchObject([{ code: 'agent_calls_itself', node: 'write' }]);
    const means = AgentMeans.parse((await dev.get('/agent-means')).json());
    expect(means.agents).toContainEqual({ slug: 'inner', name: 'Inner' });
    expect(means.models.length).toBeGreaterThan(0);
    expect(means.collections.map(({ id }) => id)).toContain(own);
    expect(means.collections.map(({ id }) => id)).not.toContain(theirs);
  });
});

describe('agents that are put away', () => {
  test('are archived, brought back, and deleted once they are archived', async () => {
    covers('agents.archive');
    const agent = await deploy(dev, chief, await makeAgent(dev, { name: 'Old' }));
    const path = `/agents/${agent.id}`;
    await submit(dev, await saveOther(dev, agent, 'More'));
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
    expect(agentOf(await dev.post(`${path}/unarchive`))).toMatchObject({ state: 'draft', slug: 'old' });
    expectRefused(await dev.post(`${path}/unarchive`), 409, 'agent_not_archived');
    agentOf(await dev.post(`${path}/archive`));
    expectRefused(await colleague.delete(path), 403, 'agent_not_yours');
    expect((await dev.delete(path)).status).toBe(204);
    expectRefused(await dev.get(path), 404);
    const rows = await house.db.query
      .selectFrom('agent_versions')
      .select('id')
      .where('agent_id', '=', agent.id)
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('a file', () => {
  test('holds an agent, and makes one again', async () => {
    covers('agents.definition.file');
    const agent = await makeAgent(dev, { name: '연차', ...withCollections([shared, own]) });
    const exported = await dev.get(`/agents/${agent.id}/export`);
    expect(exported.headers.get('content-disposition')).toContain('filename="yeoncha.json"');
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
  });
});

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
      detail: { slug: 'told', version: 2 },
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
    for (const verb of ['approve', 'reject'])
      expect(await same(review, (id) => stranger.post(`${path}/${verb}`, { review_id: id, hash, reason: 'x' }))).toBe(
        409,
      );
    for (const verb of ['submit', 'approve', 'reject', 'deploy', 'restore'])
      await same(ours.id, (id) =>
        stranger.post(`/agents/${id}/${verb}`, {
          review_id: review,
          hash,
          reason: 'x',
          version_id: version,
          revision: 1,
        }),
      );
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
    expect(AgentReviews.parse((await chief.get('/agent-reviews')).json()).items.length).toBeGreaterThan(
      reviews.pending,
    );
    const others = AgentReviews.parse((await stranger.get('/agent-reviews')).json()).items;
    expect(others.some(({ agent_id: id }) => id === agent.id)).toBe(false);
  });
});
