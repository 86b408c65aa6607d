import {
  type AgentFileStore,
  type AgentRuns,
  createFailureOf,
  createFileStore,
  createTraceRedaction,
  createMask,
  createNodes,
  createReadDocument,
  createRunActor,
  createRunFiles,
  createRuns,
  startAgentRetention,
  openTools,
  type RunFileStore,
  type RunFigures,
  type ToolDeps,
} from '../agents/index.ts';
import type { KeyRing } from '../identity/index.ts';
import type { OpenChat } from '../inference/index.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { makeFile } from '../parsing/index.ts';
import { search } from '../retrieval/index.ts';
import type { Documents } from './documents.ts';
import type { OpenedLimiter } from './limiter.ts';
import type { Base } from './parts.ts';
import type { OpenPrivacy } from './privacy.ts';
import type { Retrieval } from './retrieval.ts';
import { openBlobs } from './storage.ts';
import type { Data } from './store.ts';
import type { OpenToolServers } from './tools.ts';

// The part of the composition that runs agents.

interface Deps
  extends
    Data,
    Pick<OpenedLimiter, 'defaultLimits'>,
    Pick<Documents, 'documents'>,
    Pick<Retrieval, 'retrieval'>,
    Pick<OpenPrivacy, 'privacy' | 'guard'>,
    Pick<OpenToolServers, 'served'> {
  readonly keys: KeyRing;
  readonly catalogue: Catalogue;
  readonly openChat: OpenChat;
}

/** Agents of this process. */
export interface OpenAgents {
  readonly runs: AgentRuns;
  readonly figures: RunFigures;
  /** Files of messages. */
  readonly files: AgentFileStore;
  /** Files of runs. */
  readonly runFiles: RunFileStore;
}

/** Opens what runs agents, from the start on. */
export function openAgents({ config, log, parts }: Base, deps: Deps): OpenAgents {
  const { db, bus, catalogue, openChat, documents, retrieval, guard, served } = deps;
  const { time_zone: timeZone, runs_at_once: size, message_hours: messageHours } = config.agents;
  const blobs = parts.own('files of agents', openBlobs(config));
  const readDocument = createReadDocument({ ...documents, blobs });
  const runFiles = createRunFiles({ db, blobs });
  const makeDocument: ToolDeps['makeDocument'] = (job) => makeFile(documents.maker, job);
  const tools: ToolDeps = {
    retrieval,
    served,
    readDocument,
    makeDocument,
    files: runFiles,
    timeZone,
    now: Date.now,
    log,
  };
  const actorOf = createRunActor(deps);
  const scopes = createNodes(
    {
      db,
      models: { catalogue, openChat, actorOf, now: Date.now },
      search: (ctx, request) => search(retrieval, ctx, request),
      readDocument,
      makeDocument,
      mask: createMask(deps.privacy),
      openTools: (ctx, chosen) => openTools(tools, ctx, chosen),
      files: runFiles,
      log,
    },
    createFailureOf(log),
  );
  const traceRedaction = createTraceRedaction({ db, guard, actorOf });
  const { onRevoked: onKeyRefused } = deps.keys;
  const runs = parts.own(
    'runs of agents',
    createRuns({ db, bus, onKeyRefused, scopes, traceRedaction, log, size, messageHours }),
  );
  parts.closeEarly(runs);
  parts.onStart('upkeep of agents', async () => {
    await runs.open();
    return { close: startAgentRetention({ db, blobs, log }) };
  });
  return {
    runs,
    figures: runs.figures,
    runFiles,
    files: createFileStore({ db, blobs, maxBytes: config.documents.upload_bytes }),
  };
}
