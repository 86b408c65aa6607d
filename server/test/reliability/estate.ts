import { createHash } from 'node:crypto';
import type { Role } from '@ai-studio/contract/console/roles.ts';
import { keyScopes } from '@ai-studio/contract/console/keys.ts';
import { expect } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import type { Answer, ConsoleHouse } from '../support/console.ts';
import { chatLines, endedBatch, startBatch } from '../support/batches.ts';
import { eventually } from '../support/eventually.ts';
import { call, jsonOf, type Caller } from '../support/http.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { formOf, RAG, sendForm, settled } from '../support/retrieval.ts';

/** What has ids that callers give. */
export const kinds = [
  'tenant',
  'person',
  'session',
  'passkey',
  'key',
  'collection',
  'document',
  'chunk',
  'question',
  'evaluation',
  'extraction',
  'connector',
  'conversation',
  'message',
  'picture',
  'share',
  'folder',
  'prompt',
  'parse',
  'parserDocument',
  'agent',
  'slug',
  'version',
  'review',
  'run',
  'agentSession',
  'task',
  'chatRun',
  'chatSession',
  'chatFile',
  'file',
  'toolServer',
  'privacySession',
  'response',
  'storedFile',
  'batch',
  'responseConversation',
  'conversationItem',
] as const;
export type Kind = (typeof kinds)[number];
export type Ids = Readonly<Record<Kind, string>>;

/** A tenant that has one of everything. */
export interface Estate {
  readonly tenantId: TenantId;
  readonly chief: SignedInBrowser;
  readonly people: Readonly<Record<Role, SignedInBrowser>>;
  /** A key of the chief's with every scope. */
  readonly caller: Caller;
  readonly ids: Ids;
}

/** Nothing is configured that could be asked: a server of tools that refuses connections at once. */
const TOOL_SERVER = 'http://127.0.0.1:9/mcp';
/** Environment of a house in which estates are made. */
export const estateEnv = {
  STUDIO_DOCUMENTS_PROCESSES: '1',
  STUDIO_LIMITS_REQUESTS_PER_MINUTE: 'null',
  STUDIO_LIMITS_TOKENS_PER_MINUTE: 'null',
  STUDIO_NETWORK_ALLOW: '["127.0.0.1"]',
};

const made = <T>(answer: Answer): T => {
  expect([200, 201], answer.text).toContain(answer.status);
  return answer.json<T>();
};

/** A point. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const OCTETS = { 'content-type': 'application/octet-stream' };

const echo = {
  schema: 1,
  nodes: [
    { kind: 'input', id: 'input', files: true },
    { kind: 'answer', id: 'answer', text: 'You said: {{input.text}}' },
  ],
  edges: [{ from: 'input', to: 'answer' }],
};

async function makeKey(chief: SignedInBrowser, base: string) {
  const limits = { requests_per_minute: null, tokens_per_minute: null, tool_stream: null, expires_at: null };
  const body = { name: 'Every scope', scopes: keyScopes, allowed_models: null, ...limits };
  const { key, value } = made<{ key: { id: string }; value: string }>(await chief.post('/keys', body));
  return { key: key.id, caller: { base, key: value } };
}

/** Nobody can make a passkey without a device. */
async function makePasskey({ db }: ConsoleHouse, { userId }: SignedInBrowser): Promise<string> {
  const id = hexId();
  const public_key = Buffer.from('x');
  await db.query
    .insertInto('passkeys')
    .values({ id, user_id: userId, credential_id: hexId(), public_key, counter: 0, transports: [], name: 'Mine' })
    .execute();
  return id;
}

async function makeDocument(chief: SignedInBrowser, caller: Caller, embedder: string | undefined) {
  const { collection_id: collection } = made<{ collection_id: string }>(
    await chief.post('/collections', {
      collection_name: 'Rules',
      visibility: 'tenant',
      ...(embedder === undefined ? {} : { ingest_config: { embedding_model: embedder } }),
    }),
  );
  const form = formOf('rules.md', '# Leave\n\nEverybody has 25 days.\n');
  const { document_id: document } = (await sendForm(caller, `collections/${collection}/documents/upload`, form)).result;
  const parsing = await sendForm(caller, '/v1/document/parse/async', formOf('rules.md', '# Leave\n\nDays.\n'));
  const { document_id: parse } = parsing.result;
  expect((await settled(caller, document)).state).toBe('ready');
  const chunks = jsonOf<{ result: { items: { chunk_id: string }[] } }>(
    await call(caller, `${RAG}/documents/${document}/chunks`),
  );
  await eventually(async () =>
    expect((await call(caller, `/v1/document/${parse}/content`)).status, 'the document is read').toBe(200),
  );
  return { collection, document, chunk: chunks.result.items[0]?.chunk_id ?? '', parse };
}

async function makeEvaluation(chief: SignedInBrowser, collection: string, document: string) {
  const root = `/collections/${collection}/evaluation`;
  made(await chief.post(`${root}/questions`, { items: [{ question: 'How many days?', expected: [document] }] }));
  const { items } = made<{ items: { id: string }[] }>(await chief.get(`${root}/questions`));
  const search = { mode: 'keyword', alpha: null, fusion: 'weighted', rerank: false };
  const run = made<{ id: string }>(await chief.post(`${root}/runs`, { settings: [{ name: 'words', search }] }));
  return { question: String(items[0]?.id), evaluation: run.id };
}

async function makeExtraction(chief: SignedInBrowser, collection: string): Promise<string> {
  const schema = { type: 'object', properties: { days: { type: 'integer' } } };
  const begun = await chief.post(`/collections/${collection}/extractions`, { schema });
  return made<{ extraction_id: string }>(begun).extraction_id;
}

/** A source that nobody can reach, which rests. */
async function makeConnector(chief: SignedInBrowser, collection: string): Promise<string> {
  const settings = { kind: 'webdav', url: 'http://127.0.0.1:9/dav/' };
  const answer = await chief.post(`/collections/${collection}/connectors`, { name: 'Source', settings });
  return made<{ connector_id: string }>(answer).connector_id;
}

async function makeParse(chief: SignedInBrowser): Promise<string> {
  const { id } = made<{ id: string }>(await chief.send('POST', '/parser?name=a.md&size=3', '# A', OCTETS));
  await eventually(async () =>
    expect((await chief.get(`/parser/${id}`)).json<{ state: string }>().state, 'the document is read').toBe('done'),
  );
  return id;
}

async function makeConversation(chief: SignedInBrowser) {
  const { id } = made<{ id: string }>(await chief.post('/conversations', { model: 'CORE-GOV' }));
  expect((await chief.post(`/conversations/${id}/turns`, { content: '6 * 7?' })).status).toBe(200);
  const message = await eventually(async () => {
    const { messages } = (await chief.get(`/conversations/${id}`)).json<{
      messages: { id: string; state: string }[];
    }>();
    expect(messages[1]?.state).toBe('done');
    return messages[0]?.id ?? '';
  });
  const at = `/conversation-files?name=a.png&size=${PNG.length}`;
  const picture = made<{ id: string }>(await chief.send('POST', at, PNG, OCTETS));
  const share = made<{ id: string }>(await chief.post(`/conversations/${id}/shares`));
  return { conversation: id, message, picture: picture.id, share: share.id };
}

interface Agent {
  readonly id: string;
  readonly slug: string;
  readonly revision: number;
  readonly review: { readonly id: string; readonly version_id: string; readonly hash: string } | null;
}

async function runOf(chief: SignedInBrowser, root: string, body: object) {
  const said = await chief.post(`${root}/runs`, body);
  const [, first] = /^data: (.*)$/m.exec(said.text) ?? [];
  expect(first, said.text).toBeDefined();
  return (JSON.parse(first ?? '') as { run: { id: string; session_id: number } }).run;
}

/** An agent that is deployed, with a further version under review, and a run with a file, and a chat. */
async function makeAgent(chief: SignedInBrowser, developer: SignedInBrowser) {
  const begun = made<Agent>(await developer.post('/agents', { name: 'Echo', definition: echo }));
  const root = `/agents/${begun.id}`;
  const { review } = made<Agent>(await developer.post(`${root}/submit`, { revision: begun.revision }));
  const agreed = { review_id: review?.id, hash: review?.hash };
  const deployed = made<Agent>(await chief.post(`${root}/approve`, agreed));
  const file = made<{ id: string }>(await chief.send('POST', `${root}/files?name=a.md&size=3`, '# A', OCTETS));
  const run = await runOf(chief, root, { text: 'Hello', what: 'draft', files: [file.id] });
  const chatRoot = `/deployed-agents/${deployed.slug}`;
  const chatFile = made<{ id: string }>(await chief.send('POST', `${chatRoot}/files?name=a.md&size=3`, '# A', OCTETS));
  const chat = await runOf(chief, chatRoot, { text: 'Hello', files: [chatFile.id] });
  const again = await developer.post(`${root}/submit`, { revision: deployed.revision });
  const next = again.status === 200 ? again.json<Agent>().review : review;
  return {
    agent: begun.id,
    slug: deployed.slug,
    version: review?.version_id ?? '',
    review: next?.id ?? '',
    run: run.id,
    agentSession: String(run.session_id),
    chatRun: chat.id,
    chatSession: String(chat.session_id),
    chatFile: chatFile.id,
    file: file.id,
  };
}

/** A run that a program began over A2A. */
async function makeTask(caller: Caller, slug: string): Promise<string> {
  const message = { role: 'ROLE_USER', messageId: 'task of the estate', parts: [{ text: 'Hello' }] };
  const reply = await call(caller, `/v1/external/agents/${slug}/a2a/v1/message:send`, { body: { message } });
  return jsonOf<{ task: { id: string } }>(reply).task.id;
}

async function maskedSession(caller: Caller): Promise<string> {
  const body = { text: 'mail hong@example.kr', reversible: true };
  const reply = await call(caller, '/v1/text/pii-mask', { body });
  return jsonOf<{ result: { session_id: string } }>(reply).result.session_id;
}

async function keptResponse(caller: Caller): Promise<string> {
  const reply = await call(caller, '/v1/responses', { body: { model: 'CORE-GOV', input: '6 * 7?' } });
  return jsonOf<{ id: string }>(reply).id;
}

/** A file, and a batch that has ended. */
async function makeBatch(caller: Caller) {
  const { id: batch, input_file_id: storedFile } = await startBatch(caller, chatLines(1));
  expect((await endedBatch(caller, batch)).status).toBe('completed');
  return { storedFile, batch };
}

async function keptConversation(caller: Caller): Promise<Pick<Ids, 'responseConversation' | 'conversationItem'>> {
  const made = await call(caller, '/v1/conversations', {
    body: { items: [{ role: 'user', content: '6 * 7?', type: 'message' }] },
  });
  const { id } = jsonOf<{ id: string }>(made);
  const { data } = jsonOf<{ data: { id: string }[] }>(await call(caller, `/v1/conversations/${id}/items`));
  return { responseConversation: id, conversationItem: data[0]?.id ?? '' };
}

/** Makes a tenant with one of everything, as people and callers would. `mark` stands in its name. */
/** `embedder` is that of its collection; without it the one of the service. */
export async function makeEstate(house: ConsoleHouse, mark: string, embedder?: string): Promise<Estate> {
  const tenantId = await makeTenant(house, mark);
  const chief = await personOf(house, tenantId, 'administrator', `${mark} chief`);
  const developer = await personOf(house, tenantId, 'developer', `${mark} developer`);
  const user = await personOf(house, tenantId, 'user', `${mark} user`);
  const { key, caller } = await makeKey(chief, house.base);
  const documents = await makeDocument(chief, caller, embedder);
  const sessions = made<{ items: { id: string }[] }>(await chief.get('/me/sessions'));
  const server = { name: 'Tools', kind: 'mcp', url: TOOL_SERVER };
  const agent = await makeAgent(chief, developer);
  const ids = {
    ...documents,
    ...(await makeEvaluation(chief, documents.collection, documents.document)),
    extraction: await makeExtraction(chief, documents.collection),
    connector: await makeConnector(chief, documents.collection),
    ...(await makeConversation(chief)),
    folder: made<{ id: string }>(await chief.post('/conversation-folders', { name: 'Folder' })).id,
    prompt: made<{ id: string }>(await chief.post('/prompts', { name: 'Prompt', content: '{{name}}' })).id,
    ...agent,
    task: await makeTask(caller, agent.slug),
    parserDocument: await makeParse(chief),
    tenant: tenantId,
    person: user.userId,
    session: sessions.items[0]?.id ?? '',
    passkey: await makePasskey(house, chief),
    key,
    toolServer: made<{ id: string }>(await chief.post('/agent-servers', server)).id,
    privacySession: await maskedSession(caller),
    response: await keptResponse(caller),
    ...(await makeBatch(caller)),
    ...(await keptConversation(caller)),
  } satisfies Ids;
  expect(Object.entries(ids).filter(([, id]) => id === '' || id === 'undefined')).toEqual([]);
  return { tenantId, chief, people: { administrator: chief, developer, user }, caller, ids };
}

/** An id of the kind's form that nothing has. */
export function idOfNothing(kind: Kind, seed = 'nothing'): string {
  const digits = createHash('sha256').update(`${seed} ${kind}`).digest('hex');
  if (kind === 'agentSession' || kind === 'chatSession') return '999999999';
  if (kind === 'response') return `resp_${digits.slice(0, 32)}`;
  if (kind === 'storedFile') return `file-${digits.slice(0, 32)}`;
  if (kind === 'batch') return `batch_${digits.slice(0, 32)}`;
  if (kind === 'responseConversation') return `conv_${digits.slice(0, 32)}`;
  if (kind === 'conversationItem') return `msg_${digits.slice(0, 32)}`;
  return kind === 'slug' ? digits.slice(0, 22) : digits.slice(0, 32);
}
