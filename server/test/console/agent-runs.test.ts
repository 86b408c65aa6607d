import {
  AgentChat,
  AgentChats,
  type AgentRun,
  AgentRuns,
  AgentSessions,
  AgentSource,
  DeployedAgents,
  RunStreamEvent,
} from '@ai-studio/contract/console/agent-talks.ts';
import { AgentRunTrace } from '@ai-studio/contract/console/agent-traces.ts';
import { AgentDetails, type AgentReview, AgentUsage } from '@ai-studio/contract/console/agents.ts';
import type { DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import type { EvaluationQuestion } from '@ai-studio/contract/console/evaluation.ts';
import type { IssuedApiKey } from '@ai-studio/contract/console/keys.ts';
import { RunFile } from '@ai-studio/contract/agents/run.ts';
import type { Me } from '@ai-studio/contract/console/session.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hexId } from '../../src/kernel/ids.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { covers } from '../requirements.ts';

let house: ConsoleHouse;
let chief: SignedInBrowser;
let dev: SignedInBrowser;
let colleague: SignedInBrowser;
let user: SignedInBrowser;
let otherUser: SignedInBrowser;
let stranger: SignedInBrowser;

beforeAll(async () => {
  house = await openConsoleHouse({ STUDIO_DOCUMENTS_UPLOAD_BYTES: '100000', STUDIO_DOCUMENTS_PROCESSES: '1' });
  const ours = await makeTenant(house, 'Ours');
  chief = await personOf(house, ours, 'administrator', 'Chief');
  dev = await personOf(house, ours, 'developer', 'Dev');
  colleague = await personOf(house, ours, 'developer', 'Colleague');
  user = await personOf(house, ours, 'user', 'User');
  otherUser = await personOf(house, ours, 'user', 'Other');
  stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator', 'Stranger');
});
afterAll(() => house.close());

const echo = {
  schema: 1,
  nodes: [
    { kind: 'input', id: 'input', files: true, greeting: 'Welcome', examples: ['What is this?'] },
    { kind: 'answer', id: 'answer', text: 'You said: {{input.text}}' },
  ],
  edges: [{ from: 'input', to: 'answer' }],
};
const asking = {
  schema: 1,
  nodes: [
    { kind: 'input', id: 'input' },
    { kind: 'ask', id: 'ask', question: 'Which colour?' },
    { kind: 'answer', id: 'answer', text: '{{input.text}} in {{ask.text}}' },
  ],
  edges: [
    { from: 'input', to: 'ask' },
    { from: 'ask', to: 'answer' },
  ],
};

async function create(definition: object = echo, name = 'Echo'): Promise<AgentDetails> {
  const made = await dev.post('/agents', { name, definition });
  expect(made.status, made.text).toBe(201);
  return AgentDetails.parse(made.json());
}

const errorsOf = (problems: readonly DefinitionProblem[]) => problems.filter(({ severity }) => severity === 'error');

async function deploy(agent: AgentDetails): Promise<AgentDetails> {
  expect(errorsOf(agent.problems)).toEqual([]);
  const submitted = await dev.post(`/agents/${agent.id}/submit`, { revision: agent.revision });
  expect(submitted.status, submitted.text).toBe(200);
  const { review } = submitted.json<{ review: AgentReview }>();
  const approved = await chief.post(`/agents/${agent.id}/approve`, { review_id: review.id, hash: review.hash });
  expect(approved.status, approved.text).toBe(200);
  return AgentDetails.parse(approved.json());
}

/** The events of a stream. */
const eventsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => RunStreamEvent.parse(JSON.parse(line.slice(6))));

/** Says something, and returns the run as it ended and all that was told. */
async function say(who: SignedInBrowser, root: string, body: object): Promise<{ run: AgentRun; text: string }> {
  const answer = await who.post(`${root}/runs`, body);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const events = eventsOf(answer.text);
  const last = events.at(-1);
  if (events[0]?.type !== 'run' || last?.type !== 'run') throw new Error(answer.text);
  return { run: last.run, text: events.map((event) => (event.type === 'text' ? event.text : '')).join('') };
}

async function give(who: SignedInBrowser, root: string, name: string, content: string) {
  const response = await fetch(
    `${house.base}/console/api${root}/files?name=${encodeURIComponent(name)}&size=${Buffer.byteLength(content)}`,
    {
      method: 'POST',
      headers: { cookie: who.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
      body: content,
    },
  );
  return { status: response.status, body: await response.json() };
}

describe('trying an agent', () => {
  test('runs the draft, tells of it, keeps its session and its trace', async () => {
    const { id } = await create();
    const root = `/agents/${id}`;
    const { run, text } = await say(dev, root, { text: 'one', what: 'draft' });
    expect(text).toBe('You said: one');
    expect(run).toMatchObject({ state: 'completed', answer: text, text: 'one', version_number: null });

    const trace = AgentRunTrace.parse((await dev.get(`${root}/runs/${run.id}`)).json());
    expect(trace.steps.map(({ step, state }) => [step, state])).toEqual([
      ['input', 'done'],
      ['answer', 'done'],
    ]);
    expect(trace.definition.nodes).toHaveLength(2);

    const next = await say(dev, root, { text: 'two', what: 'draft', session_id: run.session_id });
    expect(next.run.session_id).toBe(run.session_id);
    const { items, session } = AgentRuns.parse((await dev.get(`${root}/sessions/${run.session_id}`)).json());
    expect(items.map((one) => one.answer)).toEqual(['You said: one', 'You said: two']);
    expect(session).toMatchObject({ type: 'test', by: 'Dev', runs: 2, title: 'one' });

    const exported = `${root}/sessions/${run.session_id}/export`;
    const file = await dev.get(`${exported}?language=ko&time_zone=Asia/Seoul`);
    expect(file.headers.get('content-type')).toContain('text/markdown');
    expect(file.headers.get('content-disposition')).toContain('attachment');
    expect(file.text).toContain('# one\n');
    expect(file.text).toMatch(/## 질문\n[^#]*two\n\n## 답변 \(.+\)\n\nYou said: two\n/);
    expect(file.text).toContain('Asia/Seoul (GMT+09:00)');
    const { mark } = (await dev.get('/me')).json<Me>().ai ?? { mark: { ko: '' } };
    expect(file.text).toContain(`답변: ${mark.ko}`);
    expectRefused(await dev.get(`${exported}?time_zone=../etc`), 400, 'invalid_field');
    expectRefused(await colleague.get(exported), 404);

    const again = eventsOf((await dev.get(`${root}/runs/${run.id}/events?after=0`)).text);
    expect(again.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe('You said: one');
    const tail = eventsOf((await dev.get(`${root}/runs/${run.id}/events?after=4`)).text);
    expect(tail.flatMap((event) => (event.type === 'run' ? [] : [event.seq]))[0]).toBe(5);
    expectRefused(await dev.post(`${root}/runs/${run.id}/cancel`, {}), 409);
  });

  test('runs a version by its id, and what is deployed only where something is', async () => {
    const agent = await create();
    expectRefused(await dev.post(`/agents/${agent.id}/runs`, { text: 'x' }), 409, 'agent_not_deployed');
    expectRefused(await dev.post(`/agents/${agent.id}/runs`, { text: 'x', what: hexId() }), 404);
    const { deployed_version_id: version } = await deploy(agent);
    expect((await say(dev, `/agents/${agent.id}`, { text: 'x', what: version })).run.version_number).toBe(1);
    expect((await say(dev, `/agents/${agent.id}`, { text: 'x' })).run.version_number).toBe(1);
  });

  test('takes files of the person, and of nobody else', async () => {
    const { id } = await create();
    const root = `/agents/${id}`;
    const { status, body } = await give(dev, root, 'note.txt', 'Hello');
    expect(status, JSON.stringify(body)).toBe(201);
    const file = RunFile.parse(body);
    expect(file).toMatchObject({ name: 'note.txt', media_type: 'text/plain', size: 5 });
    expectRefused(await colleague.post(`${root}/runs`, { text: 'x', what: 'draft', files: [file.id] }), 400);
    const { run } = await say(dev, root, { text: 'x', what: 'draft', files: [file.id] });
    expect(run.files).toEqual([file]);
    const large = await give(dev, root, 'large.txt', 'x'.repeat(100_001));
    expect(large.status).toBe(413);
    // With the session go its files.
    expect((await dev.delete(`${root}/sessions/${run.session_id}`)).status).toBe(204);
    const left = await house.db.query.selectFrom('agent_files').select('id').where('id', '=', file.id).execute();
    expect(left).toEqual([]);
  });

  test('goes on with the answer to what it asked', async () => {
    const { id } = await create(asking, 'Asking');
    const root = `/agents/${id}`;
    const asked = await say(dev, root, { text: 'A car', what: 'draft' });
    expect(asked.run).toMatchObject({ state: 'input-required', question: 'Which colour?' });
    expectRefused(await colleague.post(`${root}/runs`, { text: 'red', what: 'draft', run_id: asked.run.id }), 404);
    const { run, text } = await say(dev, root, { text: 'red', what: 'draft', run_id: asked.run.id });
    expect(text).toBe('A car in red');
    expect(run).toMatchObject({ id: asked.run.id, state: 'completed', question: null, answer: 'A car in red' });
    const { items } = AgentRuns.parse((await dev.get(`${root}/sessions/${run.session_id}`)).json());
    expect(items[0]?.exchanges).toEqual([{ question: 'Which colour?', text: 'red', at: 0 }]);
  });

  test('is deleted with what waits in it', async () => {
    const { id } = await create(asking, 'Waiting');
    const root = `/agents/${id}`;
    const { run } = await say(dev, root, { text: 'A car', what: 'draft' });
    expect((await dev.delete(`${root}/sessions/${run.session_id}`)).status).toBe(204);
    for (const table of ['agent_runs', 'agent_steps', 'agent_events'] as const) {
      const rows = await house.db.query
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(table === 'agent_runs' ? 'id' : ('run_id' as never), '=', run.id as never)
        .executeTakeFirstOrThrow();
      expect(rows.count, table).toBe(0);
    }
    expectRefused(await dev.post(`${root}/runs`, { text: 'red', what: 'draft', run_id: run.id }), 404);
  });

  test('counts like a request of a key', async () => {
    const { id } = await create();
    expect((await chief.patch('/settings', { requests_per_minute: 1 })).status).toBe(200);
    const person = await personOf(house, dev.tenantId, 'developer', 'Eager');
    await say(person, `/agents/${id}`, { text: 'x', what: 'draft' });
    expectRefused(await person.post(`/agents/${id}/runs`, { text: 'x', what: 'draft' }), 429);
    expect((await chief.patch('/settings', { requests_per_minute: null })).status).toBe(200);
  });

  test('is counted by day', async () => {
    const { id } = await create();
    await say(dev, `/agents/${id}`, { text: 'x', what: 'draft' });
    const { days } = AgentUsage.parse((await dev.get(`/agents/${id}/usage?days=7`)).json());
    expect(days).toHaveLength(7);
    expect(days.at(-1)).toMatchObject({ day: new Date().toISOString().slice(0, 10), runs: 1, failed: 0 });
    expect(days.slice(0, -1).every(({ runs }) => runs === 0)).toBe(true);
  });
});

describe('talking with a deployed agent', () => {
  test('is for every role; drafts are not there', async () => {
    const agent = await create(echo, 'For all');
    const list = async () => DeployedAgents.parse((await user.get('/deployed-agents')).json()).items;
    expect((await list()).some(({ slug }) => slug === agent.slug)).toBe(false);
    expectRefused(await user.get(`/deployed-agents/${agent.slug}`), 404);
    expectRefused(await user.post(`/deployed-agents/${agent.slug}/runs`, { text: 'x' }), 409, 'agent_not_deployed');
    expectRefused(await user.get(`/agents/${agent.id}/sessions`), 403, 'role_missing');
    await deploy(agent);
    expect(await list()).toContainEqual({
      slug: agent.slug,
      name: 'For all',
      description: '',
      greeting: 'Welcome',
      examples: ['What is this?'],
      files: true,
    });
    const root = `/deployed-agents/${agent.slug}`;
    const { run } = await say(user, root, { text: 'Hi' });
    expect(run).toMatchObject({ answer: 'You said: Hi', version_number: 1 });

    const chats = AgentChats.parse((await user.get('/agent-chats')).json());
    expect(chats.items[0]).toMatchObject({ id: run.session_id, slug: agent.slug, agent_name: 'For all', title: 'Hi' });
    // What was said stays when the agent takes no messages any more.
    expect((await chief.post(`/agents/${agent.id}/undeploy`, {})).status).toBe(200);
    expect((await user.get(`${root}/sessions/${run.session_id}`)).status).toBe(200);
    expect(AgentChats.parse((await user.get('/agent-chats')).json()).items[0]?.deployed).toBe(false);
    expectRefused(await user.post(`${root}/runs`, { text: 'x' }), 409, 'agent_not_deployed');
    expect((await user.delete(`${root}/sessions/${run.session_id}`)).status).toBe(204);
    expectRefused(await user.get(`${root}/sessions/${run.session_id}`), 404);
  });

  test('pages through one session after the other, last touched first', async () => {
    const { slug } = await deploy(await create(echo, 'Pages'));
    const person = await personOf(house, user.tenantId, 'user', 'Pager');
    const root = `/deployed-agents/${slug}`;
    const ids: number[] = [];
    for (const text of ['a', 'b', 'c']) ids.push((await say(person, root, { text })).run.session_id);
    await say(person, root, { text: 'again', session_id: ids[0] });
    const seen: number[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page = AgentChats.parse(
        (await person.get(`/agent-chats?size=1${next === '' ? '' : `&before=${next}`}`)).json(),
      );
      seen.push(...page.items.map(({ id }) => id));
      ({ next } = page);
    }
    expect(seen).toEqual([ids[0], ids[2], ids[1]]);
    expectRefused(await person.get('/agent-chats?before=nonsense'), 400, 'invalid_field');
    // All words, of the title or of the agent's name, as they are written; nobody else finds them.
    const found = async (by: SignedInBrowser, text: string) =>
      AgentChats.parse((await by.get(`/agent-chats?text=${encodeURIComponent(text)}`)).json()).items.map(
        ({ id }) => id,
      );
    expect(await found(person, ' B  pages')).toEqual([ids[1]]);
    expect(await found(person, 'pages')).toEqual([ids[0], ids[2], ids[1]]);
    for (const text of ['b other', '%', '_', '\\']) expect(await found(person, text), text).toEqual([]);
    for (const other of [user, stranger]) expect(await found(other, 'pages')).toEqual([]);
    expectRefused(await person.get(`/agent-chats?text=${'x'.repeat(201)}`), 400);
    const list = AgentSessions.parse((await person.get(`${root}/sessions?size=2`)).json());
    expect(list.items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect(list.next).toBe(ids[1]);
  });
});

describe('the list of talks with agents', () => {
  const listed = async (who: SignedInBrowser, query: string) =>
    AgentChats.parse((await who.get(`/agent-chats?${query}`)).json()).items;

  test('has what is pinned and what lies in folders of its person, under a title of their own', async () => {
    covers('agents.console.isolation');
    const { slug } = await deploy(await create(echo, 'Placed'));
    const root = `/deployed-agents/${slug}`;
    const owner = await personOf(house, user.tenantId, 'user', 'Placer');
    const other = await personOf(house, user.tenantId, 'administrator', 'Other placer');
    const [first, second] = [await say(owner, root, { text: 'one' }), await say(owner, root, { text: 'two' })];
    const path = `${root}/sessions/${first.run.session_id}`;
    const folderOf = async (who: SignedInBrowser) =>
      (await who.post('/conversation-folders', { name: 'Budget' })).json<{ id: string }>().id;
    const folder = await folderOf(owner);
    const changed = await owner.patch(path, { title: '  Wages ', pinned: true, folder });
    expect(changed.status, changed.text).toBe(200);
    const [head] = await listed(owner, 'pinned=true');
    expect(AgentChat.parse(changed.json())).toEqual(head);
    expect(head).toMatchObject({ title: 'Wages', pinned: true, folder, agent_name: 'Placed', snippet: null });
    const idsOf = async (query: string) => (await listed(owner, query)).map(({ id }) => id);
    expect(await idsOf('pinned=true')).toEqual([first.run.session_id]);
    expect(await idsOf(`folder=${folder}`)).toEqual([first.run.session_id]);
    expect(await idsOf('pinned=false&folder=none')).toEqual([second.run.session_id]);
    expect((await owner.get(path)).json()).toMatchObject({ folder, session: { title: 'Wages' } });
    // Another message leaves title and place as they are.
    await say(owner, root, { text: 'three', session_id: first.run.session_id });
    expect((await listed(owner, `folder=${folder}`))[0]).toMatchObject({ title: 'Wages', pinned: true, runs: 2 });

    for (const one of [{ title: ' ' }, { pinned: 'yes' }, { run: 1 }]) expectRefused(await owner.patch(path, one), 400);
    expectRefused(await owner.patch(path, { folder: 'none' }), 404);
    expectRefused(await owner.patch(path, { folder: await folderOf(other) }), 404);
    expectRefused(await owner.patch(`${root}/sessions/999999`, { pinned: true }), 404);
    for (const who of [other, stranger, dev]) {
      expectRefused(await who.patch(path, { title: 'Mine' }), 404);
      expect(await listed(who, `folder=${folder}`)).toEqual([]);
    }
    // The talk stays where its folder goes.
    expect((await owner.delete(`/conversation-folders/${folder}`)).status).toBe(204);
    expect((await listed(owner, 'pinned=true'))[0]).toMatchObject({ title: 'Wages', folder: null });
  });

  test('finds what the person and the agent said, and nobody else finds it', async () => {
    const [{ slug }, { slug: asks }] = [
      await deploy(await create(echo, 'Said')),
      await deploy(await create(asking, 'Asks')),
    ];
    const owner = await personOf(house, user.tenantId, 'user', 'Speaker');
    const long = `${'before '.repeat(20)}the   overtime\nof nurses ${'after '.repeat(40)}`;
    const { run } = await say(owner, `/deployed-agents/${slug}`, { text: long });
    const asked = await say(owner, `/deployed-agents/${asks}`, { text: 'A chair' });
    const found = async (text: string, who = owner) =>
      (await listed(who, `text=${encodeURIComponent(text)}`)).map(({ id, snippet }) => ({ id, snippet }));
    const [one, ...more] = await found('NURSES overtime');
    expect(more).toEqual([]);
    expect(one?.id).toBe(run.session_id);
    expect(one?.snippet).toMatch(/overtime of nurses after/);
    expect(one?.snippet?.length).toBeLessThanOrEqual(160);
    // The answer alone says it, and the reply to a question.
    expect((await found('You said:')).map(({ id }) => id)).toEqual([run.session_id]);
    await say(owner, `/deployed-agents/${asks}`, { text: 'ultramarine', run_id: asked.run.id });
    expect(await found('ultramarine')).toEqual([{ id: asked.run.session_id, snippet: 'ultramarine' }]);
    // All words stand in one text, as in conversations; a title is found without a snippet.
    expect(await found('nurses ultramarine')).toEqual([]);
    expect((await found('chair asks')).map(({ id }) => id)).toEqual([asked.run.session_id]);
    for (const who of [otherUser, dev, stranger]) expect(await found('nurses', who)).toEqual([]);
  });

  test('is exported in the forms of conversations', async () => {
    const { slug } = await deploy(await create(echo, 'Exported'));
    const root = `/deployed-agents/${slug}`;
    const { run } = await say(user, root, { text: 'Keep this' });
    const path = `${root}/sessions/${run.session_id}/export`;
    const file = await user.get(`${path}?format=json`);
    expect(file.headers.get('content-type')).toContain('application/json');
    expect(file.headers.get('content-disposition')).toContain('.json');
    expect(file.json()).toMatchObject({
      format: 'ai-studio-agent-session',
      version: 1,
      answers: { generated_by_ai: true },
      agent: { slug, name: 'Exported' },
      session: { id: run.session_id, title: 'Keep this' },
      runs: [{ text: 'Keep this', answer: 'You said: Keep this' }],
    });
    for (const format of ['docx', 'hwpx']) {
      const made = await user.get(`${path}?format=${format}&language=ko`);
      expect(made.status, made.text).toBe(200);
      expect(made.text.startsWith('PK'), format).toBe(true);
    }
    expectRefused(await user.get(`${path}?format=exe`), 400, 'invalid_field');
    for (const who of [otherUser, stranger]) expectRefused(await who.get(`${path}?format=json`), 404);
  });
});

describe('data and files of an answer', () => {
  const parts = [
    { kind: 'data', value: 'input.data', name: 'table' },
    { kind: 'document', name: '목록 "1".csv', content: '{{input.data}}' },
  ];
  const table = { ...echo, nodes: echo.nodes.map((node) => (node.kind === 'answer' ? { ...node, parts } : node)) };
  const rows = [{ item: '연필', count: 3 }];

  test('are told as they come and kept with the run; its files are saved by whoever sees it, and nobody else', async () => {
    covers('a2a.parts', 'agents.console.isolation');
    const agent = await deploy(await create(table, 'Table'));
    const root = `/deployed-agents/${agent.slug}`;
    const note = RunFile.parse((await give(user, root, 'note.txt', 'Hello')).body);
    const { run } = await say(user, root, { text: 'Stock', data: rows, files: [note.id] });
    const [data, written] = run.parts;
    expect(data).toEqual({ kind: 'data', id: 'answer.0', name: 'table', data: rows });
    if (written?.kind !== 'file') throw new Error('no file');
    const again = eventsOf((await user.get(`${root}/runs/${run.id}/events`)).text);
    expect(again.flatMap((event) => (event.type === 'part' ? [event.part] : []))).toEqual(run.parts);

    const path = `${root}/runs/${run.id}/files`;
    const saved = await user.get(`${path}/${written.file.id}`);
    expect(saved.status).toBe(200);
    expect(saved.text).toBe('item,count\r\n연필,3\r\n');
    expect(saved.headers.get('content-type')).toBe('application/octet-stream');
    expect(saved.headers.get('content-security-policy')).toContain('sandbox');
    const name = encodeURIComponent('목록 "1".csv');
    expect(saved.headers.get('content-disposition')).toBe(`attachment; filename="file.csv"; filename*=UTF-8''${name}`);
    // What the message brought as well.
    expect((await user.get(`${path}/${note.id}`)).text).toBe('Hello');

    for (const who of [otherUser, dev, chief, stranger])
      expectRefused(await who.get(`${path}/${written.file.id}`), 404);
    const other = await say(user, root, { text: 'x' });
    for (const id of [written.file.id, hexId(), 'x'])
      expectRefused(await user.get(`${root}/runs/${other.run.id}/files/${id}`), 404);
    expectRefused(await user.get(`${path}/${hexId()}`), 404);
    // With the session go its files.
    expect((await user.delete(`${root}/sessions/${run.session_id}`)).status).toBe(204);
    const left = await house.db.query
      .selectFrom('agent_files')
      .select('id')
      .where('id', 'in', [written.file.id, note.id])
      .execute();
    expect(left).toEqual([]);
  });
});

describe('sessions of another person', () => {
  test('are not there: neither to read, nor to go on with, nor to end, whatever the role', async () => {
    covers('agents.console.isolation');
    const agent = await deploy(await create(echo, 'Private'));
    const root = `/deployed-agents/${agent.slug}`;
    const { run } = await say(user, root, { text: 'My secret' });
    const session = run.session_id;
    for (const who of [otherUser, dev, chief]) {
      expectRefused(await who.get(`${root}/sessions/${session}`), 404);
      expectRefused(await who.get(`${root}/sessions/${session}/export`), 404);
      expectRefused(await who.delete(`${root}/sessions/${session}`), 404);
      expectRefused(await who.get(`${root}/runs/${run.id}/events`), 404);
      expectRefused(await who.post(`${root}/runs/${run.id}/cancel`, {}), 404);
      expectRefused(await who.get(`${root}/runs/${run.id}/sources/1`), 404);
      expectRefused(await who.post(`${root}/runs`, { text: 'x', session_id: session }), 404);
      expect((await who.get(`${root}/sessions`)).json<{ items: unknown[] }>().items).toEqual([]);
    }
    for (const who of [dev, chief]) {
      expectRefused(await who.get(`/agents/${agent.id}/sessions/${session}`), 404);
      expectRefused(await who.get(`/agents/${agent.id}/runs/${run.id}`), 404);
      expect((await who.get(`/agents/${agent.id}/sessions`)).text).not.toContain('secret');
    }
    // A trial is its person's, too.
    const trial = await say(dev, `/agents/${agent.id}`, { text: 'Trial', what: 'draft' });
    expectRefused(await colleague.get(`/agents/${agent.id}/runs/${trial.run.id}`), 404);
    expectRefused(await dev.get(`${root}/sessions/${trial.run.session_id}`), 404);
    expectRefused(await dev.post(`${root}/runs`, { text: 'x', session_id: trial.run.session_id }), 404);
  });

  test('of keys are for those who build, to read', async () => {
    const agent = await deploy(await create(echo, 'Called'));
    const issued = await dev.post('/keys', {
      name: 'Caller',
      scopes: ['agents'],
      allowed_models: null,
      requests_per_minute: null,
      tokens_per_minute: null,
      tool_stream: null,
      expires_at: null,
    });
    const { value } = issued.json<IssuedApiKey>();
    const called = await fetch(`${house.base}/api/v1/external/agents/${agent.slug}/a2a`, {
      method: 'POST',
      headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'message/send',
        params: {
          message: { kind: 'message', role: 'user', messageId: hexId(), parts: [{ kind: 'text', text: 'By key' }] },
        },
      }),
    });
    expect(called.status, await called.clone().text()).toBe(200);
    for (const who of [dev, colleague, chief]) {
      const { items } = AgentSessions.parse((await who.get(`/agents/${agent.id}/sessions?type=api`)).json());
      expect(items).toMatchObject([{ type: 'api', by: 'Caller', title: 'By key', runs: 1 }]);
      const session = items[0]?.id;
      expect((await who.get(`/agents/${agent.id}/sessions/${session}`)).text).toContain('You said: By key');
      expectRefused(await who.post(`/agents/${agent.id}/runs`, { text: 'x', session_id: session }), 404);
    }
    expect((await user.get(`/deployed-agents/${agent.slug}/sessions`)).text).not.toContain('By key');
  });

  test('of another tenant are as unknown as the agent itself', async () => {
    const agent = await deploy(await create(echo, 'Ours'));
    const { run } = await say(dev, `/agents/${agent.id}`, { text: 'x', what: 'draft' });
    const chat = await say(user, `/deployed-agents/${agent.slug}`, { text: 'x' });
    for (const path of [
      `/agents/${agent.id}/sessions`,
      `/agents/${agent.id}/sessions/${run.session_id}`,
      `/agents/${agent.id}/runs/${run.id}`,
      `/agents/${agent.id}/runs/${run.id}/events`,
      `/agents/${agent.id}/usage`,
      `/deployed-agents/${agent.slug}`,
      `/deployed-agents/${agent.slug}/sessions`,
      `/deployed-agents/${agent.slug}/sessions/${chat.run.session_id}`,
    ])
      expectRefused(await stranger.get(path), 404);
    expectRefused(await stranger.post(`/agents/${agent.id}/runs`, { text: 'x', what: 'draft' }), 404);
    expectRefused(await stranger.post(`/deployed-agents/${agent.slug}/runs`, { text: 'x' }), 404);
    expect((await give(stranger, `/agents/${agent.id}`, 'x.txt', 'x')).status).toBe(404);
    expect((await give(stranger, `/deployed-agents/${agent.slug}`, 'x.txt', 'x')).status).toBe(404);
    expect(DeployedAgents.parse((await stranger.get('/deployed-agents')).json()).items).toEqual([]);
  });

  test('what can be no id is unknown', async () => {
    const agent = await deploy(await create(echo, 'Odd'));
    for (const odd of ['0', '-1', 'abc', '1e3', '9'.repeat(30), '%00'])
      expectRefused(await dev.get(`/agents/${agent.id}/sessions/${odd}`), 404);
    for (const odd of ['x', '%F0%9F%98%80', 'f'.repeat(33)])
      expectRefused(await dev.get(`/agents/${agent.id}/runs/${odd}`), 404);
  });
});

describe('what people think of an answer', () => {
  test('is kept, changed and taken back by whoever had it, and shown to those who build, without a name', async () => {
    const agent = await deploy(await create(echo, 'Rated'));
    const root = `/deployed-agents/${agent.slug}`;
    const asked = await say(user, root, { text: 'A private matter' });
    const { run } = await say(user, root, { text: 'What is wrong?', session_id: asked.run.session_id });
    const at = `${root}/runs/${run.id}/feedback`;
    const session = `/agents/${agent.id}/sessions/${run.session_id}`;
    const listed = async (query = '') =>
      AgentSessions.parse((await colleague.get(`/agents/${agent.id}/sessions${query}`)).json()).items;
    expect(await listed()).toEqual([]);

    const given = await user.send('PUT', at, { rating: 'up', reasons: ['clear', 'clear'] });
    expect(given.status, given.text).toBe(200);
    expect(given.json<AgentRun>().feedback).toEqual({ rating: 'up', reasons: ['clear'], comment: '' });
    const said = { rating: 'down', reasons: ['wrong', 'other'], comment: 'It is 12 days' };
    expect((await user.send('PUT', at, said)).json<AgentRun>().feedback).toEqual(said);
    for (const other of [otherUser, chief, dev, stranger]) {
      expectRefused(await other.send('PUT', at, { rating: 'up' }), 404);
      expectRefused(await other.delete(at), 404);
    }
    for (const odd of [{}, { rating: 'so so' }, { ...said, reasons: ['x'] }, { ...said, more: 1 }])
      expectRefused(await user.send('PUT', at, odd), 400, 'invalid_field');

    // The one answer alone, and not whose it is.
    const shown = { title: 'What is wrong?', by: '', runs: 1, up: 0, down: 1, rated_only: true };
    expect(await listed('?rating=down')).toMatchObject([shown]);
    expect(await listed('?rating=up')).toEqual([]);
    const { items } = AgentRuns.parse((await dev.get(session)).json());
    expect(items).toMatchObject([{ id: run.id, feedback: said }]);
    expect((await dev.get(`/agents/${agent.id}/feedback`)).json()).toEqual({
      up: 0,
      down: 1,
      reasons: [
        { reason: 'other', count: 1 },
        { reason: 'wrong', count: 1 },
      ],
    });
    // Its trace tells of what was said before; and the chat is its person's to delete.
    expectRefused(await dev.get(`/agents/${agent.id}/runs/${run.id}`), 404);
    expectRefused(await dev.delete(session), 404);
    expectRefused(await dev.post(`/agents/${agent.id}/runs/${run.id}/question`, {}), 422, 'question_needs_documents');
    for (const path of [session, `/agents/${agent.id}/feedback`]) {
      expectRefused(await user.get(path), 403, 'role_missing');
      expectRefused(await stranger.get(path), 404);
    }
    // The person sees all that was said.
    expect(AgentRuns.parse((await user.get(`${root}/sessions/${run.session_id}`)).json()).items).toHaveLength(2);

    expect((await user.delete(at)).status).toBe(204);
    expect(await listed()).toEqual([]);
    expectRefused(await dev.get(session), 404);
  });

  test('is not asked of an answer that is still written', async () => {
    const agent = await deploy(await create(echo, 'Writing'));
    const root = `/deployed-agents/${agent.slug}`;
    const { run } = await say(user, root, { text: 'x' });
    const set = (state: 'working' | 'completed') =>
      house.db.query
        .updateTable('agent_runs')
        .set({ state, claim: hexId(), seen_at: new Date() })
        .where('id', '=', run.id)
        .execute();
    await set('working');
    expectRefused(await user.send('PUT', `${root}/runs/${run.id}/feedback`, { rating: 'up' }), 409, 'answer_running');
    await set('completed');
  });
});

describe('sources of an answer', () => {
  const pages = ['The office opens at nine.', 'The cafeteria serves kimbap on Tuesdays.'];

  async function library() {
    const made = await dev.post('/collections', { collection_name: 'Private papers', visibility: 'private' });
    const { collection_id: id } = made.json<{ collection_id: string }>();
    for (const [at, content] of pages.entries()) {
      const name = `paper-${at}.txt`;
      const given = await fetch(
        `${house.base}/console/api/collections/${id}/documents?name=${name}&size=${content.length}`,
        {
          method: 'POST',
          headers: { cookie: dev.cookie, origin: house.base, 'content-type': 'application/octet-stream' },
          body: content,
        },
      );
      expect(given.status, await given.clone().text()).toBe(201);
    }
    await eventually(async () => {
      const { items } = (await dev.get(`/collections/${id}/documents`)).json<{ items: { state: string }[] }>();
      expect(items.map(({ state }) => state)).toEqual(['ready', 'ready']);
    });
    return id;
  }

  test('open for whoever has the answer, just the page that is cited, also of a collection that is not shared', async () => {
    const collection = await library();
    const agent = await deploy(
      await create(
        {
          schema: 1,
          nodes: [
            { kind: 'input', id: 'input' },
            { kind: 'retrieve', id: 'search', collections: [collection], search_type: 'keyword', top_k: 1 },
            { kind: 'answer', id: 'answer', text: 'See [1].' },
          ],
          edges: [
            { from: 'input', to: 'search' },
            { from: 'search', to: 'answer' },
          ],
        },
        'Librarian',
      ),
    );
    const tried = await say(dev, `/agents/${agent.id}`, { text: 'kimbap', what: 'draft' });
    const trace = AgentRunTrace.parse((await dev.get(`/agents/${agent.id}/runs/${tried.run.id}`)).json());
    expect(trace.names?.collections).toEqual({ [collection]: 'Private papers' });
    const root = `/deployed-agents/${agent.slug}`;
    const { run } = await say(user, root, { text: 'kimbap in the cafeteria' });
    expect(run.citations).toMatchObject([{ number: 1, document_name: 'paper-1.txt' }]);
    // The collection is not theirs.
    const [citation] = run.citations;
    expectRefused(await user.get(`/collections/${collection}/documents/${citation?.document_id}`), 403, 'role_missing');
    const source = AgentSource.parse((await user.get(`${root}/runs/${run.id}/sources/1`)).json());
    expect(source).toMatchObject({ page: 1, pictures: false, citation: { content: pages[1] } });
    const text = await user.get(`${root}/runs/${run.id}/sources/1/text`);
    expect(text.json<{ text: string }>().text).toContain('kimbap');
    expectRefused(await user.get(`${root}/runs/${run.id}/sources/1/picture`), 404);
    expectRefused(await user.get(`${root}/runs/${run.id}/sources/2`), 404);
    // The same while the run goes on: from what it has said so far.
    const { query } = house.db;
    const kept = await query.selectFrom('agent_runs').select('citations').where('id', '=', run.id).executeTakeFirst();
    const set = (state: 'working' | 'completed', citations: unknown) =>
      query
        .updateTable('agent_runs')
        .set({ state, claim: hexId(), seen_at: new Date(), citations: JSON.stringify(citations) })
        .where('id', '=', run.id)
        .execute();
    await set('working', []);
    expect((await user.get(`${root}/runs/${run.id}/sources/1`)).status).toBe(200);
    await set('completed', kept?.citations);
    expectRefused(await otherUser.get(`${root}/runs/${run.id}/sources/1`), 404);
    expectRefused(await stranger.get(`${root}/runs/${run.id}/sources/1`), 404);

    // What somebody says of the answer makes it, and no other, visible to those who build; and a question for evaluations.
    expectRefused(await dev.post(`/agents/${agent.id}/runs/${run.id}/question`, {}), 404);
    await user.send('PUT', `${root}/runs/${run.id}/feedback`, { rating: 'down' });
    expectRefused(await colleague.post(`/agents/${agent.id}/runs/${run.id}/question`, {}), 404);
    const questions = async () =>
      (await dev.get(`/collections/${collection}/evaluation/questions`)).json<{ items: EvaluationQuestion[] }>().items;
    const added = await dev.post(`/agents/${agent.id}/runs/${run.id}/question`, {});
    expect(added.status, added.text).toBe(201);
    const [question] = await questions();
    expect(added.json()).toEqual({ collection_id: collection, question_id: question?.id });
    expect(question).toMatchObject({ question: 'kimbap in the cafeteria', expected: [{ name: 'paper-1.txt' }] });
    const seen = AgentRuns.parse((await dev.get(`/agents/${agent.id}/sessions/${run.session_id}`)).json());
    expect(seen.items[0]?.evaluation).toEqual(added.json());
    const named = await dev.post(`/agents/${agent.id}/runs/${run.id}/question`, { expected: ['paper-0.txt'] });
    expect(named.json()).toEqual(added.json());
    expect((await questions()).map(({ expected }) => expected[0]?.name)).toEqual(['paper-0.txt']);
    const nowhere = await dev.post(`/agents/${agent.id}/runs/${run.id}/question`, { expected: ['none.txt'] });
    expectRefused(nowhere, 422, 'question_needs_documents');
    for (let twice = 0; twice < 2; twice += 1)
      expect((await dev.delete(`/agents/${agent.id}/runs/${run.id}/question`)).status).toBe(204);
    expect(await questions()).toEqual([]);

    // What is left when the document has gone.
    expect((await dev.delete(`/collections/${collection}/documents/${citation?.document_id}`)).status).toBe(204);
    const gone = AgentSource.parse((await user.get(`${root}/runs/${run.id}/sources/1`)).json());
    expect(gone).toMatchObject({ page: null, pictures: false, citation: { content: pages[1] } });
    expectRefused(await user.get(`${root}/runs/${run.id}/sources/1/text`), 404);
  });
});
