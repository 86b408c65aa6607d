import { sql } from 'kysely';
import OpenAI, { toFile } from 'openai';
import OpenAIv6 from 'openai-v6';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/ports/database.ts';
import { covers } from '../requirements.ts';
import { databaseOf, firstTenant, makeAgent, plainAgent } from '../support/a2a.ts';
import { chatLines, endedBatch, readBatch, resultsOf, startBatch, uploadLines } from '../support/batches.ts';
import { makeKey, studio } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { type House, openHouse } from '../support/house.ts';
import { call, jsonOf } from '../support/http.ts';
import { answer, eventsOf, openStream, play, type UpstreamCall } from '../support/upstream.ts';

/** Batches that may be open at one time. */
const MAX_OPEN = 5;

let house: House;
let db: Database;
beforeAll(async () => {
  house = await openHouse({
    config: () => ({
      limits: { requests_per_minute: null, tokens_per_minute: null },
      files: { tenant_bytes: 2_000_000 },
      batches: { lines_at_once: 2, open_per_tenant: MAX_OPEN },
    }),
    models: { 'bge-m3': { kind: 'embedding', engines: [{ engine: 'fake' }] } },
  });
  db = await databaseOf(house);
});
afterAll(async () => {
  await db?.close();
  await house?.close();
});
beforeEach(() => house.upstream.reset());

const promptOf = ({ json }: UpstreamCall): string => {
  const { content } = json.messages.at(-1) ?? {};
  return typeof content === 'string' ? content : JSON.stringify(content);
};
/** Says the prompt back. */
const echo = (one: UpstreamCall) => play({ text: `echo ${promptOf(one)}` })(one);

const clients = [
  ['openai', OpenAI],
  ['openai, the major before', OpenAIv6 as unknown as typeof OpenAI],
] as const;

describe.each(clients)('%s', (_name, Client) => {
  const open = () => new Client({ baseURL: `${house.base}/v1`, apiKey: house.key, maxRetries: 0 });

  test('keeps files, lists them page by page, gives them back and deletes them', async () => {
    covers('files.lifecycle', 'files.expiry');
    const client = open();
    const first = await client.files.create({
      file: await toFile(Buffer.from('# 안녕\n'), '규정 v1.md'),
      purpose: 'user_data',
      expires_after: { anchor: 'created_at', seconds: 3600 },
    });
    const second = await client.files.create({ file: await toFile(Buffer.from('b'), 'b.txt'), purpose: 'assistants' });
    expect(first).toMatchObject({ object: 'file', bytes: 9, filename: '규정 v1.md', purpose: 'user_data' });
    expect(first.id).toMatch(/^file-[0-9a-f]{32}$/);
    expect(first.expires_at).toBe(first.created_at + 3600);
    expect(second.expires_at).toBeNull();
    expect(await client.files.retrieve(first.id)).toEqual(first);
    expect(await (await client.files.content(first.id)).text()).toBe('# 안녕\n');

    const ids: string[] = [];
    for await (const file of client.files.list({ limit: 1, purpose: 'user_data' })) ids.push(file.id);
    expect(ids).toEqual([first.id]);
    const all = await client.files.list({ limit: 1 });
    expect([all.data.map(({ id }) => id), all.has_more]).toEqual([[second.id], true]);
    expect((await all.getNextPage()).data.map(({ id }) => id)).toEqual([first.id]);

    for (const { id } of [first, second])
      expect(await client.files.delete(id)).toEqual({ id, object: 'file', deleted: true });
    await expect(client.files.retrieve(first.id)).rejects.toMatchObject({ status: 404, code: '404' });
    await expect(client.files.content(first.id)).rejects.toMatchObject({ status: 404 });
  });

  test('runs a batch of chats: answers in one file, failures in another', async () => {
    covers('batches.run');
    house.upstream.plays(echo);
    const client = open();
    const lines = [chatLines(4, 'good'), chatLines(1, 'bad', { model: 'no-such-model' })].join('\n');
    const file = await client.files.create({ file: await toFile(Buffer.from(lines), 'in.jsonl'), purpose: 'batch' });
    const begun = await client.batches.create({
      input_file_id: file.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { job: 'nightly' },
    });
    expect(begun).toMatchObject({ object: 'batch', status: 'validating', input_file_id: file.id, errors: null });
    expect(begun.expires_at).toBe(begun.created_at + 86_400);
    const ended = await endedBatch(house, begun.id);
    expect(await client.batches.retrieve(begun.id)).toEqual(ended);
    expect(ended).toMatchObject({
      status: 'completed',
      model: 'CORE-GOV',
      metadata: { job: 'nightly' },
      request_counts: { total: 5, completed: 4, failed: 1 },
    });
    const text = await (await client.files.content(ended.output_file_id ?? '')).text();
    const results = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { custom_id: string; response: { body: OpenAI.ChatCompletion } });
    expect(results.map(({ custom_id: id, response }) => [id, response.body.choices[0]?.message.content])).toEqual(
      [0, 1, 2, 3].map((at) => [`good-${at}`, `echo good-${at}`]),
    );
    expect(results[0]).toMatchObject({ id: expect.stringMatching(/^batch_req_/), error: null });
    expect(results[0]).toMatchObject({ response: { status_code: 200, request_id: expect.any(String) } });
    expect(await resultsOf(house, ended.error_file_id)).toMatchObject([
      { custom_id: 'bad-0', response: { status_code: 400, body: { error: { param: 'model' } } }, error: null },
    ]);
    const listed = await client.batches.list({ limit: 1 });
    expect(listed.data).toEqual([ended]);
    const output = await client.files.retrieve(ended.output_file_id ?? '');
    expect(output).toMatchObject({ purpose: 'batch_output', filename: `${ended.id}_output.jsonl` });
    await expect(client.batches.cancel(ended.id)).rejects.toMatchObject({ status: 409 });
  });
});

test('every line is metered once, under the name of its endpoint', async () => {
  covers('batches.once');
  house.upstream.plays(echo);
  const { id } = await startBatch(house, chatLines(3, 'metered'));
  await endedBatch(house, id);
  const { rows } = await sql<{ endpoint: string; calls: number; tokens: number }>`
    SELECT endpoint, sum(calls) AS calls, sum(prompt_tokens + completion_tokens) AS tokens FROM usage_slices
    WHERE writer LIKE ${`${id}:%`} GROUP BY endpoint`.execute(db.query);
  expect(rows).toEqual([{ endpoint: 'chat', calls: 3, tokens: 3 * 18 }]);
});

test('the other endpoints answer lines as they answer calls', async () => {
  covers('batches.endpoints');
  house.upstream.plays((one) => {
    if (!one.path.endsWith('/embeddings')) return echo(one);
    const input = [one.json['input']].flat();
    const data = input.map((_, index) => ({ object: 'embedding', index, embedding: [0.6, 0.8] }));
    return answer(200, { object: 'list', data, model: 'bge-m3', usage: { prompt_tokens: 2, total_tokens: 2 } })(one);
  });
  const line = (url: string, body: object) => JSON.stringify({ custom_id: 'one', method: 'POST', url, body });
  const bodies = {
    '/v1/responses': { model: 'CORE-GOV', input: 'R' },
    '/v1/embeddings': { model: 'bge-m3', input: ['E', 'F'] },
    '/v1/completions': { model: 'CORE-GOV', prompt: 'C' },
  };
  const answers: unknown[] = [];
  for (const [endpoint, body] of Object.entries(bodies)) {
    const { id } = await startBatch(house, line(endpoint, body), endpoint);
    const { output_file_id: file, ...ended } = await endedBatch(house, id);
    expect(ended.request_counts, JSON.stringify(await resultsOf(house, ended.error_file_id))).toEqual({
      total: 1,
      completed: 1,
      failed: 0,
    });
    answers.push((await resultsOf(house, file))[0]?.response?.body);
  }
  expect(answers).toMatchObject([
    { object: 'response', status: 'completed', store: false },
    { object: 'list', data: [{ index: 0 }, { index: 1 }], usage: { prompt_tokens: 2 } },
    { object: 'text_completion', choices: [{ text: 'echo C' }] },
  ]);
});

test('agents answer lines of chats and responses, each by one run', async () => {
  covers('parts.agents.batches');
  const tenant = await firstTenant(db);
  const idOf = async (definition: Parameters<typeof makeAgent>[2]) =>
    `agent/${(await makeAgent(db, tenant, definition)).slug}`;
  const [plain, broken] = [await idOf(plainAgent()), await idOf(plainAgent('NO-SUCH-MODEL'))];
  const caller = { ...house, key: (await makeKey(house, { agentModels: true })).value };
  const line = (id: string, url: string, body: object) => JSON.stringify({ custom_id: id, method: 'POST', url, body });
  const chat = (id: string, model: string) =>
    line(id, '/v1/chat/completions', { model, messages: [{ role: 'user', content: id }] });
  const runsOf = async (batch: string) =>
    (
      await db.query
        .selectFrom('agent_messages')
        .innerJoin('agent_runs', 'agent_runs.id', 'agent_messages.run_id')
        .select(['message_id', 'priority'])
        .where('message_id', 'like', `batch/${batch}/%`)
        .orderBy('message_id')
        .execute()
    ).map(({ message_id: name, priority }) => [name, priority]);

  // The process of the batch is taken for gone while the agent answers: whoever goes on joins its run.
  const gate = holding(0);
  const { id } = await startBatch(caller, [chat('one', plain), chat('two', broken)].join('\n'));
  await eventually(() => expect(gate.held).toHaveLength(1));
  await sql`UPDATE batches SET claim = NULL WHERE id = ${id}`.execute(db.query);
  const responses = line('three', '/v1/responses', { model: plain, input: 'three' });
  const other = await startBatch(caller, responses, '/v1/responses');
  await eventually(() => expect(gate.held).toHaveLength(2));
  gate.letGo();
  const ended = await endedBatch(house, id);
  expect(ended.request_counts).toEqual({ total: 2, completed: 1, failed: 1 });
  expect(await resultsOf(house, ended.output_file_id)).toMatchObject([
    { custom_id: 'one', response: { body: { model: plain, choices: [{ message: { content: 'echo one' } }] } } },
  ]);
  const [failed] = await resultsOf(house, ended.error_file_id);
  expect(failed).toMatchObject({ custom_id: 'two', response: { status_code: 500 } });
  expect(JSON.stringify(failed)).toContain('NO-SUCH-MODEL');
  expect(await runsOf(id)).toEqual([
    [`batch/${id}/1`, 'batch'],
    [`batch/${id}/2`, 'batch'],
  ]);
  const told = await endedBatch(house, other.id);
  expect(await resultsOf(house, told.output_file_id)).toMatchObject([
    { custom_id: 'three', response: { body: { object: 'response', model: plain, status: 'completed' } } },
  ]);
  expect(await runsOf(other.id)).toEqual([[`batch/${other.id}/1`, 'batch']]);
  expect(house.upstream.calls).toHaveLength(2);

  // To other keys agents are no models.
  const refused = await endedBatch(house, (await startBatch(house, chat('four', plain))).id);
  const [no] = await resultsOf(house, refused.error_file_id);
  expect(no).toMatchObject({ response: { status_code: 400, body: { error: { param: 'model' } } } });
  expect(JSON.stringify(no)).toContain('API keys with agents as models');
});

test('a file that is wrong fails at once, with the numbers of its lines', async () => {
  covers('batches.validation');
  const { id } = await startBatch(house, `${chatLines(1)}\nnot json\n${chatLines(1)}`);
  const failed = await endedBatch(house, id);
  expect(failed).toMatchObject({ status: 'failed', output_file_id: null, request_counts: { total: 0 } });
  expect(failed.errors?.data).toMatchObject([
    { code: 'invalid_json_line', line: 2 },
    { code: 'duplicate_custom_id', line: 3, param: 'custom_id' },
  ]);
  expect(failed.failed_at).toBeGreaterThanOrEqual(failed.created_at);
  expect(house.upstream.calls).toEqual([]);
});

test('what cannot be a batch or a file is refused with the field that is wrong', async () => {
  covers('files.refused', 'files.quota');
  const other = new FormData();
  other.set('purpose', 'user_data');
  other.set('file', new Blob(['x']), 'x.txt');
  const upload = (form: FormData) =>
    fetch(`${house.base}/v1/files`, { method: 'POST', body: form, headers: { authorization: `Bearer ${house.key}` } });
  const { id } = (await (await upload(other)).json()) as { id: string };
  const create = (body: object) => call(house, '/v1/batches', { body });
  const whole = { endpoint: '/v1/chat/completions', completion_window: '24h' };
  const missing = `file-${'0'.repeat(32)}`;
  for (const [body, status, param] of [
    [{ ...whole, input_file_id: id }, 400, 'input_file_id'],
    [{ ...whole, input_file_id: missing }, 404, null],
    [{ ...whole, input_file_id: 'x' }, 404, null],
    [{ ...whole, input_file_id: id, endpoint: '/v1/audio/speech' }, 400, 'endpoint'],
    [{ ...whole, input_file_id: id, completion_window: '7d' }, 400, 'completion_window'],
  ] as const) {
    const reply = await create(body);
    expect([reply.status, jsonOf<{ error: { param: string | null } }>(reply).error.param], reply.text).toEqual([
      status,
      param,
    ]);
  }
  const bad = new FormData();
  bad.set('purpose', 'fine-tune');
  bad.set('file', new Blob(['x']), 'x.txt');
  expect(await (await upload(bad)).json()).toMatchObject({ error: { param: 'purpose', code: '400' } });
  bad.set('purpose', 'batch');
  bad.set('file', new Blob([Buffer.alloc(2_000_001)]), 'x.txt');
  const full = await upload(bad);
  expect([full.status, (await full.text()).includes('has room for')]).toEqual([413, true]);
  expect((await call(house, '/v1/files?after=file-x')).status).toBe(400);
  expect((await call(house, '/v1/batches?limit=0')).status).toBe(400);
});

test('a line whose model has too much to do is tried again', async () => {
  covers('batches.retry');
  let refusals = 2;
  house.upstream.plays((one) => {
    if (refusals-- > 0) return answer(429, { error: { message: 'slow down' } }, { 'retry-after': '1' })(one);
    return echo(one);
  });
  const { id } = await startBatch(house, chatLines(1, 'again'));
  expect((await endedBatch(house, id)).request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
});

test('what a try of a line used before it failed is metered with that of the try that was answered', async () => {
  covers('batches.retry');
  let breaks = 2;
  house.upstream.plays((one) => {
    if (breaks-- <= 0) return echo(one);
    const [first = '', second = ''] = eventsOf(one, { text: ['half ', 'of it'] });
    openStream(one).write(first + second, () => one.response.destroy());
  });
  const body = { model: 'CORE-GOV', input: 'R' };
  const line = JSON.stringify({ custom_id: 'one', method: 'POST', url: '/v1/responses', body });
  const { id } = await startBatch(house, line, '/v1/responses');
  const { request_counts: counts, error_file_id: errors } = await endedBatch(house, id);
  expect(counts, JSON.stringify(await resultsOf(house, errors))).toEqual({ total: 1, completed: 1, failed: 0 });
  const { rows } = await sql<{ outcome: string; calls: number; used: boolean }>`
    SELECT outcome, sum(calls) AS calls, bool_and(prompt_tokens > 0) AS used FROM usage_slices
    WHERE writer LIKE ${`${id}:%`} GROUP BY outcome ORDER BY 1`.execute(db.query);
  expect(rows).toEqual([
    { outcome: 'error', calls: 2, used: true },
    { outcome: 'ok', calls: 1, used: true },
  ]);
});

test('batches that are begun at one moment are no more than a tenant may have open', async () => {
  covers('batches.quota');
  const gate = holding(0);
  const input_file_id = await uploadLines(house, chatLines(1, 'open'));
  const body = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' };
  const replies = await Promise.all(Array.from({ length: 12 }, () => call(house, '/v1/batches', { body })));
  const begun = replies.filter(({ status }) => status === 200);
  expect(begun).toHaveLength(MAX_OPEN);
  const refused = replies.find(({ status }) => status !== 200);
  expect(refused).toMatchObject({ status: 429, headers: expect.objectContaining({}) });
  expect(refused?.text).toContain('open batches');
  gate.letGo();
  for (const { text } of begun) await endedBatch(house, (JSON.parse(text) as { id: string }).id);
});

test('keys of a tenant share its files and batches, and the audit log tells which key deleted or cancelled what', async () => {
  covers('files.shared');
  const other = await makeKey(house, { name: 'nightly job' });
  const caller = { ...house, key: other.value };
  const gate = holding(0);
  const { id, input_file_id: file } = await startBatch(house, chatLines(1, 'shared'));
  expect((await call(caller, `/v1/files/${file}`)).status).toBe(200);
  expect((await call(caller, `/v1/batches/${id}/cancel`, { method: 'POST' })).status).toBe(200);
  expect((await call(caller, `/v1/files/${file}`, { method: 'DELETE' })).status).toBe(200);
  expect((await call(caller, `/v1/files/${file}`, { method: 'DELETE' })).status).toBe(404);
  const told = await db.query
    .selectFrom('audit_events')
    .select(['action', 'actor_user_id', 'actor_name', 'target_kind', 'target_name', 'detail'])
    .where('target_id', 'in', [id, file])
    .orderBy('seq')
    .execute();
  const who = { actor_user_id: null, actor_name: 'nightly job', detail: { key_id: other.id } };
  expect(told).toEqual([
    { ...who, action: 'batch_cancelled', target_kind: 'batch', target_name: id },
    { ...who, action: 'file_deleted', target_kind: 'file', target_name: 'lines.jsonl' },
  ]);
  gate.letGo();
  await endedBatch(house, id);
});

/** Answers the first lines, and holds the others until they are let go. */
function holding(answered: number) {
  const held: UpstreamCall[] = [];
  let left = answered;
  house.upstream.plays((one) => {
    if (left-- > 0) return echo(one);
    held.push(one);
    return undefined;
  });
  return {
    held,
    letGo() {
      left = Infinity;
      for (const one of held.splice(0)) void echo(one);
    },
  };
}

/** The next heartbeat of the batch's process has told it what the row says now. */
async function noticed(id: string): Promise<void> {
  const since = Date.now();
  await eventually(async () => {
    const { seen_at: seen } = await db.query
      .selectFrom('batches')
      .select('seen_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(Number(seen)).toBeGreaterThan(since);
  });
}

test('a batch that is cancelled ends with what was answered', async () => {
  covers('batches.cancel');
  const gate = holding(3);
  const { id } = await startBatch(house, chatLines(20, 'cancelled'));
  await eventually(() => expect(gate.held).toHaveLength(2));
  const cancelling = jsonOf<{ status: string }>(await call(house, `/v1/batches/${id}/cancel`, { method: 'POST' }));
  expect(cancelling.status).toBe('cancelling');
  await noticed(id);
  gate.letGo();
  const ended = await endedBatch(house, id);
  expect(ended).toMatchObject({ status: 'cancelled', request_counts: { total: 20, completed: 5, failed: 0 } });
  expect(ended.cancelled_at).toBeGreaterThanOrEqual(ended.cancelling_at ?? Infinity);
  expect((await resultsOf(house, ended.output_file_id)).map(({ custom_id: line }) => line)).toEqual(
    [0, 1, 2, 3, 4].map((at) => `cancelled-${at}`),
  );
  expect(ended.error_file_id).toBeNull();
});

test('a batch whose time is over ends with what is done, and says which lines were not', async () => {
  covers('batches.expiry');
  const gate = holding(1);
  // What failed has had its turn.
  const failing = chatLines(1, 'failed', { model: 'NO-SUCH-MODEL' });
  const { id } = await startBatch(house, [failing, chatLines(400, 'late')].join('\n'));
  await eventually(() => expect(gate.held).toHaveLength(2));
  await db.query.updateTable('batches').set({ expires_at: new Date() }).where('id', '=', id).execute();
  // Those under way are answered.
  await noticed(id);
  gate.letGo();
  await eventually(async () => expect((await readBatch(house, id)).status).toBe('expired'));
  const ended = await readBatch(house, id);
  const { completed, failed, total } = ended.request_counts;
  expect([completed + failed, total]).toEqual([401, 401]);
  expect(completed).toBeGreaterThanOrEqual(3);
  const missed = await resultsOf(house, ended.error_file_id);
  expect(missed).toHaveLength(failed);
  expect(missed[0]).toMatchObject({ custom_id: 'failed-0', response: { status_code: 400 } });
  for (const line of missed.slice(1)) expect(line).toMatchObject({ response: null, error: { code: 'batch_expired' } });
});

test('a batch whose key is deleted fails truthfully, with what was answered until then', async () => {
  covers('batches.truthful');
  const gate = holding(1);
  const key = await makeKey(house);
  const { id } = await startBatch({ ...house, key: key.value }, chatLines(6, 'revoked'));
  await eventually(() => expect(gate.held).toHaveLength(2));
  await studio(house, 'key', 'delete', key.id);
  // Those under way are cut off.
  await Promise.all(gate.held.map(({ aborted }) => aborted));
  const ended = await endedBatch(house, id);
  expect(ended).toMatchObject({
    status: 'failed',
    errors: { data: [{ code: 'api_key_revoked', line: null }] },
    request_counts: { total: 6, completed: 1, failed: 0 },
  });
  expect(await resultsOf(house, ended.output_file_id)).toEqual([
    // Of the first two, whichever came first.
    expect.objectContaining({ custom_id: expect.stringMatching(/^revoked-[01]$/) as string }),
  ]);
  const { rows } = await sql<{ outcome: string; calls: number }>`
    SELECT outcome, sum(calls) AS calls FROM usage_slices WHERE writer LIKE ${`${id}:%`} GROUP BY outcome ORDER BY 1`.execute(
    db.query,
  );
  expect(rows).toEqual([
    { outcome: 'canceled', calls: 2 },
    { outcome: 'ok', calls: 1 },
  ]);
});

test('a key does with files and batches what its permissions allow', async () => {
  covers('files.refused');
  const embedder = { ...house, key: (await makeKey(house, { scopes: ['embeddings'] })).value };
  const input_file_id = await uploadLines(embedder, chatLines(1));
  const body = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' };
  expect((await call(embedder, '/v1/batches', { body })).status).toBe(403);
  expect((await call(embedder, '/v1/batches')).status).toBe(200);
  const other = { ...house, key: (await makeKey(house, { scopes: ['utilities'] })).value };
  for (const path of ['/v1/files', `/v1/files/${input_file_id}`, `/v1/files/${input_file_id}/content`, '/v1/batches'])
    expect((await call(other, path)).status, path).toBe(403);
});

test('a batch whose input file is deleted fails truthfully', async () => {
  covers('batches.truthful');
  const input = await uploadLines(house, chatLines(2, 'gone'));
  // Nothing takes it while its file is there.
  await sql`CREATE FUNCTION hold_batches() RETURNS trigger LANGUAGE plpgsql
    AS 'BEGIN NEW.claim := ''held''; NEW.seen_at := now(); RETURN NEW; END'`.execute(db.query);
  await sql`CREATE TRIGGER hold_batches BEFORE INSERT ON batches FOR EACH ROW EXECUTE FUNCTION hold_batches()`.execute(
    db.query,
  );
  const body = { input_file_id: input, endpoint: '/v1/chat/completions', completion_window: '24h' };
  const { id } = jsonOf<{ id: string }>(await call(house, '/v1/batches', { body }));
  await sql`DROP TRIGGER hold_batches ON batches`.execute(db.query);
  expect((await call(house, `/v1/files/${input}`, { method: 'DELETE' })).status).toBe(200);
  await sql`UPDATE batches SET claim = NULL WHERE id = ${id}`.execute(db.query);
  // Whoever starts one has all looked for.
  await startBatch(house, chatLines(1, 'wake'));
  expect(await endedBatch(house, id)).toMatchObject({
    status: 'failed',
    errors: { data: [{ code: 'input_file_gone', line: null }] },
  });
});
