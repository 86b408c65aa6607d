import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readBody } from './body.ts';
import {
  DISCARD_TIMEOUT_MS,
  type ExchangeListener,
  type FlatHeaders,
  type HttpExchange,
  MAX_DISCARDED_BYTES,
} from './http-exchange.ts';

/** An exchange of a node:http server. */
export class NodeExchange implements HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Where chunks of a stream are written directly; null for the ordinary path. */
  #socket: Socket | null = null;
  #listener: ExchangeListener | null = null;
  readonly #onDrain = () => this.#listener?.drained();

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  get url(): string {
    return this.request.url ?? '/';
  }

  get isComplete(): boolean {
    return this.request.complete;
  }

  get headersSent(): boolean {
    return this.response.headersSent;
  }

  get statusCode(): number {
    return this.response.statusCode;
  }

  get isEnded(): boolean {
    return this.response.writableEnded;
  }

  get isFinished(): boolean {
    return this.response.writableFinished;
  }

  listen(listener: ExchangeListener): void {
    this.#listener = listener;
    let isClosed = false;
    const close = () => {
      if (isClosed) return;
      isClosed = true;
      this.#socket?.off('drain', this.#onDrain);
      listener.closed();
    };
    this.response.on('close', close);
    this.response.on('error', close);
  }

  readBody(maxBytes: number): Promise<Buffer> {
    return readBody(this.request, maxBytes);
  }

  releaseBody(): void {
    // The memory is node:http's.
  }

  discardBody(): void {
    const { request } = this;
    const { socket } = request;
    const end = setTimeout(() => socket.destroy(), DISCARD_TIMEOUT_MS).unref();
    let left = MAX_DISCARDED_BYTES;
    request.on('data', (piece: Buffer) => {
      left -= piece.length;
      if (left < 0) socket.destroy();
    });
    request.once('close', () => clearTimeout(end));
  }

  reply(status: number, headers: FlatHeaders, bytes: string): void {
    this.response.writeHead(status, headers);
    this.response.end(bytes, 'latin1');
  }

  openStream(status: number, headers: FlatHeaders): void {
    const { response } = this;
    response.on('drain', this.#onDrain);
    response.writeHead(status, headers);
    response.flushHeaders();
    // A response that waits behind another of the same connection has no socket yet; HTTP/1.0 has no chunks.
    if (!response.socket || !response.chunkedEncoding || response.writableNeedDrain) return;
    this.#socket = response.socket;
    this.#socket.on('drain', this.#onDrain);
  }

  write(bytes: string): boolean {
    // One write of one string, where `response.write` makes three buffers of a chunk.
    if (this.#socket) return this.#socket.write(`${bytes.length.toString(16)}\r\n${bytes}\r\n`, 'latin1');
    return this.response.write(bytes, 'latin1');
  }

  end(): void {
    this.response.end();
  }

  endConnection(): void {
    this.response.end(() => this.request.socket.end());
  }
}
