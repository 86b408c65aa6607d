import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { type ConsoleHouse, openConsoleHouse } from '../support/console.ts';
import { type Estate, estateEnv, idOfNothing, type Ids, type Kind, kinds, makeEstate } from './estate.ts';
import { nameOf, type Operation, operationsOf } from './operations.ts';
import { createChance } from './seeded.ts';
import { valueFor } from './values.ts';

// Every part of every declared address, public and of the console, deletes included, with the ids of another tenant: each answers as to
// an id that nothing has, alone and beside ids of one's own, and nothing of the other tenant changes. A route that comes is tried
// without anything being written here; a new kind of id needs a line in operations.ts.

let house: ConsoleHouse;
let theirs: Estate;
let ours: Estate;
let operations: readonly Operation[];

beforeAll(async () => {
  house = await openConsoleHouse(estateEnv);
  theirs = await makeEstate(house, 'Quagga');
  ours = await makeEstate(house, 'Ours');
  operations = await operationsOf(house);
});
afterAll(() => house.close());

const isOfTenant = (kind: string): kind is Kind => (kinds as readonly string[]).includes(kind);

/** What must be beside the ids for an address to look at them, where its schema does not say so. */
const questions: Readonly<Record<string, string>> = {
  'GET /console/api/agents/{id}/difference': '?from=draft&to=draft',
  'POST /console/api/collections/{id}/documents/batch': '?size=4',
};
const bodies: Readonly<Record<string, object>> = {
  'PATCH /console/api/agents/{id}': { name: 'Ours now' },
  'POST /console/api/collections/{id}/preview': { text: 'Ours', ingest_config: {} },
  'POST /console/api/collections/{id}/connectors': {
    name: 'Source',
    settings: { kind: 'webdav', url: 'https://192.0.2.1/' },
  },
};

/** A body that is taken as far as can be without knowing what it is for; the same for the same operation. */
function bodyOf(operation: Operation): string | FormData | null {
  const { takes, example, body, resolve } = operation;
  if (takes === 'nothing' || operation.method === 'GET') return null;
  if (takes === 'file') return '# A\n';
  const making = { chance: createChance(nameOf(operation)), ids: Object.values(ours.ids), own: ours.ids, resolve };
  const value = bodies[nameOf(operation)] ?? example ?? valueFor(body ?? {}, making);
  if (takes === 'json') return JSON.stringify(value);
  const form = new FormData();
  form.set('file', new Blob(['# A\n']), 'a.md');
  return form;
}

/** An answer without what differs between two equal calls. */
const plain = (status: number, text: string, given: readonly string[]) => ({
  status,
  text: given
    .filter((id) => id.length > 20)
    .reduce((left, id) => left.replaceAll(id, 'ID'), text)
    .replaceAll(/[0-9a-f]{32}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    // Whether a run had begun when it was looked at.
    .replaceAll(/(?<="state":")submitted/g, 'working'),
});

/** Calls an address with these ids as the other tenant's key or administrator; kinds that are no tenant's stand as 1. */
async function answerTo(operation: Operation, by: Estate, at: readonly string[], body = bodyOf(operation)) {
  const ids = [...at];
  const path = operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(ids.shift() ?? ''));
  const question = questions[nameOf(operation)] ?? (operation.takes === 'file' ? '?name=a.md&size=4' : '');
  const types = { json: 'application/json', file: 'application/octet-stream', form: null, nothing: null };
  const type = body === null ? null : types[operation.takes];
  const response = await fetch(house.base + path + question, {
    method: operation.method,
    body,
    headers: {
      ...(type === null ? {} : { 'content-type': type }),
      ...(operation.door === 'public'
        ? { authorization: `Bearer ${by.caller.key}` }
        : { cookie: by.chief.cookie, origin: house.base }),
    },
  });
  return plain(response.status, await response.text(), at);
}

/** Which of several parts are another's: each alone, and all. */
const choices = (count: number): readonly (readonly boolean[])[] => {
  const alone = Array.from({ length: count }, (_, at) => Array.from({ length: count }, (_unused, part) => part === at));
  return count < 2 ? alone : [...alone, Array.from({ length: count }, () => true)];
};

/** What every call of a tenant's own people and keys changes. */
const moving = new Set(['seen_at', 'last_used_at']);

/** Everything that the tenant has, as it is stored. */
async function stored(): Promise<string> {
  const { rows } = await sql<{ name: string }>`SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1`.execute(house.db.query);
  const tables = rows.map(({ name }) => name).filter((name) => name !== 'usage_slices');
  expect(tables.length).toBeGreaterThan(20);
  const found = await Promise.all(
    tables.map(async (name) => {
      const read = sql<{ row: Record<string, unknown> }>`SELECT to_jsonb(t) AS row FROM ${sql.table(name)} t
        WHERE tenant_id = ${theirs.tenantId} ORDER BY to_jsonb(t)::text`;
      return [name, (await read.execute(house.db.query)).rows];
    }),
  );
  return JSON.stringify(found, (key, value: unknown) => (moving.has(key) ? null : value), 1);
}

test('ids of another tenant in any part of any address answer as ids of nothing, and nothing of it changes', async () => {
  covers('retrieval.isolation', 'responses.conversation.tenant');
  const before = await stored();
  const tried: string[] = [];
  const wrong: object[] = [];
  for (const operation of operations) {
    const { parts } = operation;
    const owned = parts.filter(({ kind }) => isOfTenant(kind));
    for (const foreign of choices(owned.length)) {
      const idsWith = (other: (kind: Kind) => string) => {
        let part = 0;
        return parts.map(({ kind }) => {
          if (!isOfTenant(kind)) return '1';
          return foreign[part++] === true ? other(kind) : ours.ids[kind];
        });
      };
      const name = `${nameOf(operation)} ${foreign.map((one) => (one ? 'theirs' : 'own')).join(' ')}`;
      const [given, unknown] = [idsWith((kind) => theirs.ids[kind]), idsWith(idOfNothing)];
      const answer = await answerTo(operation, ours, given);
      const expected = await answerTo(operation, ours, unknown);
      tried.push(name);
      // A 400 would say that nothing was looked for; 403 is the answer to all but the operators of the installation.
      const fine = [403, 404].includes(answer.status) && JSON.stringify(answer) === JSON.stringify(expected);
      if (!fine) wrong.push({ name, given, answer, expected });
    }
  }
  expect(wrong).toEqual([]);
  expect(await stored()).toBe(before);
  console.info(`${tried.length} ways to name a thing of another tenant`);
  expect(tried.length).toBeGreaterThan(200);
  expect(tried.filter((name) => name.startsWith('DELETE')).length).toBeGreaterThan(25);
});

/** What names a thing in a message to the MCP server. */
function mcpBodies(ids: Ids): [name: string, body: string][] {
  const calls: readonly (readonly [name: string, args: object])[] = [
    ['search', { query: 'Leave', collection_ids: [ids.collection] }],
    ['search', { query: 'Leave', collection_ids: [ours.ids.collection, ids.collection] }],
    ['fetch', { id: ids.document }],
    ['fetch', { id: `${ids.document}@1` }],
    [`agent_${ids.slug}`, { message: 'Hello' }],
    [`agent_${ours.ids.slug}`, { message: 'Hello', session_id: Number(ids.agentSession) }],
  ];
  const messages = [
    ...calls.map(([name, args]) => ({ method: 'tools/call', params: { name, arguments: args } })),
    { method: 'resources/read', params: { uri: `studio://documents/${ids.document}` } },
  ];
  return messages.map((one) => [`MCP ${one.method}`, JSON.stringify({ jsonrpc: '2.0', id: 1, ...one })]);
}

/** Fields of a public body that may name a thing, and what is asked of an agent. */
function namingBodies(operation: Operation, ids: Ids): [name: string, body: string | FormData][] {
  const { takes, example, body, resolve, path } = operation;
  if (path.endsWith('/a2a'))
    return ['tasks/get', 'tasks/cancel', 'tasks/resubscribe', 'GetTask', 'CancelTask'].map((method) => [
      method,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id: ids.run } }),
    ]);
  if (path.endsWith('/mcp')) return mcpBodies(ids);
  const schema = body?.$ref === undefined ? body : resolve(body.$ref);
  const named = Object.keys(schema?.properties ?? {}).filter((name) => /(?:^|_)ids?$/.test(name));
  return named.flatMap((name): [string, string | FormData][] => {
    const value = kindOfField[name] === undefined ? ids.document : ids[kindOfField[name]];
    if (takes === 'json')
      return [value, [value]].map((given) => [name, JSON.stringify({ ...(example as object), [name]: given })]);
    const form = new FormData();
    form.set(name, value);
    form.set('file', new Blob(['# A\n']), 'a.md');
    return [[name, form]];
  });
}
const kindOfField: Readonly<Record<string, Kind>> = {
  collection_id: 'collection',
  collection_ids: 'collection',
  session_id: 'privacySession',
  input_file_id: 'storedFile',
};

test('ids of another tenant in public bodies answer as ids of nothing', async () => {
  covers('retrieval.isolation', 'responses.conversation.tenant', 'mcp.isolation');
  const before = await stored();
  const nothing = Object.fromEntries(kinds.map((kind) => [kind, idOfNothing(kind)])) as Ids;
  const tried: string[] = [];
  const wrong: object[] = [];
  for (const operation of operations.filter(({ door, takes }) => door === 'public' && takes !== 'nothing')) {
    const at = operation.parts.map(({ kind }) => (isOfTenant(kind) ? ours.ids[kind] : '1'));
    const unknown = namingBodies(operation, nothing);
    for (const [index, [field, body]] of namingBodies(operation, theirs.ids).entries()) {
      const answer = await answerTo(operation, ours, at, body);
      const expected = await answerTo(operation, ours, at, unknown[index]?.[1] ?? null);
      tried.push(field);
      const blind = (one: typeof answer) =>
        JSON.stringify(one)
          .replaceAll(/[0-9a-f]{32}/g, 'ID')
          .replaceAll(/agent_[\w-]+/g, 'AGENT');
      if (blind(answer) !== blind(expected)) wrong.push({ name: nameOf(operation), field, answer, expected });
    }
  }
  expect(wrong).toEqual([]);
  expect(await stored()).toBe(before);
  expect(new Set(tried).size).toBeGreaterThan(7);
});

test('the same addresses answer their own tenant', async () => {
  const reads = operations.filter(({ method, parts }) => method === 'GET' && parts.length > 0);
  const mute: string[] = [];
  for (const operation of reads) {
    if (!operation.parts.every(({ kind }) => isOfTenant(kind)) || /events|live|message/.test(operation.path)) continue;
    const at = operation.parts.map(({ kind }) => theirs.ids[kind as keyof Ids]);
    const { status } = await answerTo(operation, theirs, at);
    if (status === 404) mute.push(nameOf(operation));
  }
  // Else the test above would say nothing of them.
  expect(mute).toEqual([]);
});

test('the MCP server answers its own tenant to the same messages', async () => {
  covers('mcp.isolation');
  const mcp = operations.find(({ path }) => path === '/mcp') ?? expect.fail('there is no /mcp');
  // The session of the estate is one of the console.
  for (const [name, body] of mcpBodies(ours.ids).filter(([, text]) => !text.includes('session_id'))) {
    const { status, text } = await answerTo(mcp, ours, [], body);
    expect(status, `${name}: ${text}`).toBe(200);
    expect(text, name).toContain('"result"');
    expect(text, name).not.toContain('"isError"');
  }
});
