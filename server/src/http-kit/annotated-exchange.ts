import type { IncomingHttpHeaders } from 'node:http';
import type { ExchangeListener, FlatHeaders, HttpExchange } from './http-exchange.ts';

/** An exchange whose reply carries more headers than its handler gives it. */
export class AnnotatedExchange implements HttpExchange {
  readonly #of: HttpExchange;
  readonly #more: FlatHeaders;

  constructor(of: HttpExchange, more: Readonly<Record<string, string>>) {
    this.#of = of;
    this.#more = Object.entries(more).flat();
  }

  get headers(): IncomingHttpHeaders {
    return this.#of.headers;
  }

  get url(): string {
    return this.#of.url;
  }

  get isComplete(): boolean {
    return this.#of.isComplete;
  }

  get headersSent(): boolean {
    return this.#of.headersSent;
  }

  get statusCode(): number {
    return this.#of.statusCode;
  }

  get isEnded(): boolean {
    return this.#of.isEnded;
  }

  get isFinished(): boolean {
    return this.#of.isFinished;
  }

  listen(listener: ExchangeListener): void {
    this.#of.listen(listener);
  }

  readBody(maxBytes: number): Buffer | Promise<Buffer> {
    return this.#of.readBody(maxBytes);
  }

  releaseBody(): void {
    this.#of.releaseBody();
  }

  discardBody(): void {
    this.#of.discardBody();
  }

  reply(status: number, headers: FlatHeaders, bytes: string): void {
    this.#of.reply(status, [...headers, ...this.#more], bytes);
  }

  openStream(status: number, headers: FlatHeaders): void {
    this.#of.openStream(status, [...headers, ...this.#more]);
  }

  write(bytes: string): boolean {
    return this.#of.write(bytes);
  }

  end(): void {
    this.#of.end();
  }

  endConnection(): void {
    this.#of.endConnection();
  }
}
