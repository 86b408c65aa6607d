import type { AgentDefinition, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import type { RunFile } from '@ai-studio/contract/agents/run.ts';
import type { GuardMode } from '@ai-studio/contract/utilities/guard.ts';
import { piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ParseError } from '@ai-studio/documents';
import {
  type AgentFileStore,
  type AgentRuns,
  createFileStore,
  createNodes,
  createRuns,
  keepAgentUpkeep,
  openAgentFile,
  openTools,
  createRunActor,
  type RunActor,
  type RunFigures,
  type ServedTools,
  type ToolDeps,
} from '../agents/index.ts';
import type { Config } from '../config/index.ts';
import type { HttpOptions } from '../http/index.ts';
import { readGuard } from '../identity/index.ts';
import type { OpenChat } from '../inference/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { hexId } from '../kernel/ids.ts';
import { unlimitedActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import type { Logger } from '../kernel/log.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { parseDocument } from '../parsing/index.ts';
import type { Bus } from '../ports/bus.ts';
import type { Database } from '../ports/database.ts';
import { toStudioError } from '../ports/failure.ts';
import type { RateLimits } from '../ports/rate-limiter.ts';
import { type PrivacyGuard, maskRequest, resolveGuard } from '../privacy/index.ts';
import { search } from '../retrieval/index.ts';
import { openBlobs } from './storage.ts';

// The part of the composition that runs agents.

interface Deps {
  readonly db: Database;
  readonly bus: Bus;
  readonly catalogue: Catalogue;
  readonly openChat: OpenChat;
  readonly defaultLimits: RateLimits;
  readonly documents: HttpOptions['documents'];
  readonly retrieval: HttpOptions['retrieval']['retrieval'];
  readonly privacy: HttpOptions['privacy'];
  readonly guard: PrivacyGuard;
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

const guardOfRun = ({ definition: { limits } }: { readonly definition: AgentDefinition }): readonly GuardMode[] =>
  limits.guard === undefined ? [] : [limits.guard];

/** What hides the values of a trace whose models were not to see them. */
const createHiding =
  ({ db, guard }: Deps, actorOf: RunActor): Parameters<typeof createRuns>[0]['hiding'] =>
  async ({ guard: known, actor, row }) => {
    const own = guardOfRun(row);
    // Where no model was asked nobody has looked yet; for who may not call any more the policy of the tenant is left.
    const policy =
      known === undefined
        ? await actorOf(actor, own).then(
            (one) => one.guard,
            async () => resolveGuard(await readGuard({ db }, actor.tenantId), ...own),
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
  return async (actor, { text, types, onTokens }) => {
    if (text === '') return { text, found: 0 };
    const named =
      types === null || types.length === 0 ? ['ALL' as const] : piiTypes.filter((one) => types.includes(one));
    const request = { text, pii_types: named.length === 0 ? ['ALL' as const] : named, return_original: false };
    const { result } = await maskRequest(privacy, unlimitedActor(actor), request, onTokens);
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
  const { db, bus, catalogue, log, retrieval } = deps;
  const blobs = openBlobs(config);
  const readDocument = createReader(deps, blobs);
  const tools: ToolDeps = {
    retrieval,
    served: deps.served,
    readDocument,
    timeZone: config.agents.time_zone,
    now: Date.now,
    log,
  };
  const actorOf = createRunActor(deps);
  const scopes = createNodes(
    {
      db,
      models: {
        catalogue,
        openChat: deps.openChat,
        actorOf,
        now: Date.now,
      },
      search: (ctx, request) => search(retrieval, ctx, request),
      readDocument,
      mask: createMask(deps),
      openTools: (ctx, chosen) => openTools(tools, ctx, chosen),
      log,
    },
    failureOf(log),
  );
  const runs = createRuns({
    db,
    bus,
    scopes,
    hiding: createHiding(deps, actorOf),
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
