import type { IncomingHttpHeaders } from 'node:http';
import { type LookupFunction, type NetConnectOpts, type Socket, connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { EncodedBody } from '../../../../ports/engine.ts';
import type { LastHead } from './last-head.ts';
import { type ResponseListener, ResponseReader } from './response-reader.ts';

/** The exchange that currently uses a connection. */
export interface ConnectionUser {
  onHeaders(status: number, headers: IncomingHttpHeaders): void;
  /** `bytes` are good during the call only. */
  onData(bytes: Buffer, last: boolean): void;
  onEnd(): void;
  onError(error: Error): void;
}

/** The pool of a connection. Called when the connection has failed or was closed by the server; not after `destroy`. */
export interface ConnectionOwner {
  lost(conn: HttpConnection): void;
}

/** A failure of the connection, by its code. */
export class ConnectionError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Address and options of connections. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly socketPath: string | null;
  readonly connectTimeoutMs: number;
  /** Finds the addresses of the host, where not the system's own. */
  readonly lookup: LookupFunction | undefined;
  /** That of the server's last response. */
  readonly lastHead: LastHead;
  /** Makes later handshakes shorter. */
  session: Buffer | undefined;
}

/**
 * What plain connections are read into, one for all: its bytes are looked at before anything else is read. Saves 64 KiB
 * for each read that node:net would allocate.
 */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** Bodies up to this size go out as one string together with the head. */
const MAX_JOINED = 16 * 1024;

/** Parts of a body up to this size are joined to what stands before them. */
const MAX_SHORT_PART = 1024;

/** Addresses in brackets or of four numbers are no server names. Source: RFC 6066, section 3. */
const serverName = (host: string) => (/^[\d.]+$|:/.test(host) ? '' : host);

/** One HTTP/1.1 connection, used for one exchange at a time. */
export class HttpConnection implements ResponseListener {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #reader: ResponseReader;
  #user: ConnectionUser | null = null;
  #connecting: NodeJS.Timeout | null;
  #gone = false;
  #paused = false;
  #reusable = false;
  #keepAliveMs = Infinity;
  /** Whether an exchange has been completed on it. */
  used = false;
  /** When it became free. */
  idleSinceMs = 0;

  constructor(owner: ConnectionOwner, address: Address) {
    this.#owner = owner;
    this.#reader = new ResponseReader(this, address.lastHead);
    this.#connecting = setTimeout(() => this.#fail(new ConnectionError('CONNECT_TIMEOUT')), address.connectTimeoutMs);
    this.#socket = address.tls ? this.#openTls(address) : this.#openPlain(address);
    this.#socket.setNoDelay(true);
    this.#socket.setKeepAlive(true, 30_000);
    this.#socket.once(address.tls ? 'secureConnect' : 'connect', () => this.#settleConnect());
    this.#socket.on('end', () => this.#ended());
    this.#socket.on('error', (error: Error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new ConnectionError('CLOSED_EARLY')));
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** How long the server keeps it, as far as it has said so. */
  get keepAliveMs(): number {
    return this.#keepAliveMs;
  }

  /** Whether some of the request still waits for the server to take it. */
  get sending(): boolean {
    return this.#socket.writableLength > 0;
  }

  /** Sends a request; `head`, bytes as latin1 characters, ends with the empty line. */
  send(user: ConnectionUser, head: string, body: EncodedBody): void {
    this.#user = user;
    this.#reusable = false;
    this.#reader.next();
    const socket = this.#socket;
    socket.ref();
    if (typeof body === 'string' && body.length <= MAX_JOINED) {
      socket.write(head + body, 'latin1');
      return;
    }
    socket.cork();
    let text = head;
    for (const part of typeof body === 'string' ? [body] : body) {
      // What is short costs less as a part of its neighbour than by itself.
      if (typeof part === 'string') text += part;
      else if (part.length <= MAX_SHORT_PART) text += part.toString('latin1');
      else {
        if (text !== '') socket.write(text, 'latin1');
        text = '';
        socket.write(part);
      }
    }
    if (text !== '') socket.write(text, 'latin1');
    socket.uncork();
  }

  pause(): void {
    this.#paused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket.resume();
  }

  /** After an exchange: whether it can carry another. Holds the process no longer. */
  free(): boolean {
    this.#user = null;
    if (this.#gone || !this.#reusable || !this.#reader.idle) return false;
    this.resume();
    this.used = true;
    this.#socket.unref();
    return true;
  }

  /** Closes the connection; its user is notified with an error. */
  terminate(): void {
    this.#fail(new ConnectionError('CLOSED'));
  }

  destroy(): void {
    this.#gone = true;
    this.#user = null;
    this.#reader.stop();
    this.#settleConnect();
    this.#socket.destroy();
  }

  onHeaders(status: number, headers: IncomingHttpHeaders): void {
    const hint = headers['keep-alive'];
    if (typeof hint === 'string') this.#noteKeepAlive(hint);
    this.#user?.onHeaders(status, headers);
  }

  onData(bytes: Buffer, last: boolean): void {
    this.#user?.onData(bytes, last);
  }

  onComplete(reusable: boolean): void {
    // A request that is still being sent would stand before the next one.
    this.#reusable = reusable && !this.sending;
    this.#user?.onEnd();
  }

  #openPlain({ host, port, socketPath, lookup }: Address): Socket {
    const onread = {
      buffer: shared,
      callback: (count: number) => {
        this.#read(shared.subarray(0, count));
        return true;
      },
    };
    const named = lookup ? { host, port, onread, lookup } : { host, port, onread };
    const where: NetConnectOpts = socketPath === null ? named : { path: socketPath, onread };
    return connect(where);
  }

  #openTls(address: Address): Socket {
    const { host, port, session, lookup } = address;
    const options: ConnectionOptions = {
      host,
      port,
      servername: serverName(host),
      ALPNProtocols: ['http/1.1'],
      ...(lookup ? { lookup } : {}),
    };
    const socket = connectTls(session === undefined ? options : { ...options, session });
    socket.on('session', (fresh: Buffer) => (address.session = fresh));
    socket.on('data', (bytes: Buffer) => this.#read(bytes));
    return socket;
  }

  #noteKeepAlive(hint: string): void {
    const seconds = /timeout=(\d{1,6})/i.exec(hint)?.[1];
    // The server's clock starts earlier than ours.
    if (seconds !== undefined) this.#keepAliveMs = Math.max(0, Number(seconds) * 1000 - 1000);
  }

  #settleConnect(): void {
    if (this.#connecting) clearTimeout(this.#connecting);
    this.#connecting = null;
  }

  #read(bytes: Buffer): void {
    if (this.#gone) return;
    // Nothing was asked.
    if (this.#reader.idle) return this.#fail(new ConnectionError('CLOSED_EARLY'));
    try {
      this.#reader.push(bytes);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new ConnectionError('BAD_HTTP'));
    }
  }

  #ended(): void {
    if (this.#gone || this.#reader.end()) return;
    this.#fail(new ConnectionError('CLOSED_EARLY'));
  }

  #fail(error: Error): void {
    if (this.#gone) return;
    const user = this.#user;
    this.destroy();
    this.#owner.lost(this);
    user?.onError(error);
  }
}
