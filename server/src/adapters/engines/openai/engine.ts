import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from '../../../kernel/log.ts';
import type {
  EncodedBody,
  Engine,
  EngineModel,
  EngineTraits,
  Health,
  RerankCall,
  TranscribeCall,
  TranscribeResult,
} from '../../../ports/engine.ts';
import { EngineError } from '../../../ports/engine.ts';
import { troubleOf, troubleOfStatus } from '../../../ports/engine-trouble.ts';
import { exchangeAudio, readTranscription, refusesTimes, speakBody, transcribeForm, withoutTimes } from './audio.ts';
import { type ChatBackend, startChat } from './chat.ts';
import { createServerContext } from './context/server-context.ts';
import { type CallTags, createConnections } from './connections.ts';
import {
  type Dialect,
  dialects,
  hostDialects,
  ownerDialects,
  priorityHeaderOf,
  rulesOf,
  sessionHeaderOf,
  serverHeaderDialects,
  fingerprintPages,
} from './dialects.ts';
import { createEmbedder } from './embedder.ts';
import { createServerTokenizer } from './tokenizer.ts';
import { readVoices } from './voices.ts';
import { type BufferedResponse, exchangeBuffered, parseJsonResponse } from './exchange-json.ts';
import { busyFailure, type CallTarget } from './failures.ts';
import { LearnedReplies } from './learned-replies.ts';
import { readModels } from './model-list.ts';
import { editsFor } from './requests.ts';
import { readRerank, rerankBody, rerankTextsBody, wantsTexts } from './rerank.ts';

export interface OpenAiEngineOptions {
  /** Unique name, such as `gov/0`. */
  readonly id: string;
  /** Address up to and with the version, such as `http://10.0.0.5:8000/v1`. With `socketPath` only its path counts. */
  readonly baseUrl: string;
  /** Unix socket to connect to instead of the host of `baseUrl`. */
  readonly socketPath?: string | null;
  readonly apiKey?: string | null;
  /** Sent with every request, over our own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `auto` finds out which server it is. */
  readonly dialect?: Dialect | 'auto';
  readonly kind?: Engine['kind'];
  readonly connectTimeoutMs?: number;
  /** Addresses that are never connected to, whatever name leads there. */
  readonly isForbidden?: (address: string) => boolean;
  /** Fields beyond the interface that go on to it; those of its dialect when left out. */
  readonly extraFields?: readonly string[] | undefined;
  /** Calls at one time. */
  readonly maxConnections?: number;
  /** Calls that may wait for one to end; as many as `maxConnections` when left out. */
  readonly maxWaiting?: number;
  /** And for how long they may, in milliseconds; without a limit when left out. */
  readonly maxWaitMs?: number;
  /** Header that names the session of a call, for a router behind the address; null for none. `x-session-id` for servers of one's own when left out. */
  readonly sessionHeader?: string | null | undefined;
  /** How long an unused connection is kept. */
  readonly keepAliveMs?: number;
  /** Path of the health check, where not the dialect's own. */
  readonly healthPath?: string | null;
  readonly log: Logger;
}

const DEFAULT_CONNECT_TIMEOUT_MS = 5000;
const DEFAULT_MAX_CONNECTIONS = 16_384;
/** Shorter than the idle limit of common servers (uvicorn 5 s), so that a kept connection is seldom closed under a request. */
const DEFAULT_KEEP_ALIVE_MS = 4000;
const DETECT_TIMEOUT_MS = 5000;

/** An engine with what operators want to know of it. */
export interface OpenAiEngine extends Engine {
  /** The kind of server, as configured or found out; `unknown` until then. */
  readonly dialect: Dialect;
  /** Connections open now. */
  readonly connections: number;
}

const dialectExtras = Object.fromEntries(
  Object.entries(dialects).map(([name, { extras }]) => [name, new Set(extras)]),
) as unknown as Readonly<Record<Dialect, ReadonlySet<string>>>;

/** A model server of the OpenAI format at one address. */
export function createOpenAiEngine(options: OpenAiEngineOptions): OpenAiEngine {
  const { id, log, apiKey = null, headers: own = {}, healthPath = null, socketPath = null } = options;
  const url = new URL(options.baseUrl);
  const base = url.pathname.replace(/\/+$/, '');
  const root = base.replace(/\/v\d+\w*$/, '');
  const connections = createConnections({
    origin: url.origin,
    socketPath,
    connectTimeoutMs: options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS,
    ...(options.isForbidden ? { isForbidden: options.isForbidden } : {}),
    maxConnections: options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    maxWaiting: options.maxWaiting ?? options.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
    maxWaitMs: options.maxWaitMs ?? Infinity,
    keepAliveMs: options.keepAliveMs ?? DEFAULT_KEEP_ALIVE_MS,
    sessionHeader: () => (options.sessionHeader === undefined ? sessionHeaderOf(dialect) : options.sessionHeader),
    // Only processes of our own are told, whose dialect is never found out but given.
    priorityHeader:
      options.dialect === undefined || options.dialect === 'auto' ? null : priorityHeaderOf(options.dialect),
  });
  const shared = { ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...own };
  const getHeaders = { accept: 'application/json', ...shared };
  const postHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...shared };
  const configured = options.dialect ?? 'auto';
  const extras = options.extraFields && new Set(options.extraFields);
  const closing = new AbortController();
  const refused = new Set<string>();
  /** Rerankers whose scores are logits, by their names. */
  const logitModels = new Set<string>();
  let dialect: Dialect = configured === 'auto' ? (hostDialects[url.hostname] ?? 'unknown') : configured;
  let detecting: Promise<void> | undefined;

  const setDialect = (found: Dialect) => {
    if (dialect !== 'unknown' || found === 'unknown') return;
    dialect = found;
    log.info({ engine: id, dialect }, 'model server recognised');
  };
  const noteHeaders = (headers: IncomingHttpHeaders) => {
    if (dialect !== 'unknown') return;
    const server = String(headers['server'] ?? '').toLowerCase();
    for (const [start, found] of Object.entries(serverHeaderDialects)) if (server.startsWith(start)) setDialect(found);
  };

  const pathOf = (page: string) => (page.startsWith('/') ? root + page : `${base}/${page}`);
  const get = async (page: string, signal: AbortSignal): Promise<BufferedResponse> => {
    const head = { method: 'GET', path: pathOf(page), headers: getHeaders } as const;
    const answer = await exchangeBuffered(
      connections,
      head,
      null,
      { engineId: id, model: '' },
      AbortSignal.any([signal, closing.signal]),
    );
    noteHeaders(answer.headers);
    return answer;
  };

  const listModels = async (signal: AbortSignal): Promise<readonly EngineModel[]> => {
    const found = readModels(parseJsonResponse(await get('models', signal), { engineId: id, model: '' }));
    for (const owner of found.owners) setDialect(ownerDialects[owner] ?? 'unknown');
    return found.models;
  };

  /** Detects the dialect by the fingerprint pages, one after the other. */
  const detect = async (): Promise<void> => {
    const signal = AbortSignal.timeout(DETECT_TIMEOUT_MS);
    await listModels(signal).catch((error: unknown) => {
      if (!(error instanceof EngineError) || error.status === null) throw error;
    });
    for (const { path, field, dialect: mark } of fingerprintPages) {
      if (dialect !== 'unknown') return;
      const { status, text } = await get(path, signal);
      if (status === 200 && text.includes(`"${field}"`)) setDialect(mark);
    }
  };
  const detectOnce = (): Promise<void> | undefined => {
    if (dialect !== 'unknown' || configured !== 'auto') return undefined;
    detecting ??= detect().catch((error: unknown) => {
      // Out of reach now: a later call looks again.
      detecting = undefined;
      log.debug({ engine: id, error: String(error) }, 'model server detection failed');
    });
    return detecting;
  };

  const send = (
    page: string,
    body: EncodedBody,
    target: CallTarget,
    signal: AbortSignal,
    tags?: CallTags,
  ): Promise<BufferedResponse> => {
    const head = { method: 'POST', path: pathOf(page), headers: postHeaders } as const;
    const ends = AbortSignal.any([signal, closing.signal]);
    return exchangeBuffered(connections, head, body, target, ends, tags ? { tags } : {});
  };
  const postEncoded = async (
    page: string,
    body: EncodedBody,
    target: CallTarget,
    signal: AbortSignal,
    tags?: CallTags,
  ): Promise<unknown> => parseJsonResponse(await send(page, body, target, signal, tags), target);

  const postRerank = (page: string, body: Buffer, call: RerankCall): Promise<unknown> =>
    postEncoded(page, [body], { engineId: id, model: call.model }, call.signal, call);

  const tokenizer = createServerTokenizer({
    engineId: id,
    dialect: () => dialect,
    detect: async () => detectOnce(),
    post: (page, body, model, signal) => postEncoded(page, body, { engineId: id, model }, signal),
  });

  const { models, lengths, context } = createServerContext({
    engineId: id,
    dialect: () => dialect,
    detect: async () => detectOnce(),
    listModels,
    get,
    post: (page, body, model, signal) => postEncoded(page, body, { engineId: id, model }, signal),
    tokenize: tokenizer.tokenize,
    log,
  });

  const embedder = createEmbedder({
    engineId: id,
    dialect: () => dialect,
    detect: async () => detectOnce(),
    models,
    get,
    send,
  });

  /** Models that return no timestamps. */
  const modelsWithoutTimes = new Set<string>();
  const transcribe = async (call: TranscribeCall, withTimes: boolean): Promise<TranscribeResult> => {
    const target = { engineId: id, model: call.model };
    const { type, parts } = await transcribeForm(call, withTimes);
    const head = {
      method: 'POST',
      path: pathOf(call.translate === true ? 'audio/translations' : 'audio/transcriptions'),
      headers: { ...shared, 'content-type': type, accept: 'application/json' },
    } as const;
    const signal = AbortSignal.any([call.signal, closing.signal]);
    return readTranscription(
      parseJsonResponse(await exchangeBuffered(connections, head, parts, target, signal, { tags: call }), target),
      id,
    );
  };

  const replies = new Map<string, LearnedReplies>();
  const backend: ChatBackend = {
    engineId: id,
    connections,
    head: { method: 'POST', path: `${base}/chat/completions`, headers: postHeaders },
    edits: (call, limit) => editsFor(call, rulesOf(dialect), refused, limit),
    context,
    systemFirst: new Set(),
    extras: () => extras ?? dialectExtras[dialect],
    onRefusedField(field) {
      refused.add(field);
      log.warn({ engine: id, field }, 'model server refused a field; omitting it from now on');
    },
    repliesOf(model) {
      let learned = replies.get(model);
      if (!learned) replies.set(model, (learned = new LearnedReplies()));
      return learned;
    },
    onHeaders: noteHeaders,
  };

  return {
    id,
    kind: options.kind ?? 'openai',
    get traits(): EngineTraits {
      const { choices, reportsStop, drops } = rulesOf(dialect);
      return { choices, reportsStop, drops };
    },
    get waiting() {
      return connections.waiting;
    },
    get isFull() {
      return connections.isFull;
    },
    get refusal() {
      const seconds = connections.refusalSeconds;
      return seconds === null ? null : busyFailure({ engineId: id }, seconds);
    },
    get dialect() {
      return dialect;
    },
    get connections() {
      return connections.open;
    },
    chat(call, sink) {
      void detectOnce();
      return startChat(backend, call, sink);
    },
    ...embedder,
    ...tokenizer,
    async rerank(call) {
      const answer = await postRerank('rerank', rerankBody(call), call).catch((error: unknown) => {
        if (!wantsTexts(error)) throw error;
        return postRerank('/rerank', rerankTextsBody(call), call).catch(() => {
          throw error;
        });
      });
      return readRerank(answer, call, id, logitModels);
    },
    async transcribe(call) {
      if (modelsWithoutTimes.has(call.model) && call.words) throw withoutTimes(call.model);
      if (modelsWithoutTimes.has(call.model)) return transcribe(call, false);
      return transcribe(call, true).catch(async (error: unknown) => {
        if (!refusesTimes(error)) throw error;
        if (call.words) throw withoutTimes(call.model);
        const result = await transcribe(call, false);
        modelsWithoutTimes.add(call.model);
        return result;
      });
    },
    async speak(call) {
      const head = {
        method: 'POST',
        path: pathOf('audio/speech'),
        headers: { ...postHeaders, accept: '*/*' },
      } as const;
      const target = { engineId: id, model: call.model };
      const signal = AbortSignal.any([call.signal, closing.signal]);
      return { type: 'bytes', parts: await exchangeAudio(connections, head, speakBody(call), target, signal, call) };
    },
    async voices(_model, signal) {
      const answer = await get('audio/voices', signal);
      // Many servers have no such page.
      return answer.status === 200 ? readVoices(parseJsonResponse(answer, { engineId: id, model: '' })) : [];
    },
    async health(signal): Promise<Health> {
      try {
        await detectOnce();
        const { status } = await get(healthPath ?? rulesOf(dialect).health, signal);
        // Not every server has the page; that it answers at all is what counts then.
        const ok = status < 500 && status !== 401 && status !== 403 && status !== 429;
        if (ok) return { ok, reason: null };
        return { ok, reason: `The health check answered ${status}`, trouble: troubleOfStatus(status) };
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'The health check failed';
        return { ok: false, reason, trouble: troubleOf(error) };
      }
    },
    contextLength: (model) => lengths.of(model),
    inputs: (model) => lengths.inputsOf(model),
    models,
    async close() {
      closing.abort(new EngineError('unavailable', `Engine ${id} is closed`));
      await connections.close();
    },
  };
}
