import type { IncomingHttpHeaders } from 'node:http';
import { type ChatCall, type ChatRun, type ChatSink, EngineError } from '../../../ports/engine.ts';
import type { Connections, Exchange } from './connections.ts';
import { ChatDecoder } from './decoder.ts';
import { connectionFailure, parseComplaint, retryAfterSeconds, statusFailure } from './failures.ts';
import { refusedField, type RequestEdits } from './requests.ts';

/** What a chat needs of its engine. */
export interface ChatPeer {
  readonly engineId: string;
  readonly connections: Connections;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Made anew for each try, as what is known of the server may have grown. */
  edits(call: ChatCall): RequestEdits;
  /** The server does not take this field of ours. */
  onRefusedField(field: string): void;
  onHeaders(headers: IncomingHttpHeaders): void;
}

/** Whole replies and error pages are kept in memory up to this size. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_ERROR_BYTES = 256 * 1024;

/** How long the end of a stream may take after its last event, before the connection is given up. */
const LINGER_MS = 1000;

type Form = 'events' | 'json' | 'other';

function formOf(type: string, first: Buffer): Form {
  if (type.includes('text/event-stream')) return 'events';
  if (type.includes('json')) return 'json';
  // Not labelled, or wrongly: the first character tells.
  const start = first.toString('latin1', 0, 64).replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
  if (/^(?:data:|event:|id:|:)/.test(start)) return 'events';
  return start.startsWith('{') ? 'json' : 'other';
}

/** Bytes of a body that is read as a whole. */
function createCollector(limit: number) {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    /** Returns false when the body is too long. */
    add(bytes: Buffer): boolean {
      size += bytes.length;
      if (size <= limit) parts.push(bytes);
      return size <= limit;
    },
    all: () => (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)),
  };
}

/** Starts a chat call. Failures reach the sink after this has returned. */
export function startChat(peer: ChatPeer, call: ChatCall, sink: ChatSink): ChatRun {
  const who = { engineId: peer.engineId, model: call.model };
  let exchange: Exchange | null = null;
  let aborted = false;
  let over = false;
  let returned = false;
  let linger: NodeJS.Timeout | undefined;

  const fail = (error: EngineError) => {
    if (over || aborted) return;
    over = true;
    if (returned) sink({ type: 'error', error });
    else queueMicrotask(() => aborted || sink({ type: 'error', error }));
  };
  const giveUp = (error: EngineError) => {
    fail(error);
    exchange?.abort();
  };

  const deliver: ChatSink = (event) => {
    if (aborted || over) return;
    if (event.type === 'end' || event.type === 'error') over = true;
    sink(event);
    if (event.type === 'error') exchange?.abort();
  };

  const onStatus = (status: number, headers: IncomingHttpHeaders, body: string, ours: ReadonlySet<string>) => {
    const complaint = parseComplaint(body);
    const field = status === 400 || status === 422 ? refusedField(ours, complaint?.message ?? null, complaint?.param ?? null) : null;
    if (field !== null) {
      peer.onRefusedField(field);
      attempt();
    } else {
      fail(statusFailure(who, status, complaint, retryAfterSeconds(headers)));
    }
  };

  /** Reads the body of a 200: a stream of events, or a whole reply, whatever was asked for. */
  const createReader = (type: string) => {
    const decoder = new ChatDecoder(who, deliver);
    const collector = createCollector(MAX_BODY_BYTES);
    let form: Form | null = null;
    return {
      data(bytes: Buffer) {
        form ??= formOf(type, bytes);
        if (form === 'other') return giveUp(new EngineError('protocol', `Engine ${who.engineId} answered with something that is no reply (${type.slice(0, 80)})`));
        if (form === 'json') {
          if (!collector.add(bytes)) giveUp(new EngineError('protocol', `Engine ${who.engineId} sent a reply that is too long`));
          return;
        }
        decoder.push(bytes);
        if (!decoder.over || linger) return;
        linger = setTimeout(() => exchange?.abort(), LINGER_MS);
        linger.unref();
      },
      end() {
        if (form === 'json') decoder.whole(collector.all());
        else if (form === 'events') decoder.end();
        else fail(new EngineError('protocol', `Engine ${who.engineId} sent an empty answer`));
      },
    };
  };

  const attempt = () => {
    const { edits, ours } = peer.edits(call);
    let reader: ReturnType<typeof createReader> | null = null;
    let errorPage: ReturnType<typeof createCollector> | null = null;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    exchange = peer.connections.send(
      { method: 'POST', path: peer.path, headers: peer.headers, body: call.body.encode(edits) },
      {
        onHeaders(given, named) {
          status = given;
          headers = named;
          peer.onHeaders(named);
          if (given < 300) reader = createReader(String(named['content-type'] ?? ''));
          else errorPage = createCollector(MAX_ERROR_BYTES);
        },
        onData(bytes) {
          if (reader) reader.data(bytes);
          else errorPage?.add(bytes);
        },
        onEnd() {
          clearTimeout(linger);
          if (aborted) return;
          if (reader) reader.end();
          else onStatus(status, headers, errorPage?.all().toString('utf8') ?? '', ours);
        },
        onError(error) {
          clearTimeout(linger);
          fail(connectionFailure(who, error));
        },
      },
    );
  };

  try {
    attempt();
  } catch (cause) {
    fail(new EngineError('refused', `The request could not be written for engine ${who.engineId}`, { detail: null, cause }));
  }
  returned = true;

  return {
    abort() {
      if (aborted) return;
      aborted = true;
      // A stream that is complete ends by itself, so that its connection can be used again.
      if (!over) exchange?.abort();
    },
    pause: () => exchange?.pause(),
    resume: () => exchange?.resume(),
  };
}

