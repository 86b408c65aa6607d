import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { type RunEvent, runStates } from '@ai-studio/contract/agents/run.ts';
import { sql } from 'kysely';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hexId } from '../../src/kernel/ids.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import {
  databaseOf,
  firstTenant,
  makeAgent,
  message,
  parseEvents,
  pathOf,
  rpc,
  stream,
  textOf,
} from '../support/a2a.ts';
import { definitionOf } from '../support/agent-runs.ts';
import { eventually } from '../support/eventually.ts';
import { call, jsonOf, send } from '../support/http.ts';
import { takeNobodyForGone } from '../support/never-gone.ts';
import { freePort, type Service, startService, temporaryFolder } from '../support/service.ts';
import { eventsOf, openStream, openUpstream, play, type Upstream, type UpstreamCall } from '../support/upstream.ts';

// kill -9 of the service while a run is in a node of each kind that takes time; models and tools outlive it and hold it there.

const input = { id: 'input', kind: 'input', files: true };
const first = { id: 'first', kind: 'model', model: 'CORE-GOV', prompt: 'FIRST {{input.text}}', history_turns: 0 };
const slow = { id: 'slow', kind: 'model', model: 'CORE-GOV', prompt: 'HOLD {{input.text}}', history_turns: 0 };

let dataFolder: string;
let port: number;
let upstream: Upstream;
let service: Service;
let db: Database;
let tenant: TenantId;
/** Calls of models and tools that are not answered before the kill. */
let holding = true;
const held: UpstreamCall[] = [];

const promptOf = ({ json }: UpstreamCall): string => {
  const { content } = json.messages.at(-1) ?? {};
  return typeof content === 'string' ? content : JSON.stringify(content);
};

function answerUpstream(one: UpstreamCall): void {
  if (one.path.startsWith('/tool')) {
    if (holding) held.push(one);
    else one.response.writeHead(200, { 'content-type': 'application/json' }).end('{"said":"tool done"}');
    return;
  }
  if (one.path.endsWith('/rerank')) {
    if (holding) held.push(one);
    else
      one.response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"results":[{"index":0,"relevance_score":0.5}]}');
    return;
  }
  const prompt = promptOf(one);
  const whole = `whole answer of ${prompt}`;
  if (prompt.startsWith('TOOL') && one.json.messages.at(-1)?.role === 'user')
    return void play({ tools: [{ name: 'wait', arguments: '{}' }] })(one);
  if (!prompt.startsWith('HOLD') || !holding) return void play({ text: whole.match(/.{1,4}/g) ?? [] })(one);
  held.push(one);
  const [head = '', piece = ''] = eventsOf(one, { text: [whole.slice(0, 6)] });
  openStream(one).write(head + piece);
}

const config = () => ({
  engines: { fake: { kind: 'openai', addresses: [upstream.url] } },
  models: {
    'CORE-GOV': { engines: [{ engine: 'fake' }] },
    'SLOW-RERANK': { kind: 'rerank', engines: [{ engine: 'fake' }] },
  },
  limits: { requests_per_minute: 100_000, tokens_per_minute: null },
  network: { allow: ['127.0.0.1'] },
});

beforeAll(async () => {
  dataFolder = await temporaryFolder();
  port = await freePort();
  upstream = await openUpstream(['CORE-GOV', 'SLOW-RERANK']);
  upstream.plays(answerUpstream);
  service = await startService({ dataFolder, port, config: config() });
  db = await databaseOf(service);
  tenant = await firstTenant(db);
  await takeNobodyForGone(db, 'agent_runs');
});
afterAll(async () => {
  await db?.close();
  await service?.close();
  await upstream?.close();
  await rm(dataFolder, { recursive: true, force: true });
});

async function toolServer(): Promise<string> {
  const id = hexId();
  const operation = { method: 'POST', path: '/tool', parameters: [], body: null };
  await db.query
    .insertInto('tool_servers')
    .values({
      id,
      tenant_id: tenant,
      name: 'Slow',
      kind: 'http',
      url: new URL('/', upstream.url).href,
      header_names: [],
      tools: JSON.stringify([{ name: 'wait', description: 'Waits', parameters: { type: 'object' }, operation }]),
      left_out: [],
      created_by: 'somebody',
    })
    .execute();
  return id;
}

async function collection(): Promise<string> {
  const reply = await call(service, '/v1/rag42/collections', { body: { collection_name: `c-${hexId()}` } });
  expect(reply.status, reply.text).toBeLessThan(300);
  return jsonOf<{ result: { collection_id: string } }>(reply).result.collection_id;
}

/** A definition for each kind, and the step in which it is held. */
async function cases(): Promise<Record<string, { readonly definition: AgentDefinition; readonly step: string }>> {
  const server = await toolServer();
  const tool = { kind: 'server', server, tools: ['wait'] };
  const inner = await makeAgent(
    db,
    tenant,
    definitionOf([input, slow, { id: 'answer', kind: 'answer', text: '{{slow.text}}' }], ['input>slow', 'slow>answer']),
  );
  const one = (node: Record<string, unknown> & { id: string; kind: string }, text: string, ...inside: object[]) =>
    definitionOf(
      [
        input,
        first,
        node,
        ...(inside as (typeof node)[]),
        { id: 'answer', kind: 'answer', text: `{{first.text}}|${text}` },
      ],
      ['input>first', `first>${node.id}`, `${node.id}>answer`],
    );
  return {
    model: { definition: one(slow, '{{slow.text}}'), step: 'slow' },
    tools: {
      definition: one({ id: 'm', kind: 'model', model: 'CORE-GOV', prompt: 'TOOL', tools: [tool] }, '{{m.text}}'),
      step: 'm',
    },
    tool: { definition: one({ id: 't', kind: 'tool', tool }, '{{t.text}}'), step: 't' },
    retrieve: {
      definition: one(
        { id: 'r', kind: 'retrieve', collections: [await collection()], rerank: { model: 'SLOW-RERANK' } },
        '{{r.count}}',
      ),
      step: 'r',
    },
    parallel: {
      definition: one(
        { id: 'each', kind: 'parallel', items: 'input.data.items', result: '{{slow.text}}' },
        '{{each.results}}',
        { ...slow, parent: 'each', prompt: 'HOLD {{item.value}}' },
      ),
      step: 'each[1]/slow',
    },
    loop: {
      definition: one({ id: 'again', kind: 'loop', most: 2 }, '{{again.count}}', { ...slow, parent: 'again' }),
      step: 'again[0]/slow',
    },
    agent: { definition: one({ id: 'call', kind: 'agent', agent: inner.slug }, '{{call.text}}'), step: 'call/slow' },
    // These two hold themselves, for a moment: they are begun last.
    parse: { definition: one({ id: 'parse', kind: 'parse_document' }, '{{parse.text}}'), step: 'parse' },
    mask: {
      definition: one(
        { id: 'mask', kind: 'mask_pii', text: '{{input.data.long}}', types: ['EMAIL'] },
        '{{mask.found}}',
      ),
      step: 'mask',
    },
    ask: { definition: one({ id: 'ask', kind: 'ask', question: 'Which?' }, '{{ask.text}}'), step: 'ask' },
    answer: {
      definition: definitionOf(
        [
          input,
          first,
          slow,
          { id: 'streams', kind: 'answer', text: '{{slow.text}}' },
          { id: 'waits', kind: 'answer', text: 'W' },
        ],
        ['input>slow', 'slow>streams', 'input>first', 'first>waits'],
      ),
      step: 'waits',
    },
  };
}

async function eventsOfRun(runId: string): Promise<RunEvent[]> {
  const rows = await db.query
    .selectFrom('agent_events')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('seq')
    .execute();
  return rows.map(({ seq, body, at }) => ({ ...body, seq, at: at.toISOString() }));
}
const stateOf = async (runId: string, key: string) =>
  (
    await db.query
      .selectFrom('agent_steps')
      .select('state')
      .where('run_id', '=', runId)
      .where('key', '=', key)
      .executeTakeFirst()
  )?.state;
const spentBySteps = (runId: string) =>
  db.query
    .selectFrom('agent_steps')
    .select([
      sql<number>`sum(prompt_tokens)::int`.as('prompt_tokens'),
      sql<number>`sum(completion_tokens)::int`.as('completion_tokens'),
    ])
    .where('run_id', '=', runId)
    .executeTakeFirst();
const quick = new Set(['parse', 'mask']);
const MAILS = 2_000;
const content = (kind: string): Record<string, unknown>[] => [
  { kind: 'text', text: kind },
  ...(kind === 'parse'
    ? [
        {
          kind: 'file',
          file: { name: 'a.md', mimeType: 'text/markdown', bytes: Buffer.from('# Read').toString('base64') },
        },
      ]
    : []),
  ...(kind === 'mask'
    ? [{ kind: 'data', data: { long: Array.from({ length: MAILS }, (_, at) => `mail${at}@example.org`).join('\n') } }]
    : []),
  ...(kind === 'parallel' ? [{ kind: 'data', data: { items: ['a', 'b'] } }] : []),
];
const says = (text: string) => ({
  message: message(text, { parts: content(text) }),
});

test('after kill -9 in any node each run ends once, repeating nothing that had ended', async () => {
  covers('agents.run.crash', 'agents.run.idempotency', 'agents.run.resubscribe');
  const all = Object.entries(await cases());
  const begin = async ([kind, { definition, step }]: (typeof all)[number]) => {
    const { slug } = await makeAgent(db, tenant, definition);
    const response = await send(service, pathOf(slug), { body: rpc('message/stream', says(kind)) });
    expect(response.status).toBe(200);
    // Read until the service is gone.
    const text = (async () => {
      let read = '';
      try {
        for await (const bytes of response.body ?? []) read += Buffer.from(bytes).toString('utf8');
      } catch {
        return read;
      }
      return read;
    })();
    const run = await db.query
      .selectFrom('agent_runs')
      .innerJoin('agents', 'agents.id', 'agent_runs.agent_id')
      .select('agent_runs.id')
      .where('agents.slug', '=', slug)
      .executeTakeFirstOrThrow();
    return { kind, slug, step, text, runId: run.id };
  };
  const begun = await Promise.all(all.filter(([kind]) => !quick.has(kind)).map(begin));
  for (const { kind, runId, step } of begun)
    await eventually(async () => expect(await stateOf(runId, step), kind).toMatch(/running|waiting/));
  const keys = () => held.filter(({ path }) => path === '/tool').map(({ headers }) => headers['idempotency-key']);
  await eventually(() => expect(keys()).toHaveLength(2));
  await eventually(() => expect(held.filter(({ path }) => path.endsWith('/rerank'))).not.toHaveLength(0));
  const before = keys();
  begun.push(...(await Promise.all(all.filter(([kind]) => quick.has(kind)).map(begin))));
  for (const { kind, runId, step } of begun)
    await eventually(async () => expect(await stateOf(runId, step), kind).toMatch(/running|waiting|done/));
  const asked = upstream.calls.filter(({ path }) => path.endsWith('/chat/completions')).map(promptOf);
  expect(asked.filter((prompt) => prompt.startsWith('FIRST'))).toHaveLength(begun.length);

  await service.kill();
  await db.close();
  const seen = await Promise.all(begun.map(async (one) => ({ ...one, read: parseEvents(cutAtEvent(await one.text)) })));
  holding = false;
  upstream.reset();
  upstream.plays(answerUpstream);
  service = await startService({ dataFolder, port, config: config() });
  db = await databaseOf(service);

  for (const { kind, slug, runId, read } of seen) {
    const last = read.at(-1)?.event ?? '0';
    if (kind === 'ask') {
      expect(read.at(-1)?.result.status.state).toBe('input-required');
      const answered = { message: message('Reply', { taskId: runId }) };
      await stream(service, slug, 'message/stream', answered);
    }
    // A run that asked is over for the stream that asked; its log holds all of it.
    const rest =
      kind === 'ask'
        ? []
        : (await stream(service, slug, 'tasks/resubscribe', { id: runId }, { headers: { 'last-event-id': last } }))
            .events;
    const events = await eventsOfRun(runId);
    expect(
      events.map(({ seq }) => seq),
      kind,
    ).toEqual(events.map((_, at) => at + 1));
    const ends = events.filter((event) => event.type === 'state' && isEnd(event.state));
    expect(ends, kind).toMatchObject([{ state: 'completed' }]);
    const ended = events.flatMap((event) => (event.type === 'step_end' ? [event.step] : []));
    expect(new Set(ended).size, `${kind}: ${ended.join(' ')}`).toBe(ended.length);
    const { answer, ...spent } = await db.query
      .selectFrom('agent_runs')
      .select(['answer', 'prompt_tokens', 'completion_tokens'])
      .where('id', '=', runId)
      .executeTakeFirstOrThrow();
    expect(events.map((event) => (event.type === 'text' ? event.text : '')).join(''), kind).toBe(answer);
    // What it took before the kill, too.
    expect(spent, kind).toEqual(await spentBySteps(runId));
    if (kind !== 'ask') {
      const both = [...read, ...rest];
      const ids = both.map(({ event }) => Number(event));
      expect(ids, kind).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
      expect(textOf(both), kind).toBe(answer);
    }
    expect(answer, kind).toBe(expected(kind));
  }
  const again = upstream.calls.filter(({ path }) => path.endsWith('/chat/completions')).map(promptOf);
  expect(again.filter((prompt) => prompt.startsWith('FIRST'))).toEqual([]);
  const after = upstream.calls.filter(({ path }) => path === '/tool').map(({ headers }) => headers['idempotency-key']);
  expect(after).toHaveLength(2);
  expect(new Set(after)).toEqual(new Set(before));
});

const isEnd = (state: string) =>
  (runStates as readonly string[]).includes(state) && /completed|failed|canceled/.test(state);
/** Whole events only. */
const cutAtEvent = (text: string) => text.slice(0, text.lastIndexOf('\n\n') + 2);

const of = (prompt: string) => `whole answer of ${prompt}`;
function expected(kind: string): string {
  const begins = `${of(`FIRST ${kind}`)}|`;
  switch (kind) {
    case 'model':
      return begins + of('HOLD model');
    case 'tools':
      return begins + of('{"said":"tool done"}');
    case 'tool':
      return `${begins}{"said":"tool done"}`;
    case 'retrieve':
      return `${begins}0`;
    case 'parallel':
      return begins + JSON.stringify(['a', 'b'].map((item) => of(`HOLD ${item}`)));
    case 'loop':
      return `${begins}2`;
    case 'agent':
      return begins + of('HOLD agent');
    case 'ask':
      return `${begins}Reply`;
    case 'parse':
      return `${begins}# Read`;
    case 'mask':
      return `${begins}${MAILS}`;
    default:
      return `${of('HOLD answer')}\n\nW`;
  }
}
