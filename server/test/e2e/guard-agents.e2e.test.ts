import { defaultGuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Database } from '../../src/ports/database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import {
  chain,
  databaseOf,
  firstTenant,
  makeAgent,
  message,
  pathOf,
  plainAgent,
  rpc,
  stream,
  textOf,
} from '../support/a2a.ts';
import { administratorEnv } from '../support/administrator-env.ts';
import { signInAdministrator } from '../support/administrator.ts';
import { type House, openHouse } from '../support/house.ts';
import { call } from '../support/http.ts';
import { type Handler, play } from '../support/upstream.ts';

// What agents tell models of personal values, over A2A and in their traces.

const RRN = '960121-1234567';
const TOKEN = /\[RRN_[2-9A-HJ-NP-Z]{8}\]/;
const question = `제 주민번호는 ${RRN}입니다.`;

let house: House;
let session: Record<string, string>;
let db: Database;
let tenantId: TenantId;

beforeAll(async () => {
  house = await openHouse({ env: administratorEnv, config: () => ({ probe: { enabled: false } }) });
  session = await signInAdministrator(house);
  db = await databaseOf(house);
  tenantId = await firstTenant(db);
});
afterAll(async () => {
  await db.close();
  await house.close();
});
beforeEach(() => house.upstream.reset());

/** Says again what it was told, tokens and all. */
const repeats: Handler = (sent) => play({ text: `확인: ${TOKEN.exec(sent.text)?.[0] ?? RRN}.` })(sent);

const withGuard = (guard: 'mask' | 'refuse' | 'off' | undefined) => {
  const definition = plainAgent('CORE-GOV');
  return { ...definition, limits: { ...definition.limits, ...(guard === undefined ? {} : { guard }) } };
};
async function setPolicy(mode: 'off' | 'mask'): Promise<void> {
  const response = await fetch(`${house.base}/console/api/privacy/policy`, {
    method: 'PUT',
    headers: { ...session, 'content-type': 'application/json' },
    body: JSON.stringify({ ...defaultGuardPolicy, mode }),
  });
  expect(response.status).toBe(200);
}
interface Task {
  readonly result: {
    readonly id: string;
    readonly status: { readonly state: string; readonly message: { readonly parts: { readonly text: string }[] } };
  };
}
async function ask(definition: ReturnType<typeof withGuard>) {
  const agent = await makeAgent(db, tenantId, definition);
  const reply = await call(house, pathOf(agent.slug), { body: rpc('message/send', { message: message(question) }) });
  const { result } = JSON.parse(reply.text) as Task;
  const steps = await db.query
    .selectFrom('agent_steps')
    .select(['inputs', 'outputs'])
    .where('run_id', '=', result.id)
    .execute();
  return { result, trace: JSON.stringify(steps) };
}

describe.each([
  ['the policy of the tenant', 'mask', undefined],
  ['its own', 'off', 'mask'],
  ['the stricter of both', 'mask', 'off'],
] as const)('an agent under %s', (_name, policy, own) => {
  test('masks before the model, restores in the answer, and hides in the trace', async () => {
    covers('guard.agents');
    await setPolicy(policy);
    house.upstream.plays(repeats);
    const { result, trace } = await ask(withGuard(own));
    expect(house.upstream.one().text).not.toContain(RRN);
    expect(result.status.message.parts.map(({ text }) => text).join('')).toBe(`확인: ${RRN}.`);
    expect(trace).toContain('확인');
    expect(trace).not.toContain(RRN);
  });
});

test('an agent that is called has its values masked as it asks for, and restored in what streams', async () => {
  covers('guard.agents', 'agents.run.stream');
  await setPolicy('off');
  // The token comes in pieces.
  house.upstream.plays((sent) => {
    const whole = `확인: ${TOKEN.exec(sent.text)?.[0] ?? 'no token'}.`;
    return play({ text: whole.match(/.{1,3}/gu) ?? [] })(sent);
  });
  const { slug } = await makeAgent(db, tenantId, withGuard('mask'));
  const calling = chain(
    { id: 'input', kind: 'input' },
    { id: 'call', kind: 'agent', agent: slug, message: '{{input.text}}' },
    { id: 'answer', kind: 'answer', text: '{{call.text}}' },
  );
  const agent = await makeAgent(db, tenantId, calling);
  const { events } = await stream(house, agent.slug, 'message/stream', { message: message(question) });
  expect(house.upstream.one().text).not.toContain(RRN);
  expect(textOf(events)).toBe(`확인: ${RRN}.`);
  const traced = await db.query
    .selectFrom('agent_steps')
    .innerJoin('agent_runs', 'agent_runs.id', 'agent_steps.run_id')
    .select(['agent_steps.key', 'agent_steps.inputs', 'agent_steps.outputs'])
    .where('agent_runs.agent_id', '=', agent.id)
    .execute();
  expect(traced.map(({ key }) => key)).toContain('call/model');
  expect(JSON.stringify(traced)).not.toContain(RRN);
});

test('one that refuses fails with the types, and tells no model', async () => {
  covers('guard.agents');
  await setPolicy('off');
  const { slug } = await makeAgent(db, tenantId, withGuard('refuse'));
  const reply = await call(house, pathOf(slug), { body: rpc('message/send', { message: message(question) }) });
  expect(reply.status).toBe(500);
  expect(reply.text).toMatch(/-32603.*RRN/);
  expect(reply.text).not.toContain(RRN);
  expect(house.upstream.calls).toHaveLength(0);
});

test('without a policy nothing is changed', async () => {
  covers('guard.agents');
  await setPolicy('off');
  house.upstream.plays(repeats);
  const { result, trace } = await ask(withGuard(undefined));
  expect(house.upstream.one().text).toContain(RRN);
  expect(result.status.state).toBe('completed');
  expect(trace).toContain(RRN);
});

test('one that asks no model hides its trace, too', async () => {
  covers('guard.agents');
  await setPolicy('mask');
  const { result, trace } = await ask(
    chain({ id: 'input', kind: 'input' }, { id: 'answer', kind: 'answer', text: '{{input.text}}' }),
  );
  expect(result.status.message.parts[0]?.text).toBe(question);
  expect(trace).not.toContain(RRN);
  await setPolicy('off');
});

test('of one whose key may not be used any more the policy of the tenant hides the trace', async () => {
  covers('guard.agents');
  await setPolicy('mask');
  // By now the service knows the key and lets it in; the run looks at it anew.
  await ask(chain({ id: 'input', kind: 'input' }));
  const expires = (at: Date | null) => db.query.updateTable('api_keys').set({ expires_at: at }).execute();
  await expires(new Date(0));
  try {
    const agent = await makeAgent(db, tenantId, plainAgent('CORE-GOV'));
    const reply = await call(house, pathOf(agent.slug), { body: rpc('message/send', { message: message(question) }) });
    expect(reply.text).toContain('may not be used any more');
    const steps = await db.query
      .selectFrom('agent_steps')
      .innerJoin('agent_runs', 'agent_runs.id', 'agent_steps.run_id')
      .select(['agent_steps.key', 'agent_steps.inputs', 'agent_steps.outputs'])
      .where('agent_runs.agent_id', '=', agent.id)
      .execute();
    expect(steps.map(({ key }) => key)).toContain('model');
    expect(JSON.stringify(steps)).not.toContain(RRN);
    expect(house.upstream.calls).toHaveLength(0);
  } finally {
    await expires(null);
    await setPolicy('off');
  }
});
