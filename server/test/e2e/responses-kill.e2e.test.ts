import { sql } from 'kysely';
import { rm } from 'node:fs/promises';
import OpenAI from 'openai';
import type { Response as OpenAiResponse, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hexId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import { databaseOf, firstTenant, makeAgent, plainAgent } from '../support/a2a.ts';
import { makeKey } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { takeNobodyForGone } from '../support/never-gone.ts';
import { freePort, type Service, startService, temporaryFolder } from '../support/service.ts';
import { eventsOf, openStream, openUpstream, play, type Upstream, type UpstreamCall } from '../support/upstream.ts';

// kill -9 of the service while responses are made in the background, each held at another place; models and tools outlive it.

let dataFolder: string;
let port: number;
let upstream: Upstream;
let service: Service;
let db: Database;
let key: string;
/** An agent whose model is asked as it stands. */
let agent: string;
/** Calls are not answered to their end before the kill. */
let holding = true;

const model = 'CORE-GOV';
/** Tells what it thinks. */
const thinker = 'CORE-GOV-THINK';
const promptOf = ({ json }: UpstreamCall): string => {
  const asked = json.messages.findLast(({ role }) => role === 'user')?.content;
  return typeof asked === 'string' ? asked : JSON.stringify(asked);
};
const pieces = (text: string) => text.match(/.{1,4}/g) ?? [];
const wholeOf = (prompt: string) => `whole answer of ${prompt}`;

/** Streams the first pieces, and never ends. */
function holdBehind(call: UpstreamCall, script: { text?: readonly string[]; reasoning?: readonly string[] }): void {
  const events = eventsOf(call, script);
  openStream(call).write(events.slice(0, 1 + (script.text ?? script.reasoning ?? []).length).join(''));
}

function answerUpstream(call: UpstreamCall): void {
  if (call.path.startsWith('/tool')) {
    const isHeld = holding && (JSON.parse(call.text) as { wait?: boolean }).wait === true;
    if (!isHeld) call.response.writeHead(200, { 'content-type': 'application/json' }).end('{"said":"tool done"}');
    return;
  }
  const prompt = promptOf(call);
  const { role, tool_calls: calls } = call.json.messages.at(-1) as { role: string; tool_calls?: unknown };
  if (prompt.startsWith('Your last message was cut off')) {
    const told = call.json.messages.at(-2)?.content as string;
    return void play({ text: pieces(wholeOf('OTHER').slice(told.length)) })(call);
  }
  if (prompt.startsWith('TOOL') && role === 'user' && calls === undefined)
    return void play({
      tools: [{ id: 'call_t', name: 'wait', arguments: JSON.stringify({ body: { wait: prompt === 'TOOL WAITS' } }) }],
    })(call);
  if (holding && prompt === 'THINKS') return holdBehind(call, { reasoning: ['I th', 'ink'] });
  if (holding) return holdBehind(call, { text: pieces(wholeOf(prompt)).slice(0, 2) });
  if (prompt === 'OTHER') return void play({ text: 'something else altogether' })(call);
  const reasoning = prompt === 'THINKS' ? ['I th', 'ink', ' so'] : undefined;
  return void play({ text: pieces(wholeOf(prompt)), ...(reasoning ? { reasoning } : {}) })(call);
}

const config = () => ({
  engines: { fake: { kind: 'openai', addresses: [upstream.url] } },
  models: Object.fromEntries([model, thinker].map((id) => [id, { engines: [{ engine: 'fake' }] }])),
  limits: { requests_per_minute: null, tokens_per_minute: null },
  network: { allow: ['127.0.0.1'] },
  responses: { background_at_once: 20 },
});

beforeAll(async () => {
  dataFolder = await temporaryFolder();
  port = await freePort();
  upstream = await openUpstream([model, thinker]);
  upstream.plays(answerUpstream);
  service = await startService({ dataFolder, port, config: config() });
  db = await databaseOf(service);
  await takeNobodyForGone(db, 'response_jobs');
  key = (await makeKey(service, { agentModels: true })).value;
  agent = `agent/${(await makeAgent(db, await firstTenant(db), plainAgent(model))).slug}`;
  const operation = { method: 'POST', path: '/tool', parameters: [], body: 'json' };
  const parameters = { type: 'object', properties: { body: { type: 'object' } } };
  await db.query
    .insertInto('tool_servers')
    .values({
      id: hexId(),
      tenant_id: await firstTenant(db),
      name: 'slow',
      kind: 'http',
      url: new URL('/', upstream.url).href,
      header_names: [],
      tools: JSON.stringify([{ name: 'wait', description: 'Waits', parameters, operation }]),
      left_out: [],
      created_by: 'somebody',
    })
    .execute();
});
afterAll(async () => {
  await db?.close();
  await service?.close();
  await upstream?.close();
  await rm(dataFolder, { recursive: true, force: true });
});

const open = () => new OpenAI({ baseURL: `${service.base}/v1`, apiKey: key, maxRetries: 0 });
const tools = [{ type: 'mcp', server_label: 'slow', require_approval: 'never' }] as const;

interface Begun {
  readonly id: string;
  readonly input: string;
  readonly read: ResponseStreamEvent[];
}

/** Begins one, and reads what is told of it until the service is gone. */
async function begin(input: string): Promise<Begun> {
  const read: ResponseStreamEvent[] = [];
  const own = { THINKS: { model: thinker, tools: [...tools] }, AGENT: { model: agent } }[input];
  const asked = { model, input, ...(own ?? { tools: [...tools] }) };
  const stream = await open().responses.create({ ...asked, background: true, stream: true });
  const id = Promise.withResolvers<string>();
  void (async () => {
    for await (const event of stream) {
      read.push(event);
      if (event.type === 'response.created') id.resolve(event.response.id);
    }
  })().catch(() => undefined);
  return { id: await id.promise, input, read };
}

const textOf = (
  events: readonly ResponseStreamEvent[],
  type: 'response.output_text.delta' | 'response.reasoning_text.delta',
) => events.flatMap((event) => (event.type === type ? [event.delta] : [])).join('');
const keysOfTool = () =>
  upstream.calls.filter(({ path }) => path === '/tool').map(({ headers }) => headers['idempotency-key']);

test('after kill -9 each response goes on where it was, repeating nothing', async () => {
  covers('responses.background.half-told', 'responses.background.tools-once', 'parts.agents.responses');
  const begun = await Promise.all(['SAME', 'OTHER', 'THINKS', 'AGENT', 'TOOL WAITS', 'TOOL ENDED'].map(begin));
  const plain = await open().responses.create({ model, input: 'PLAIN', background: true });
  for (const { input, read } of begun)
    await eventually(() => {
      const last = read.at(-1)?.type ?? '';
      const place = {
        THINKS: 'response.reasoning_text.delta',
        'TOOL WAITS': 'response.mcp_call_arguments.done',
      }[input];
      expect(last, input).toBe(place ?? 'response.output_text.delta');
    });
  await eventually(() => expect(keysOfTool()).toHaveLength(2));
  await eventually(() =>
    expect(upstream.calls.filter(({ path }) => path !== '/tool').map(promptOf)).toContain('PLAIN'),
  );
  const keysBefore = keysOfTool();

  await service.kill();
  await db.close();
  holding = false;
  upstream.reset();
  upstream.plays(answerUpstream);
  service = await startService({ dataFolder, port, config: config() });
  db = await databaseOf(service);

  for (const { id, input, read } of begun) {
    const last = read.at(-1)?.sequence_number ?? -1;
    const rest: ResponseStreamEvent[] = [];
    for await (const event of await open().responses.retrieve(id, { stream: true, starting_after: last }))
      rest.push(event);
    const all = [...read, ...rest];
    expect(
      all.map(({ sequence_number: at }) => at),
      input,
    ).toEqual(all.map((_, at) => at));
    const end = all.at(-1);
    expect(end?.type, input).toBe('response.completed');
    const response = end?.type === 'response.completed' ? end.response : ({} as OpenAiResponse);
    const wanted = wholeOf(input);
    expect(textOf(all, 'response.output_text.delta'), input).toBe(wanted);
    const said = response.output.flatMap((item) => (item.type === 'message' ? item.content : []));
    expect(said, input).toMatchObject([{ type: 'output_text', text: wanted }]);
    expect(await open().responses.retrieve(id), input).toMatchObject({ status: 'completed', output: response.output });
    if (input === 'THINKS') expect(textOf(all, 'response.reasoning_text.delta')).toBe('I think so');
    const added = all.flatMap((event) => (event.type === 'response.output_item.added' ? [event.output_index] : []));
    expect(added, input).toEqual(response.output.map((_, at) => at));
  }
  await eventually(async () => {
    const { status, output } = await open().responses.retrieve(plain.id);
    expect(status).toBe('completed');
    expect(output).toMatchObject([{ type: 'message', content: [{ text: wholeOf('PLAIN') }] }]);
  });
  const { rows: runs } = await sql<{ count: number }>`SELECT count(*)::int FROM agent_runs`.execute(db.query);
  expect(runs).toEqual([{ count: 1 }]);
  // What had ended is not asked again, and what had not is asked under the same key.
  expect(keysOfTool()).toHaveLength(1);
  expect(keysBefore).toContain(keysOfTool()[0]);
  expect(new Set(keysBefore).size).toBe(2);
});
