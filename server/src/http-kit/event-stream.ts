import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { StudioError } from '../kernel/errors.ts';
import type { OpenResponse } from './keep-alive.ts';

/** Begins an answer of server-sent events. */
export function startEventStream(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache',
    'X-Accel-Buffering': 'no',
  });
  reply.raw.flushHeaders();
}

export interface EventStreamOptions {
  readonly keyId: string | null;
  /** How characters become bytes. */
  readonly encoding?: 'utf8' | 'latin1';
  readonly now: () => number;
  /** The service stops, or the key was revoked. */
  readonly onCut: (why: StudioError) => void;
  /** Says that the answer goes on, where its format has an event for that; a comment where left out. */
  readonly ping?: () => void;
}

/** An answer of events under way, which is pinged while it is silent. */
export class EventStream implements OpenResponse {
  place = -1;
  lastWriteMs: number;
  readonly keyId: string | null;
  readonly #raw: ServerResponse;
  /** Where chunks are written at once, in one piece each; null for the ordinary path. */
  readonly #socket: Socket | null;
  readonly #encoding: 'utf8' | 'latin1';
  readonly #now: () => number;
  readonly #onCut: (why: StudioError) => void;
  readonly #ping: () => void;

  constructor(raw: ServerResponse, { keyId, encoding = 'utf8', now, onCut, ping }: EventStreamOptions) {
    this.#raw = raw;
    this.keyId = keyId;
    // A response that waits behind another of the same connection has no socket yet; HTTP/1.0 has no chunks.
    this.#socket = raw.socket !== null && raw.chunkedEncoding && !raw.writableNeedDrain ? raw.socket : null;
    this.#encoding = encoding;
    this.#now = now;
    this.#onCut = onCut;
    this.#ping = ping ?? (() => void this.write(': ping\n\n'));
    this.lastWriteMs = now();
  }

  write(text: string): boolean {
    this.lastWriteMs = this.#now();
    if (this.#socket === null) return this.#raw.write(text, this.#encoding);
    const length = Buffer.byteLength(text, this.#encoding);
    return this.#socket.write(`${length.toString(16)}\r\n${text}\r\n`, this.#encoding);
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
    this.#ping();
  }

  terminate(why: StudioError): void {
    this.#onCut(why);
  }
}
