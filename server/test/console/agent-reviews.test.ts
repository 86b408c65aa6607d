import { AgentHistory, AgentVersionDetails, AgentVersions } from '@ai-studio/contract/console/agents.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { deployedBySlug } from '../../src/agents/index.ts';
import { covers } from '../requirements.ts';
import {
  agentOf,
  approval,
  calledBy,
  makeAgent,
  saveOther,
  submit,
  waiting,
  openAgentTenants,
} from '../support/agents.ts';
import { expectRefused } from '../support/console.ts';
import { makeTenant, personOf } from '../support/people.ts';

const { house, dev, colleague, chief, second, stranger } = await openAgentTenants();
afterAll(() => house.close());

/** The version that callers of an agent get. */
const calledVersion = (slug: string) => calledBy(house, dev.tenantId, slug);

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

  test('is decided beside what callers got then, and read so later too', async () => {
    covers('agents.review.compared');
    const agent = await makeAgent(dev);
    const first = agentOf(await chief.post(`/agents/${agent.id}/approve`, approval(await submit(dev, agent))));
    expect(first.review).toMatchObject({ deployed_version_id: null, deployed_version_number: null });
    const waits = await submit(dev, await saveOther(dev, first, 'Other'));
    expect(waiting(waits)).toMatchObject({
      deployed_version_id: first.deployed_version_id,
      deployed_version_number: 1,
    });
    const decided = agentOf(await chief.post(`/agents/${agent.id}/approve`, approval(waits)));
    expect(decided).toMatchObject({ deployed_version: 2, review: { version_number: 2, deployed_version_number: 1 } });
    const { version_id: to, deployed_version_id: from } = waiting(waits);
    const { changes } = (await chief.get(`/agents/${agent.id}/difference?from=${from}&to=${to}`)).json<{
      changes: { path: string }[];
    }>();
    expect(changes.length).toBeGreaterThan(0);
    // While it waits, what is deployed may change; and what was rejected keeps its own.
    const third = await submit(dev, await saveOther(dev, decided, 'Third'));
    await chief.post(`/agents/${agent.id}/deploy`, { version_id: first.deployed_version_id });
    expect(waiting(agentOf(await chief.get(`/agents/${agent.id}`))).deployed_version_number).toBe(1);
    const rejected = agentOf(await chief.post(`/agents/${agent.id}/reject`, { ...approval(third), reason: 'No' }));
    expect(rejected.review).toMatchObject({ version_number: 3, deployed_version_number: 1 });
    agentOf(await chief.post(`/agents/${agent.id}/undeploy`));
    const { items } = (await chief.get('/agent-reviews')).json<{
      items: { agent_id: string; deployed_version_number: number | null }[];
    }>();
    expect(
      items.filter(({ agent_id: id }) => id === agent.id).map(({ deployed_version_number: number }) => number),
    ).toEqual([1, 1, null]);
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
