import type { IncomingHttpHeaders } from 'node:http';
import { KnownHead } from '../../../../kernel/known-head.ts';

/** The head of a response. */
export interface ResponseHead {
  readonly status: number;
  /** Of HTTP/1.1; a connection of HTTP/1.0 is not used again. */
  readonly modern: boolean;
  /** Without the length of the body. */
  readonly headers: IncomingHttpHeaders;
  /** The length of the body, as it stands there. */
  readonly contentLength: string | undefined;
}

/** Whether the connection of a response may be used again after it. */
export const staysOpen = ({ modern, headers: { connection } }: ResponseHead): boolean =>
  modern && !(connection !== undefined && /\bclose\b/i.test(connection));

/** Whether a response is final, has the length that its head says, and lets its connection be used again. */
const isPlain = (head: ResponseHead): boolean =>
  head.status >= 200 && head.headers['transfer-encoding'] === undefined && staysOpen(head);

/** Other heads in a row after which only some are remembered: of a server with few requests, or with another line in each response. */
const MAX_OTHERS = 8;
const REMEMBERED_OF = 16;

/**
 * The head that came last from a server, by which the next one is read: within a second it writes the same again, but for the length of the
 * body. One for all connections to it.
 */
export class LastHead {
  #known: KnownHead | null = null;
  #head: ResponseHead | null = null;
  #others = 0;
  /** Of the head that was found last, and of its body. */
  length = 0;
  contentLength = 0;

  /** The head that bytes begin with from `from` on, but for the length of the body; null where it is another one. */
  find(bytes: Buffer, from: number): ResponseHead | null {
    const known = this.#known;
    const head = this.#head;
    if (!known || !head || !known.find(bytes, from)) return null;
    this.#others = 0;
    this.length = known.length;
    this.contentLength = known.contentLength;
    return head;
  }

  /** Remembers a head that was read from these bytes, where it is one of a body of that length alone, on a connection that stays. */
  note(bytes: Buffer, start: number, end: number, head: ResponseHead): void {
    if (!isPlain(head)) return;
    if (++this.#others > MAX_OTHERS && this.#others % REMEMBERED_OF > 0) return;
    const known = KnownHead.of(bytes, start, end);
    if (!known) return;
    this.#known = known;
    this.#head = head;
  }
}
