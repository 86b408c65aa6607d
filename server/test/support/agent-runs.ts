import { openTestChat } from './inference.ts';
import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { RunEvent, RunFile } from '@ai-studio/contract/agents/run.ts';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createMemoryRateLimiter } from '../../src/adapters/embedded/memory-rate-limiter.ts';
import { createBuiltinEngine } from '../../src/adapters/engines/builtin/index.ts';
import { createPostgresBus } from '../../src/adapters/postgres/index.ts';
import { type AgentRuns, createNodes, createRunFiles, createRuns } from '../../src/agents/index.ts';
import type { NodeDeps } from '../../src/agents/nodes/node.ts';
import type { RunRequest } from '../../src/agents/runs/types.ts';
import type { Tool, ToolResult } from '../../src/agents/tools/index.ts';
import { createRouter } from '../../src/inference/index.ts';
import { noRights, type Principal } from '../../src/kernel/actor.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { StudioError } from '../../src/kernel/errors.ts';
import { hexId } from '../../src/kernel/ids.ts';
import { toJsonText } from '../../src/kernel/json-text.ts';
import { createCatalogue } from '../../src/models/catalogue.ts';
import type { Database } from '../../src/ports/database.ts';
import { type ChatCall, type ChatSink, type Engine, EngineError } from '../../src/ports/engine.ts';
import type { UsageRow } from '../../src/usage/index.ts';
import { createMemoryBlobs } from './memory-blobs.ts';
import { type FreshDatabase, freshDatabase, silent } from './postgres.ts';
import { unlimited } from '../../src/kernel/rate-limits.ts';

// Runs of agents on real parts, but for an engine whose words the test gives, and tools, documents and passages of the test's own.

/** One call of the scripted engine, as the test answers it. */
export interface ScriptedCall {
  readonly call: ChatCall;
  readonly aborted: () => boolean;
  say(text: string): void;
  /** Asks for a tool. */
  tool(name: string, args: object, id?: string): void;
  /** `length`: where its tokens were used up. */
  end(reason?: 'length'): void;
  fails(): void;
  /** Takes no more calls for now. */
  refuses(): void;
}

/** An engine whose words the test gives. */
function scriptedEngine() {
  const calls: ScriptedCall[] = [];
  const waiting: ((call: ScriptedCall) => void)[] = [];
  let onCall: ((call: ScriptedCall) => void) | null = null;
  const engine: Engine = {
    id: 'script',
    kind: 'builtin',
    traits: { choices: true, reportsStop: true },
    chat(call: ChatCall, sink: ChatSink) {
      let aborted = false;
      let tools = 0;
      const one: ScriptedCall = {
        call,
        aborted: () => aborted,
        say: (text) => aborted || sink({ type: 'text', choice: 0, channel: 'content', json: toJsonText(text) }),
        tool(name, args, id = `call_${tools}`) {
          sink({ type: 'tool_call', choice: 0, call: tools, id, name });
          sink({ type: 'tool_arguments', choice: 0, call: tools, json: toJsonText(JSON.stringify(args)) });
          tools++;
        },
        end(reason) {
          if (aborted) return;
          sink({ type: 'finish', choice: 0, reason: reason ?? (tools > 0 ? 'tool_calls' : 'stop'), stop: null });
          const usage = { promptTokens: 7, completionTokens: 3, reasoningTokens: null, promptTokensDetails: null };
          sink({ type: 'usage', usage });
          sink({ type: 'end', systemFingerprint: null });
        },
        fails: () =>
          sink({ type: 'error', error: new EngineError('refused', 'no', { detail: 'It does not like it' }) }),
        refuses: () => sink({ type: 'error', error: new EngineError('unavailable', 'full', { busy: true }) }),
      };
      setImmediate(() => {
        if (aborted) return;
        calls.push(one);
        if (onCall !== null) return onCall(one);
        waiting.shift()?.(one);
      });
      return { abort: () => void (aborted = true), pause: () => undefined, resume: () => undefined };
    },
    health: () => Promise.resolve({ ok: true, reason: null }),
    models: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  let taken = 0;
  return {
    engine,
    calls,
    /** The next call, once it is there. */
    async next(): Promise<ScriptedCall> {
      const there = calls[taken++];
      return there ?? new Promise((resolve) => waiting.push(resolve));
    },
    /** From now on calls are answered by this. */
    answerBy(answer: (call: ScriptedCall) => void): void {
      onCall = answer;
    },
  };
}

/** A tool of the test. */
export const scriptedTool = (name: string, call: Tool['call']): Tool => ({
  name,
  description: name,
  parameters: { type: 'object' },
  call,
});

export const toolSays = (text: string): ToolResult => ({ text, result: { text }, failed: false });

/** A process that runs agents. */
export interface AgentHouse {
  readonly runs: AgentRuns;
  readonly script: ReturnType<typeof scriptedEngine>;
  readonly usage: UsageRow[];
  /** What nodes work with; may be changed at any time. */
  readonly deps: { -readonly [K in keyof NodeDeps]: NodeDeps[K] };
  readonly agentId: string;
  readonly actor: Principal;
  order(definition: AgentDefinition, text: string, more?: Partial<RunRequest>): RunRequest;
  /** All events to the end. */
  events(runId: string, after?: number): Promise<RunEvent[]>;
  close(): Promise<void>;
}

/** For all events of a run: far beyond what they take on a machine that has other work. */
const WAIT_MS = 150_000;
const timeouts = { connect_ms: 5000, first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 };

export const aTenant = 'agents-tenant' as TenantId;

/** An agent that runs belong to, and its tenant. Returns the agent's id. */
export async function insertAgent(db: Database, slug = `a-${hexId()}`): Promise<string> {
  await db.query
    .insertInto('tenants')
    .values({ id: aTenant, name: aTenant })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const id = hexId();
  await db.query
    .insertInto('agents')
    .values({ id, tenant_id: aTenant, slug, name: slug, draft: '{}', created_by: 'ada' })
    .execute();
  return id;
}

/** Deploys a version of an agent, which was approved. Returns the agent's id. */
export async function deployAgent(db: Database, slug: string, definition: object, agentId?: string): Promise<string> {
  const id = agentId ?? (await insertAgent(db, slug));
  const version = hexId();
  await db.query
    .insertInto('agent_versions')
    .values({
      id: version,
      agent_id: id,
      tenant_id: aTenant,
      number: 1,
      definition: JSON.stringify(definition),
      hash: 'h',
      created_by: 'ada',
      approved_at: new Date(),
    })
    .execute();
  await db.query.updateTable('agents').set({ deployed_version_id: version }).where('id', '=', id).execute();
  return id;
}

interface HouseOptions {
  readonly size?: number;
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
  readonly leaseSeconds?: number;
  /** What hides the values of a trace; nothing by default. */
  readonly traceRedaction?: Parameters<typeof createRuns>[0]['traceRedaction'];
  readonly onKeyRefused?: Parameters<typeof createRuns>[0]['onKeyRefused'];
  /** Database of the bus, where it is another. */
  readonly busBy?: Database;
}

/** Opens a process that runs agents. Several may share a database. */
export async function openAgentHouse(
  db: Database,
  agentId: string,
  { busBy = db, ...more }: HouseOptions = {},
): Promise<AgentHouse> {
  const script = scriptedEngine();
  const usage: UsageRow[] = [];
  const bus = createPostgresBus(busBy);
  const limiter = createMemoryRateLimiter(Date.now);
  const catalogue = createCatalogue({
    models: {
      script: { engines: [{ engine: 'script' }], reasoning: { default: 'none', keys: [], format: 'field' } },
      brief: {
        engines: [{ engine: 'script' }],
        context_length: 8_192,
        reasoning: { default: 'none', keys: [], format: 'field' },
      },
      other: { engines: [{ engine: 'script' }], reasoning: { default: 'none', keys: [], format: 'field' } },
    },
  });
  const engines = new Map([createBuiltinEngine(), script.engine].map((engine) => [engine.id, [{ engine, weight: 1 }]]));
  const router = createRouter({ engines, limits: timeouts, log: silent });
  const unused = () => Promise.reject(new StudioError('not_found', 'The test has none'));
  const deps: AgentHouse['deps'] = {
    db,
    models: {
      catalogue,
      openChat: openTestChat({ catalogue, router, limiter, record: (row) => void usage.push(row) }),
      actorOf: ({ tenantId }) =>
        Promise.resolve({
          tenantId,
          keyId: null,
          userId: 'ada',
          rights: noRights,
          limits: unlimited,
          allowedModels: new Set(['script', 'brief', 'builtin']),
          guard: null,
        }),
      now: Date.now,
    },
    search: unused,
    readDocument: unused,
    makeDocument: unused,
    mask: (_actor, { text }) => Promise.resolve({ text: text.replaceAll(/\d/g, '*'), found: /\d/.test(text) ? 1 : 0 }),
    openTools: unused,
    files: createRunFiles({ db, blobs: createMemoryBlobs() }),
    log: silent,
  };
  // As they are when they are called: tests change them.
  const now: NodeDeps = {
    ...deps,
    search: (...call) => deps.search(...call),
    readDocument: (...call) => deps.readDocument(...call),
    mask: (...call) => deps.mask(...call),
    openTools: (...call) => deps.openTools(...call),
  };
  const scopes = createNodes(now, (error, node) => ({
    code: error instanceof StudioError ? error.code : error instanceof EngineError ? error.kind : 'internal',
    message: error instanceof Error ? error.message : String(error),
    node: node?.id ?? null,
  }));
  const pace = { size: 300, messageHours: 24, pollMs: 200, heartbeatMs: 200 };
  const runs = createRuns({
    db,
    bus,
    onKeyRefused: () => () => undefined,
    scopes,
    traceRedaction: () => Promise.resolve(null),
    log: silent,
    ...pace,
    ...more,
  });
  await runs.open();
  const actor = { tenantId: aTenant, keyId: null, userId: 'ada' };
  return {
    runs,
    script,
    usage,
    deps,
    agentId,
    actor,
    order: (definition, text, rest = {}) => ({
      agentId,
      versionId: null,
      definition,
      sessionType: 'api',
      message: null,
      input: { text, files: [] as RunFile[], data: null },
      ...rest,
    }),
    async events(runId, after = 0) {
      const all: RunEvent[] = [];
      for await (const event of runs.follow(runId, after, AbortSignal.timeout(WAIT_MS))) all.push(event);
      return all;
    },
    async close() {
      await runs.close();
      await bus.close();
      router.close();
      await limiter.close();
    },
  };
}

type Loose = { readonly id: string; readonly kind: string } & Readonly<Record<string, unknown>>;

/** A definition of few words: edges as `a>b`, of a condition `a:branch>b`. */
export const definitionOf = (nodes: readonly Loose[], edges: readonly string[], limits?: object): AgentDefinition =>
  AgentDefinition.parse({
    schema: 1,
    nodes,
    edges: edges.map((edge) => {
      const [left = '', to = ''] = edge.split('>');
      const [from = '', branch] = left.split(':');
      return { from, to, ...(branch === undefined ? {} : { branch }) };
    }),
    ...(limits === undefined ? {} : { limits: { seconds: 600, tokens: 200_000, ...limits } }),
  });

/** All pieces of the answer, joined. */
export const answerOf = (events: readonly RunEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

/** A database for the tests of a file, and in each test a process that runs an agent of its own. */
export interface EachAgentHouse {
  readonly db: Database;
  /** May be exchanged by a test; the last one is closed. */
  house: AgentHouse;
}

/** Opens them before, and closes them after. To be called at the top of a file; what it returns is there within tests. */
export function usesAgentHouse(): EachAgentHouse {
  let fresh: FreshDatabase;
  const each = {
    get db() {
      return fresh.db;
    },
  } as EachAgentHouse;
  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  beforeEach(async () => {
    each.house = await openAgentHouse(fresh.db, await insertAgent(fresh.db));
  });
  afterEach(async () => {
    await each.house.close();
    // What a test that failed left is not taken up by the next.
    await fresh.db.query.deleteFrom('agent_sessions').execute();
  });
  afterAll(() => fresh.close());
  return each;
}
