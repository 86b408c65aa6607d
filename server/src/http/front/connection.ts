import type { Socket } from 'node:net';
import type { HotHandler } from '../../http-kit/http-exchange.ts';
import type { BodyMemory } from './body-memory.ts';
import type { ReplyFrame } from './reply-head.ts';
import { type ExchangeConnection, FrontExchange } from './front-exchange.ts';
import { type KnownRequest, type RequestHead, knowHead, readKnownHead, readRequestHead } from './request-head.ts';

/** What all connections of a front share. */
export interface ConnectionOwner {
  readonly handlers: ReadonlyMap<string, HotHandler>;
  readonly memory: BodyMemory;
  readonly now: () => number;
  readonly replyFrame: () => ReplyFrame;
  /** Gives the connection to node:http, which reads the bytes again that were read and not served. */
  handOver(connection: FrontConnection, socket: Socket, unread: Buffer): void;
  /** Breaks off a connection on which no request can be answered any more. */
  fail(connection: FrontConnection, code: FailureCode): void;
  closed(connection: FrontConnection): void;
}

/** Why a request can't be read, in the words of Node.js. */
export type FailureCode = 'ERR_HTTP_REQUEST_TIMEOUT' | 'HPE_INVALID_EOF_STATE';

/** What a connection waits for. */
export type Waiting = 'first request' | 'next request' | 'body' | 'reply';

/** What a client may send ahead while its request is answered; then it waits. */
const MAX_AHEAD_BYTES = 64 * 1024;

/** Heads that were remembered for nothing: then this connection has another each time. */
const MAX_OTHER_HEADS = 8;

/** One connection: serves one request after the other as long as each is plain, then it is node:http's for good. */
export class FrontConnection implements ExchangeConnection {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  #exchange: FrontExchange | null = null;
  /** What came behind the request that is answered. */
  #ahead: Buffer | null = null;
  #served = false;
  #known: KnownRequest | null = null;
  /** Of the request that was read last. */
  #handler: HotHandler | undefined;
  #otherHeads = 0;
  #paused = false;
  /** Since when it waits for a request. */
  #idleSinceMs: number;
  readonly #onData = (bytes: Buffer) => this.#read(bytes);
  readonly #onEnd = () => this.#ended();
  readonly #onDrain = () => this.#exchange?.drained();
  readonly #onClose = () => this.#closed();

  constructor(owner: ConnectionOwner, socket: Socket) {
    this.#owner = owner;
    this.#socket = socket;
    this.#idleSinceMs = owner.now();
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('drain', this.#onDrain);
    socket.on('error', ignore);
    socket.on('close', this.#onClose);
  }

  get memory(): BodyMemory {
    return this.#owner.memory;
  }

  get socket(): Socket {
    return this.#socket;
  }

  frame(): ReplyFrame {
    return this.#owner.replyFrame();
  }

  get waiting(): Waiting {
    if (this.#exchange === null) return this.#served ? 'next request' : 'first request';
    return this.#exchange.isComplete ? 'reply' : 'body';
  }

  /** Since when it waits for a request, or when the one it is at began. */
  get sinceMs(): number {
    return this.#exchange?.startedMs ?? this.#idleSinceMs;
  }

  /** Whether a reply has begun, which further bytes would corrupt. */
  get isReplying(): boolean {
    return this.#exchange?.headersSent === true && !this.#exchange.isFinished;
  }

  send(bytes: string, written?: () => void): boolean {
    const socket = this.#socket;
    // The other side has gone, or this one has said its last.
    if (!socket.writable) return false;
    const mayGoOn = socket.write(bytes, 'latin1');
    if (!written) return mayGoOn;
    // Mostly the system has taken all by now, which is known sooner so than by a callback of the write.
    if (socket.writableLength > 0) socket.write('', 'latin1', (failed) => failed ?? written());
    else if (socket.errored === null) written();
    return mayGoOn;
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  replied(): void {
    if (this.#exchange?.closesAfter === true) return this.#socket.destroySoon();
    if (this.#exchange?.isComplete === true) this.#next();
  }

  /** Lets go of the socket: nothing of it is heard here any more. */
  release(): void {
    const socket = this.#socket;
    // Nothing is read between the two owners.
    socket.pause();
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('drain', this.#onDrain);
    socket.off('error', ignore);
    socket.off('close', this.#onClose);
  }

  #read(bytes: Buffer): void {
    const exchange = this.#exchange;
    if (exchange === null) return this.#ahead === null ? this.#begin(bytes, true) : this.#keepAhead(bytes);
    const { missing } = exchange;
    if (missing === 0) return this.#keepAhead(bytes);
    if (bytes.length <= missing) exchange.take(bytes, bytes);
    else {
      this.#keepAhead(bytes.subarray(missing));
      exchange.take(bytes.subarray(0, missing), null);
    }
    // Its reply did not need the rest of it.
    if (exchange.isFinished && exchange.isComplete && this.#exchange === exchange) this.#next();
  }

  /** `isRead`: these bytes are what a read has brought, as a whole. */
  #begin(bytes: Buffer, isRead: boolean): void {
    const owner = this.#owner;
    const head = this.#readHead(bytes);
    const handler = this.#handler;
    if (!head || !handler) return owner.handOver(this, this.#socket, bytes);
    const exchange = new FrontExchange(this, head, owner.now());
    this.#exchange = exchange;
    this.#served = true;
    const end = head.length + head.contentLength;
    if (bytes.length > head.length)
      exchange.take(bytes.subarray(head.length, end), isRead && bytes.length <= end ? bytes : null);
    if (bytes.length > end) this.#keepAhead(bytes.subarray(end));
    handler(exchange);
  }

  /** Heads are remembered from the second request on, as many connections are for one. */
  #readHead(bytes: Buffer): RequestHead | null {
    if (this.#known) {
      const head = readKnownHead(bytes, this.#known);
      if (head) return head;
      this.#otherHeads++;
    }
    const { handlers } = this.#owner;
    const head = readRequestHead(bytes, handlers);
    this.#handler = head ? handlers.get(head.path) : undefined;
    const isKept = head && this.#served && this.#otherHeads < MAX_OTHER_HEADS;
    this.#known = isKept ? knowHead(bytes, head) : null;
    return head;
  }

  /** Keeps what belongs to later requests: they are answered one after the other. */
  #keepAhead(bytes: Buffer): void {
    this.#ahead = this.#ahead === null ? bytes : Buffer.concat([this.#ahead, bytes]);
    if (this.#ahead.length > MAX_AHEAD_BYTES) this.pause();
  }

  #next(): void {
    this.#exchange = null;
    this.#idleSinceMs = this.#owner.now();
    // Not within what has ended the request before: where each is answered at once, all of them would be served within each other.
    if (this.#ahead === null) this.resume();
    else process.nextTick(() => this.#beginAhead());
  }

  #beginAhead(): void {
    const ahead = this.#ahead;
    this.#ahead = null;
    this.resume();
    if (ahead !== null && !this.#socket.destroyed) this.#begin(ahead, false);
  }

  /** The client sends no more; as on node:http, it gets no more either. */
  #ended(): void {
    if (this.waiting === 'body') this.#owner.fail(this, 'HPE_INVALID_EOF_STATE');
    else this.#socket.end();
  }

  #closed(): void {
    this.#owner.closed(this);
    this.#exchange?.lost();
  }
}

/** What comes of an error is the closed connection. */
function ignore(): void {}
