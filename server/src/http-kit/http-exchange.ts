import type { IncomingHttpHeaders } from 'node:http';

/** Who serves an exchange is told what becomes of it. */
export interface ExchangeListener {
  /** The reply was handed to the system whole, or the connection is gone. At most once. */
  closed(): void;
  /** More can be written. */
  drained(): void;
}

/** Name, value, name, value … of the headers of a reply. */
export type FlatHeaders = string[];

/**
 * One request of a hot route and its reply, whoever reads the connection: node:http, or the front. Bytes of replies are latin1 strings;
 * a reply is written once, whole or as a stream.
 */
export interface HttpExchange {
  /** Names in lower case, as node:http gives them. */
  readonly headers: IncomingHttpHeaders;
  /** Path and query. */
  readonly url: string;
  /** Whether all of the request has come. */
  readonly isComplete: boolean;
  readonly headersSent: boolean;
  /** Status of the reply, once there is one. */
  readonly statusCode: number;
  /** Whether the reply is complete; its last bytes may still wait to be written. */
  readonly isEnded: boolean;
  /** Whether the reply was handed to the system whole. */
  readonly isFinished: boolean;
  listen(listener: ExchangeListener): void;
  /** Reads a JSON body whole. Throws or rejects with StudioError `unsupported_media_type`, `too_large` or `client_closed`. */
  readBody(maxBytes: number): Buffer | Promise<Buffer>;
  /** Nobody needs the body any more: its memory is used for others, and who still holds its bytes finds none. Safe to repeat. */
  releaseBody(): void;
  /** Discards the rest of the body for a moment, as a client that is still sending does not read yet; then closes the connection. */
  discardBody(): void;
  /** A whole reply; its length is among the headers. */
  reply(status: number, headers: FlatHeaders, bytes: string): void;
  /** Sends the head of a stream. */
  openStream(status: number, headers: FlatHeaders): void;
  /** Sends a piece of the stream; false where whoever writes should wait for `drained`. */
  write(bytes: string): boolean;
  end(): void;
  /** Ends the stream, and the connection with it. */
  endConnection(): void;
}

/** Serves a hot route; never throws. */
export type HotHandler = (exchange: HttpExchange) => void;

/** Time for a rejected client to send the rest of its body. */
export const DISCARD_TIMEOUT_MS = 2_000;
/** And how much of it. */
export const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;
