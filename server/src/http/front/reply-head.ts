import { STATUS_CODES } from 'node:http';
import type { FlatHeaders } from '../../http-kit/http-exchange.ts';

/** What a value may not hold: it would end its line. Source: RFC 9110, section 5.5. */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;

/** Returns a function that gives the time as HTTP writes it, made once a second. Source: RFC 9110, section 5.6.7. */
export function createHttpDate(): () => string {
  let second = 0;
  let date = '';
  return () => {
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      second = now;
      date = new Date(now * 1000).toUTCString();
    }
    return date;
  };
}

/** What the head says of the connection, beside the reply itself. */
export interface ReplyFrame {
  /** The connection is closed. */
  readonly closes: boolean;
  /** How long it is kept otherwise. */
  readonly keepAliveMs: number;
  /** The time, as HTTP writes it. */
  readonly date: string;
}

/** Values of headers that were found right, by their places: most are the same in the next reply. */
const right: string[] = [];

/** Throws TypeError for what is no value of a header. */
function checkValue(value: string, place: number, name: string): void {
  if (right[place] === value) return;
  if (FORBIDDEN.test(value)) throw new TypeError(`Not the value of a header: ${name}`);
  right[place] = value;
}

const statusLine = (status: number) => `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
const OK = statusLine(200);

/** The head of a reply, in the words and the order of node:http. Throws TypeError for a value that is none. */
export function renderReplyHead(
  status: number,
  headers: FlatHeaders,
  { closes, keepAliveMs, date }: ReplyFrame,
  isStream: boolean,
): string {
  let text = status === 200 ? OK : statusLine(status);
  if (closes) text += 'Connection: close\r\n';
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1] ?? '';
    checkValue(value, at, name);
    text += `${name}: ${value}\r\n`;
  }
  text += `Date: ${date}\r\n`;
  if (!closes) text += `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n`;
  return isStream ? `${text}Transfer-Encoding: chunked\r\n\r\n` : `${text}\r\n`;
}
