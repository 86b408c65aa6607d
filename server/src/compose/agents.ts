import type { AgentDefinition, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import type { GuardMode } from '@ai-studio/contract/utilities/guard.ts';
import { piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AgentFileStore,
  type AgentRuns,
  createFileStore,
  createNodes,
  createRuns,
  keepAgentUpkeep,
  openAgentFile,
  openTools,
  type RunAllowance,
  type RunAsk,
  type RunFigures,
  type ServedTools,
  type ToolDeps,
} from '../agents/index.ts';
import { type ChatRouter, complete, type CompleteDeps, createPrepare } from '../chat/index.ts';
import type { Config } from '../config/index.ts';
import { personSubject } from '../conversations/index.ts';
import { type HttpOptions, tellFailure, toStudioError } from '../http/index.ts';
import { findKeyRecord, readGuard } from '../identity/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import type { TenantId } from '../kernel/context.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { parseDocument, ParseError } from '../parsing/index.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import type { RateLimiter, RateLimits } from '../ports/rate-limiter.ts';
import { type Guard, maskRequest, resolveGuard } from '../privacy/index.ts';
import { search } from '../retrieval/index.ts';
import type { UsageRow } from '../usage/index.ts';
import { openBlobs } from './storage.ts';

// The part of the composition that runs agents.

interface Deps {
  readonly db: Database;
  readonly bus: Bus;
  readonly catalogue: Catalogue;
  readonly router: ChatRouter;
  readonly limiter: RateLimiter;
  readonly meter: { record(row: UsageRow): void };
  readonly defaultLimits: RateLimits;
  /** What people of a tenant may use. */
  readonly allowanceOf: (tenantId: TenantId) => Promise<Omit<RunAllowance, 'subject'>>;
  readonly documents: HttpOptions['documents'];
  readonly retrieval: HttpOptions['retrieval']['retrieval'];
  readonly privacy: HttpOptions['privacy'];
  readonly guard: Guard;
  readonly served: ServedTools;
  /** Once it says so, runs wait for another process or the next start. */
  readonly stopping: AbortSignal;
  readonly log: Logger;
}

/** Agents of this process. */
export interface OpenAgents {
  readonly runs: AgentRuns;
  readonly figures: RunFigures;
  /** Files of messages. */
  readonly files: AgentFileStore;
  /** Begins to run what waits. */
  start(): Promise<void>;
  /** Safe to repeat. */
  close(): Promise<void>;
}

/** What the key or the person who pays for a run may use now. */
function createAllowance({ db, defaultLimits, allowanceOf }: Deps) {
  const refused = (message: string) => new StudioError('forbidden', message);

  async function ofKey(tenantId: TenantId, keyId: string): Promise<RunAllowance> {
    const key = await findKeyRecord({ db }, tenantId, keyId);
    if (key === null || !key.holderMayCall || (key.expiresAt !== null && key.expiresAt < Date.now()))
      throw refused('The API key of this run may not be used any more');
    return {
      subject: key.id,
      limits: {
        requestsPerMinute: key.limits.requestsPerMinute ?? defaultLimits.requestsPerMinute,
        tokensPerMinute: key.limits.tokensPerMinute ?? defaultLimits.tokensPerMinute,
      },
      models: key.allowedModels,
      guard: key.guard,
    };
  }

  const ofCaller = async ({ tenantId, keyId, userId }: Parameters<RunAsk['allowance']>[0]): Promise<RunAllowance> => {
    if (keyId !== null) return ofKey(tenantId, keyId);
    if (userId === null) throw refused('Nobody pays for this run');
    const { limits, models, guard } = await allowanceOf(tenantId);
    return { subject: personSubject({ tenantId, userId }), limits, models, guard };
  };

  return async (who: Parameters<RunAsk['allowance']>[0], own: readonly GuardMode[]): Promise<RunAllowance> => {
    const allowance = await ofCaller(who);
    if (own.length === 0) return allowance;
    const policy = await readGuard({ db }, who.tenantId);
    // A key whose mode is not the tenant's has one of its own.
    const mode = allowance.guard?.mode ?? 'off';
    return { ...allowance, guard: resolveGuard(policy, mode === policy.mode ? null : mode, ...own) };
  };
}

const guardOfRun = ({ definition: { limits } }: { readonly definition: AgentDefinition }): readonly GuardMode[] =>
  limits.guard === undefined ? [] : [limits.guard];

/** What hides the values of a trace whose models were not to see them. */
const createHiding =
  ({ db, guard }: Deps, allowance: ReturnType<typeof createAllowance>): Parameters<typeof createRuns>[0]['hiding'] =>
  async ({ guard: known, caller, row }) => {
    const own = guardOfRun(row);
    // Where no model was asked nobody has looked yet; for who may not call any more the policy of the tenant is left.
    const policy =
      known === undefined
        ? await allowance(caller, own).then(
            (one) => one.guard,
            async () => resolveGuard(await readGuard({ db }, caller.tenantId), ...own),
          )
        : known;
    if (policy === null || policy.mode === 'report') return null;
    return (text) => guard.hide(policy, text);
  };

/** What whoever sent a file can do; parsers say it for the others themselves. */
const advice: Partial<Record<ParseError['code'], string>> = {
  CORRUPTED: ' Open it in its program, save it anew and send that.',
  TIMEOUT: ' Split it and send a part.',
};

/** Why a file of a message cannot be read, in words for whoever sent it. */
function unreadable(error: unknown, name: string): unknown {
  if (!(error instanceof StudioError) || !(error.cause instanceof ParseError)) return error;
  const { code, message } = error.cause;
  const text = `The file ${JSON.stringify(name)} cannot be read: ${message}${advice[code] ?? ''}`;
  return new StudioError(error.code, text, { cause: error, reason: code.toLowerCase() });
}

/** Reads a file of a run with the document parser. */
function createReader({ documents }: Deps, blobs: ReturnType<typeof openBlobs>) {
  const deps = { ...documents, now: Date.now };
  return async (tenantId: TenantId, { id, name }: RunFile, signal: AbortSignal) => {
    const path = join(documents.folder, `agent-${hexId()}`);
    try {
      await openAgentFile({ blobs }, tenantId, id, path);
      const fields = { parser_type: 'auto', response_format: 'markdown' } as const;
      const { json, pages } = await parseDocument(deps, { tenantId, signal }, { path, name }, fields);
      const { contents } = JSON.parse(Buffer.from(json).toString('utf8')) as { readonly contents?: string };
      return { text: contents ?? '', pages };
    } catch (error) {
      throw unreadable(error, name);
    } finally {
      await rm(path, { force: true });
    }
  };
}

function createMask({ privacy }: Deps): Parameters<typeof createNodes>[0]['mask'] {
  return async (asker, text, types) => {
    if (text === '') return { text, found: 0 };
    const named =
      types === null || types.length === 0 ? ['ALL' as const] : piiTypes.filter((one) => types.includes(one));
    const request = { text, pii_types: named.length === 0 ? ['ALL' as const] : named, return_original: false };
    const { result } = await maskRequest(privacy, { ...asker, allowedModels: null }, request);
    return 'masked_text' in result
      ? { text: result.masked_text, found: result.detected_pii_count }
      : { text: '', found: 0 };
  };
}

/** Longest words about a failure: tools may fail with pages. */
const MAX_MESSAGE_LENGTH = 2_000;
const shortened = (message: string) =>
  message.length <= MAX_MESSAGE_LENGTH ? message : `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}…`;

/** What callers of a run are told of a failure. */
function failureOf(log: Logger) {
  return (error: unknown, node: AgentNodeForm | null) => {
    const { code, message } = toStudioError(error);
    if (code === 'internal') log.error({ err: error, node: node?.id }, 'a node of an agent failed');
    const name = node === null ? '' : `${node.name || node.id}: `;
    return { code, message: shortened(`${name}${message}`), node: node?.id ?? null };
  };
}

/** Opens what runs agents. */
export function openAgents(config: Config, deps: Deps): OpenAgents {
  const { db, bus, catalogue, router, log, retrieval } = deps;
  const blobs = openBlobs(config);
  const pipeline: CompleteDeps = { router, memory: new Map(), now: Date.now };
  const readDocument = createReader(deps, blobs);
  const tools: ToolDeps = {
    retrieval,
    served: deps.served,
    readDocument: ({ tenantId }, file, signal) => readDocument(tenantId, file, signal),
    timeZone: config.agents.time_zone,
    now: Date.now,
    log,
  };
  const allowance = createAllowance(deps);
  const scopes = createNodes(
    {
      db,
      models: {
        catalogue,
        prepare: createPrepare({ catalogue, maxJsonBytes: config.server.json_bytes }),
        complete: (...call) => complete(pipeline, ...call),
        privacy: deps.guard,
        limiter: deps.limiter,
        meter: deps.meter,
        allowance,
        statusOf: (error) => tellFailure(error).status,
        now: Date.now,
      },
      search: (caller, request) => search(retrieval, caller, request),
      readDocument,
      mask: createMask(deps),
      openTools: (caller, choices, how) => openTools(tools, caller, choices, how),
      log,
    },
    failureOf(log),
  );
  const runs = createRuns({
    db,
    bus,
    scopes,
    hiding: createHiding(deps, allowance),
    log,
    size: config.agents.runs_at_once,
    messageHours: config.agents.message_hours,
  });
  let stopUpkeep: () => Promise<void> = () => Promise.resolve();
  return {
    runs,
    figures: runs.figures,
    files: createFileStore({ db, blobs, maxBytes: config.documents.upload_bytes }),
    async start() {
      await runs.open();
      deps.stopping.addEventListener('abort', () => void runs.close(), { once: true });
      stopUpkeep = keepAgentUpkeep({ db, blobs, log });
    },
    async close() {
      await runs.close();
      await stopUpkeep();
      await blobs.close();
    },
  };
}
