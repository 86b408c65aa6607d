import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type A2a, type A2aOutcome, type A2aTag, createEventLines, followTask } from '../index.ts';
import { StudioError } from '../../kernel/errors.ts';
import type { KeepAlive, OpenResponse } from '../../http-kit/keep-alive.ts';
import { streamError } from './failure.ts';

type Runs = Parameters<typeof followTask>[0];

export interface StreamDeps {
  readonly a2a: A2a;
  readonly runs: Runs;
  readonly keepAlive: KeepAlive;
  readonly now: () => number;
}

/** A response that is pinged while it is silent, and aborted when the service stops or the key is revoked. */
class OpenStream implements OpenResponse {
  place = -1;
  lastWriteMs: number;
  readonly keyId: string | null;
  readonly #raw: ServerResponse;
  /** Where chunks are written at once, in one piece each; null for the ordinary path. */
  readonly #socket: Socket | null;
  readonly #now: () => number;
  readonly #onCut: (why: StudioError) => void;

  constructor(raw: ServerResponse, keyId: string | null, now: () => number, onCut: (why: StudioError) => void) {
    this.#raw = raw;
    this.keyId = keyId;
    // A response that waits behind another of the same connection has no socket yet; HTTP/1.0 has no chunks.
    this.#socket = raw.socket !== null && raw.chunkedEncoding && !raw.writableNeedDrain ? raw.socket : null;
    this.#now = now;
    this.#onCut = onCut;
    this.lastWriteMs = now();
  }

  write(text: string): boolean {
    this.lastWriteMs = this.#now();
    if (this.#socket === null) return this.#raw.write(text);
    return this.#socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  }

  /** Resolves once the client takes more, or is gone. */
  drained(): Promise<void> {
    const from = this.#socket ?? this.#raw;
    // What has ended already tells nothing more.
    if (this.#raw.closed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        from.off('drain', done);
        this.#raw.off('close', done);
        resolve();
      };
      from.once('drain', done);
      this.#raw.once('close', done);
    });
  }

  ping(): void {
    this.write(': ping\n\n');
  }

  terminate(why: StudioError): void {
    this.#onCut(why);
  }
}

function startEventStream(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache',
    'X-Accel-Buffering': 'no',
  });
  reply.raw.flushHeaders();
}

const RESUME_HINT = 'The service is stopping; go on with tasks/resubscribe and Last-Event-ID';

/** Tells the client of a stopping service how to resume, as the run outlives the stop. Returns any other reason as it is. */
const toStreamError = (why: unknown): unknown =>
  why instanceof StudioError && why.code === 'unavailable' ? new StudioError('unavailable', RESUME_HINT) : why;

/**
 * Sends the events of a run until it has ended or asks. A client that goes away changes nothing of the run. Source: decisions section 4,
 * `message/stream`.
 */
export async function sendStream(
  { runs, keepAlive, now }: StreamDeps,
  { run, after }: Extract<A2aOutcome, { kind: 'stream' }>,
  tag: A2aTag,
  request: FastifyRequest,
  reply: FastifyReply,
  gone: AbortSignal,
): Promise<void> {
  const { raw } = reply;
  const lines = createEventLines(tag, run, after);
  const stopping = new AbortController();
  const signal = AbortSignal.any([gone, stopping.signal]);
  startEventStream(reply);
  const stream = new OpenStream(raw, request.record.key?.id ?? null, now, (why) => stopping.abort(why));
  keepAlive.add(stream);
  try {
    if (tag.form === '1.0') stream.write(lines.opening());
    for await (const { event, last } of followTask(runs, run.id, Math.floor(after), signal)) {
      const text = lines.event(event, last);
      if (text !== '' && !stream.write(text)) await stream.drained();
    }
  } catch (error) {
    if (gone.aborted) return;
    const cause = stopping.signal.aborted ? toStreamError(stopping.signal.reason) : error;
    request.record.error = cause;
    stream.write(lines.failure(streamError(tag.form, cause)));
  } finally {
    keepAlive.remove(stream);
    raw.end();
  }
}
