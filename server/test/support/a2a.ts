import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { AgentDefinition as Definition } from '@ai-studio/contract/agents/definition.ts';
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { findRunningPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../src/adapters/postgres/index.ts';
import { hexId } from '../../src/kernel/ids.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import type { Database } from '../../src/ports/database.ts';
import { type CallOptions, call, jsonOf, type Reply, send } from './http.ts';
import { inTime } from './in-time.ts';
import { silent } from './postgres.ts';
import type { Service } from './service.ts';

// Agents that are called over A2A. They are put into the database as an approved version is; how they come there has tests of its own.

/** The database of a running service. */
export async function databaseOf(service: Service): Promise<Database> {
  const connection = findRunningPostgres(service.dataFolder);
  if (connection === null) throw new Error('the database is not running');
  return openDatabase({ connection, log: silent, poolSize: 2 });
}

/** The first tenant, whose key the service began with. */
export async function firstTenant(db: Database): Promise<TenantId> {
  const { id } = await db.query.selectFrom('tenants').select('id').orderBy('created_at').executeTakeFirstOrThrow();
  return id;
}

interface AgentOptions {
  readonly name?: string;
  readonly description?: string;
  /** False: it stays a draft. */
  readonly deployed?: boolean;
}

/** An agent of these nodes and edges; its slug. */
export async function makeAgent(
  db: Database,
  tenantId: TenantId,
  definition: AgentDefinition,
  { name = 'Helper', description = '', deployed = true }: AgentOptions = {},
): Promise<{ readonly id: string; readonly slug: string }> {
  const [id, versionId, slug] = [hexId(), hexId(), randomBytes(16).toString('base64url')];
  const text = JSON.stringify(definition);
  const by = 'somebody';
  await db.transaction(async (tx) => {
    await tx
      .insertInto('agents')
      .values({ id, tenant_id: tenantId, slug, name, description, draft: text, created_by: by })
      .execute();
    if (!deployed) return;
    await tx
      .insertInto('agent_versions')
      .values({
        id: versionId,
        agent_id: id,
        tenant_id: tenantId,
        number: 1,
        definition: text,
        hash: 'x',
        approved_at: new Date(),
        created_by: by,
      })
      .execute();
    await tx.updateTable('agents').set({ deployed_version_id: versionId }).where('id', '=', id).execute();
  });
  return { id, slug };
}

/** Nodes one after the other. */
export const chain = (...nodes: readonly (Record<string, unknown> & { readonly id: string })[]): AgentDefinition =>
  Definition.parse({
    schema: 1,
    nodes,
    edges: nodes.slice(1).map(({ id }, index) => ({ from: nodes[index]?.id, to: id })),
  });

const input = { id: 'input', kind: 'input', examples: ['What is A2A?'], greeting: 'Ask me.' };
/** Answers what a model says. */
export const plainAgent = (model = 'CORE-GOV'): AgentDefinition =>
  chain(input, { id: 'model', kind: 'model', model }, { id: 'answer', kind: 'answer', text: '{{model.text}}' });
/** Says what it was told. */
export const echoAgent = chain(input, { id: 'answer', kind: 'answer', text: 'You said: {{input.text}}' });
/** Asks back, then says what it was told. */
export const askingAgent = chain(
  input,
  { id: 'ask', kind: 'ask', question: 'Which colour?' },
  { id: 'answer', kind: 'answer', text: '{{input.text}} in {{ask.text}}' },
);
/** Reads a document. */
export const readingAgent = chain(
  { ...input, files: true },
  { id: 'parse', kind: 'parse_document' },
  { id: 'answer', kind: 'answer', text: '{{parse.text}}' },
);

export const pathOf = (slug: string, prefix = '/api/v1') => `${prefix}/external/agents/${slug}/a2a`;

let messages = 0;
/** A message with an id of its own. */
export const message = (text: string, fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  kind: 'message',
  role: 'user',
  messageId: `m-${(messages += 1)}-${hexId()}`,
  parts: [{ kind: 'text', text }],
  ...fields,
});

/** A request body. */
export const rpc = (method: string, params: unknown, id: string | number = 1): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: { readonly detail: string } & readonly {
    readonly reason: string;
    readonly metadata: Record<string, string>;
  }[];
}
export interface RpcReply<T> {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result: T;
  readonly error?: RpcError;
}
export interface Task {
  readonly kind?: string;
  readonly id: string;
  readonly contextId: string;
  readonly status: {
    readonly state: string;
    readonly timestamp: string;
    readonly message?: { readonly messageId: string; readonly parts: readonly { readonly text: string }[] };
  };
  readonly artifacts: readonly { readonly artifactId: string; readonly parts: readonly { readonly text: string }[] }[];
  readonly history?: readonly { readonly messageId: string; readonly parts: readonly { readonly text?: string }[] }[];
  readonly metadata: { readonly chat_session_id: number; readonly citations?: unknown };
}

/** A call that must succeed. */
export async function ask<T = Task>(
  service: Service,
  slug: string,
  method: string,
  params: unknown,
  options: CallOptions = {},
): Promise<T> {
  const reply = await call(service, pathOf(slug), { body: rpc(method, params), ...options });
  expect(reply.status, reply.text).toBe(200);
  const body = jsonOf<RpcReply<T>>(reply);
  expect(body.error, reply.text).toBeUndefined();
  return body.result;
}

/** A reply that must be a failure of this status and code. */
export function refused(reply: Reply, status: number, code: number, id: string | number | null = 1): RpcError {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
  expect(reply.headers.get('x-request-id')).toBeTruthy();
  const body = jsonOf<RpcReply<unknown>>(reply);
  expect(Object.keys(body)).toEqual(['jsonrpc', 'id', 'error']);
  expect(body.id).toBe(id);
  const { error } = body;
  if (error === undefined) throw new Error('no error');
  expect(error.code, reply.text).toBe(code);
  expect(error.message).toBeTruthy();
  expect(JSON.stringify(error)).not.toMatch(/node_modules|127\.0\.0\.1|ECONN|undefined|\\n\s+at /);
  return error;
}

/** One event of a stream: its event id, and what came. */
export interface StreamEvent {
  readonly event: string | null;
  readonly id: string | number;
  readonly result: {
    readonly kind?: string;
    readonly taskId: string;
    readonly contextId: string;
    readonly final?: boolean;
    readonly status: {
      readonly state: string;
      readonly timestamp: string;
      readonly message: {
        readonly messageId: string;
        readonly role: string;
        readonly parts: readonly { readonly text: string }[];
      };
    };
    readonly metadata?: { readonly chat_session_id: number; readonly error?: { readonly message: string } };
    readonly statusUpdate?: StreamEvent['result'];
    readonly task?: Task;
  };
  readonly error?: RpcError;
}

/** Takes server-sent events apart. */
export const parseEvents = (text: string): StreamEvent[] =>
  text
    .split('\n\n')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .map((part) => {
      const lines = part.split('\n');
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6) ?? '';
      const event = lines.find((line) => line.startsWith('id: '))?.slice(4) ?? null;
      return { event, ...(JSON.parse(data) as object) } as StreamEvent;
    });

/** Joins fragments as a simple reader does. */
export const textOf = (events: readonly StreamEvent[]): string =>
  events
    .map(({ result }) => (result.statusUpdate ?? result).status?.message.parts.map(({ text }) => text).join('') ?? '')
    .join('');

/** A stream read to its end. */
export async function stream(
  service: Service,
  slug: string,
  method: string,
  params: unknown,
  options: CallOptions = {},
): Promise<{ readonly text: string; readonly events: StreamEvent[]; readonly headers: Headers }> {
  const response = await send(service, pathOf(slug), { body: rpc(method, params), ...options });
  const text = await inTime(`the stream of ${method} ${JSON.stringify(params).slice(0, 200)}`, response.text());
  expect(response.status, text).toBe(200);
  return { text, events: parseEvents(text), headers: response.headers };
}

/** Reads a stream until what came satisfies, then leaves. */
export async function streamUntil(
  service: Service,
  slug: string,
  method: string,
  params: unknown,
  enough: (events: readonly StreamEvent[]) => boolean,
): Promise<StreamEvent[]> {
  const response = await send(service, pathOf(slug), { body: rpc(method, params) });
  expect(response.status).toBe(200);
  const decoder = new TextDecoder();
  let text = '';
  if (response.body !== null)
    for await (const bytes of response.body) {
      text += decoder.decode(bytes, { stream: true });
      const whole = text.slice(0, text.lastIndexOf('\n\n') + 2);
      const events = parseEvents(whole);
      // Whoever reads no further ends the connection.
      if (enough(events)) return events;
    }
  throw new Error(`the stream ended before:\n${text}`);
}
