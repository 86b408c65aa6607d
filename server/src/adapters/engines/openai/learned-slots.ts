import { isUtf8 } from 'node:buffer';
import type { JsonText } from '../../../kernel/json-text.ts';

/** Where in a parsed event a piece of text stands, and what is done with a later one found there. */
export interface Slot {
  /** Keys under which the very same text stands: one, or two where a server sends its reasoning twice. */
  readonly keys: readonly string[];
  /** Whether the event, parsed, has `text` (ASCII) in this place. */
  holds(value: unknown, text: string): boolean;
  emit(json: JsonText): void;
}

/** The text around one slot, as it stands in the stream. */
interface Learned {
  readonly prefix: string;
  /** Between the two places of a text that is sent twice. */
  readonly between: string | null;
  readonly suffix: string;
  readonly slot: Slot;
}

/** Enough for reasoning and answer of a few choices that take turns. */
const MAX_LEARNED = 8;

/** A server whose events differ each time (a random field) is not worth learning from for longer. */
const MAX_UNUSED = 12;

const needsCheck = /["\\\u0000-\u001f]/;
const stringBody = /^(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*$/;
const beyondAscii = /[\u0080-\u00ff]/;

/** A text that does not occur in events, to try a slot with. */
const PROBE = 'probe~slot';

/** Position of the string body under `key` in `event`, from `from` on; null when it is not there or holds another text. */
function findBody(event: string, key: string, text: string, from: number): { start: number; end: number } | null {
  const pattern = new RegExp(`"${key}"[ \\t]*:[ \\t]*"((?:[^"\\\\]|\\\\.)*)"`, 'g');
  pattern.lastIndex = from;
  for (let found = pattern.exec(event); found; found = pattern.exec(event)) {
    const body = found[1] ?? '';
    const start = found.index + found[0].length - 1 - body.length;
    if (sameText(body, text)) return { start, end: start + body.length };
  }
  return null;
}

function sameText(body: string, text: string): boolean {
  try {
    if (!body.includes('\\u')) return JSON.parse(`"${body}"`) === text;
    return (
      JSON.parse(`"${Buffer.from(body, 'latin1').toString('utf8')}"`) === Buffer.from(text, 'latin1').toString('utf8')
    );
  } catch {
    // A body that only looked like a string literal.
    return false;
  }
}

function locate(event: string, slot: Slot, text: string): Learned | null {
  const bodies = slot.keys
    .map((key) => findBody(event, key, text, 0))
    .sort((a, b) => (a?.start ?? 0) - (b?.start ?? 0));
  const [first, second] = bodies;
  if (!first || second === null) return null;
  const last = second ?? first;
  return {
    prefix: event.slice(0, first.start),
    between: second ? event.slice(first.end, second.start) : null,
    suffix: event.slice(last.end),
    slot,
  };
}

/** Verifies a template: puts a probe text in place and checks that the slot then holds it. */
function isVerified({ prefix, between, suffix, slot }: Learned): boolean {
  try {
    const event = between === null ? prefix + PROBE + suffix : prefix + PROBE + between + PROBE + suffix;
    return slot.holds(JSON.parse(event), PROBE);
  } catch {
    // Not JSON: the place was not that of a string.
    return false;
  }
}

/** The string body in the middle of an event; null when the event is of another form. */
function extractBody({ prefix, between, suffix }: Learned, text: string, start: number, end: number): string | null {
  const room = end - start - prefix.length - suffix.length;
  if (room < 0 || !text.startsWith(prefix, start) || !text.endsWith(suffix, end)) return null;
  if (between === null) return text.slice(start + prefix.length, end - suffix.length);
  const length = (room - between.length) / 2;
  if (length < 0 || !Number.isInteger(length)) return null;
  const at = start + prefix.length;
  const body = text.slice(at, at + length);
  return text.startsWith(between, at + length) && text.startsWith(body, at + length + between.length) ? body : null;
}

/** Whether `body` is a valid body of a JSON string in UTF-8. */
function isValidBody(body: string, valid: boolean): boolean {
  if (needsCheck.test(body) && !stringBody.test(body)) return false;
  return valid || !beyondAscii.test(body) || isUtf8(Buffer.from(body, 'latin1'));
}

/**
 * Events of one stream differ in their text only. Once an event was parsed, the characters before and after its text are
 * kept; a later event with the same ones around a valid string body has the same meaning, so that its text is
 * taken out without parsing. Events and texts are latin1 characters standing for UTF-8 bytes.
 */
export class LearnedSlots {
  #learned: Learned[] = [];
  #unusedCount = 0;

  /** Emits the text of an event that has the form of one learned before. Returns false for all others. */
  emit(text: string, start: number, end: number, valid: boolean): boolean {
    const learned = this.#learned;
    for (let i = 0; i < learned.length; i++) {
      const one = learned[i] as Learned;
      const body = extractBody(one, text, start, end);
      if (body === null || !isValidBody(body, valid)) continue;
      if (i > 0) {
        learned.splice(i, 1);
        learned.unshift(one);
      }
      this.#unusedCount = 0;
      if (body !== '') one.slot.emit(body as JsonText);
      return true;
    }
    return false;
  }

  /** Remembers the form of an event that holds `text`, its UTF-8 bytes as latin1, in `slot` and else nothing that matters. */
  learn(event: string, slot: Slot, text: string): void {
    if (this.#unusedCount >= MAX_UNUSED) return;
    const one = locate(event, slot, text);
    if (!one || !isVerified(one)) return;
    this.#unusedCount++;
    this.#learned.unshift(one);
    if (this.#unusedCount === MAX_UNUSED) this.#learned = [];
    else if (this.#learned.length > MAX_LEARNED) this.#learned.pop();
  }

  /** Which call the arguments belong to has changed. */
  forgetArguments(): void {
    this.#learned = this.#learned.filter(({ slot }) => slot.keys[0] !== 'arguments');
  }
}
