import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentChats } from '../agents/index.ts';
import { openFile } from '../files/index.ts';
import type { Surfaces } from '../http/index.ts';
import { createKeyActor, findKeyRecord, isExpired, type KeyRing } from '../identity/index.ts';
import type { OpenChat } from '../inference/index.ts';
import { unlimitedActor } from '../kernel/actor.ts';
import type { TenantId } from '../kernel/context.ts';
import { StudioError } from '../kernel/errors.ts';
import { createGuardedRequest } from '../net-guard/index.ts';
import { parseMetered } from '../parsing/index.ts';
import {
  createBackground,
  createConversationStore,
  createFindFile,
  createResponseStore,
  type PayingKey,
  type ReadFile,
  type ResponsesDeps,
  startResponseRetention,
  type WebSearchServer,
} from '../responses/index.ts';
import type { Metering } from '../usage/index.ts';
import type { OpenedLimiter } from './limiter.ts';
import type { OpenNetwork } from './network.ts';
import type { Base } from './parts.ts';
import { openBlobs } from './storage.ts';
import type { Retrieval } from './retrieval.ts';
import type { SealedData } from './store.ts';
import type { OpenToolServers } from './tools.ts';

interface Deps
  extends
    SealedData,
    OpenNetwork,
    Pick<OpenedLimiter, 'defaultLimits'>,
    Pick<Retrieval, 'retrieval'>,
    Pick<OpenToolServers, 'served'> {
  readonly keys: KeyRing;
  readonly openChat: OpenChat;
  readonly agentChats: AgentChats;
  readonly documents: Surfaces['documents'];
  readonly metering: Metering;
}

const MINUTE_MS = 60_000;

/** Reads documents within requests by the readers of the service. */
function createReadFile({ documents, metering }: Pick<Deps, 'documents' | 'metering'>): ReadFile {
  const deps = { ...documents, metering, now: Date.now };
  return async (principal, bytes, name, { requestId, signal }) => {
    const path = join(documents.folder, randomUUID());
    await writeFile(path, bytes, { mode: 0o600 });
    try {
      const ctx = { actor: unlimitedActor(principal), requestId, signal };
      const { json } = await parseMetered(
        deps,
        ctx,
        { path, name },
        { parser_type: 'auto', response_format: 'markdown' },
      );
      const { contents } = JSON.parse(Buffer.from(json).toString('utf8')) as { readonly contents?: string };
      return contents ?? '';
    } finally {
      await rm(path, { force: true });
    }
  };
}

/** Finds who pays for a response that is made in the background, within what the key may use by then. */
function createFindKey({ db, defaultLimits }: Pick<Deps, 'db' | 'defaultLimits'>) {
  const keyActor = createKeyActor(defaultLimits);
  return async (tenantId: Parameters<typeof findKeyRecord>[1], keyId: string): Promise<PayingKey | null> => {
    const key = await findKeyRecord({ db }, tenantId, keyId);
    if (key === null || !key.holderMayCall) return null;
    if (isExpired(key, Date.now()))
      throw new StudioError('forbidden', 'The API key of this response may not be used any more');
    return { key, actor: keyActor(key) };
  };
}

/** The search of the web that the operator configured; null where there is none. Its own host is opened by that. */
function webSearchOf({ config: { responses } }: Base, { hosts }: OpenNetwork): WebSearchServer | null {
  const { web_search: search } = responses;
  if (search === undefined) return null;
  const { url, token, timeout_ms: timeoutMs } = search;
  const own = new URL(url).hostname;
  const allow = () => {
    const list = hosts.allowed();
    return { ...list, hosts: new Set([...list.hosts, own]) };
  };
  const request = createGuardedRequest({ allow });
  return { url, token: token ?? null, timeoutMs, request };
}

/** Opens what the Responses interface works with, removes responses whose time is over, and makes those that wait from the start on. */
export function openResponses(base: Base, deps: Deps): ResponsesDeps {
  const { config, log, parts } = base;
  const { db, bus, box, openChat, agentChats: agents, retrieval, served } = deps;
  const now = Date.now;
  const {
    retention_days: retentionDays,
    background_at_once: size,
    background_per_tenant: maxOpen,
    background_patience_minutes: patienceMinutes,
  } = config.responses;
  const kept = { db, box, retentionDays, now };
  const store = createResponseStore(kept);
  const conversations = createConversationStore(kept);
  parts.onClose('retention of responses', startResponseRetention({ db, log }));
  const webSearch = webSearchOf(base, deps);
  const blobs = parts.own('files that responses name', openBlobs(config));
  const find = (tenantId: TenantId, id: string) => openFile({ db, blobs }, tenantId, id);
  const shared = {
    db,
    box,
    log,
    now,
    openChat,
    agents,
    findFile: createFindFile(find, config.documents.upload_bytes),
    store,
    conversations,
    hosted: { db, served, retrieval, webSearch, log },
  };
  const background = parts.own(
    'responses in the background',
    createBackground({
      ...shared,
      bus,
      findKey: createFindKey(deps),
      onKeyRefused: deps.keys.onRevoked,
      size,
      maxOpen,
      patienceMs: patienceMinutes * MINUTE_MS,
    }),
  );
  parts.closeEarly(background);
  parts.onStart('responses in the background', async () => {
    await background.open();
    return null;
  });
  return {
    ...shared,
    background,
    readFile: createReadFile(deps),
    searchesWeb: webSearch !== null,
  };
}
