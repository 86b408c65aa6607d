import { isUtf8 } from 'node:buffer';
import { type JsonOutline, MIN_OUTLINED_BYTES, outlineJson } from '../../../kernel/json-outline/index.ts';
import type { JsonText } from '../../../kernel/json-text.ts';
import { type ChatSink, EngineError } from '../../../ports/engine.ts';
import type { CallTarget } from './failures.ts';
import { hasWholeTexts, onlyText } from './fields.ts';
import { asObject } from './json.ts';
import type { LearnedReplies } from './learned-replies.ts';
import { LearnedSlots } from './learned-slots.ts';
import { ReplyReader, notJson } from './reply-reader.ts';
import { type EventListener, EventSplitter } from './splitter.ts';

/** Long texts of a reply that are looked for in its outline; one with more, such as of many citations, is parsed whole. */
const MAX_LONG_TEXTS = 100;

/**
 * The texts of a reply that its outline has cut, by what is left of them there; null where that does not tell them from others.
 */
function longTextsOf(outline: JsonOutline, bytes: Buffer): ReadonlyMap<string, JsonText> | null {
  const found = new Map<string, JsonText>();
  const { text, texts } = outline;
  if (texts.length > MAX_LONG_TEXTS) return null;
  const places = outline.toSource(texts.flatMap(({ start, end }) => [start, end]));
  for (const [i, { start, end }] of texts.entries()) {
    const kept = text.slice(start, end);
    const quoted = `"${kept}"`;
    if (text.indexOf(quoted) !== text.lastIndexOf(quoted)) return null;
    found.set(JSON.parse(quoted) as string, bytes.toString('latin1', places[2 * i], places[2 * i + 1]) as JsonText);
  }
  return found;
}

const BOM = '\u00ef\u00bb\u00bf';

const isDone = (text: string, start: number, end: number) =>
  text.startsWith('[DONE]', start) && text.slice(start, end).trim() === '[DONE]';

/** Turns the body of one answer into events: a stream (`push`, `end`) or a reply that came whole. Ends with exactly one `end` or `error`. */
export class ChatDecoder implements EventListener {
  readonly #call: CallTarget;
  readonly #reader: ReplyReader;
  readonly #replies: LearnedReplies | null;
  #slots: LearnedSlots | null = null;
  #splitter: EventSplitter | null = null;
  /** Whether the bytes seen since the last whole event are valid UTF-8. */
  #valid = true;

  /** `replies`: the forms of replies that were read before; left out where none are learned. */
  constructor(call: CallTarget, sink: ChatSink, replies: LearnedReplies | null = null) {
    this.#call = call;
    this.#replies = replies;
    this.#reader = new ReplyReader(call, sink, () => this.#slots?.forgetArguments());
  }

  /** Whether `end` or `error` was given out. */
  get over(): boolean {
    return this.#reader.over;
  }

  /** Takes bytes of a stream, cut anywhere. */
  push(bytes: Buffer): void {
    if (this.#reader.over) return;
    this.#splitter ??= new EventSplitter(this);
    this.#valid = isUtf8(bytes) && (this.#valid || this.#splitter.empty);
    try {
      this.#splitter.push(bytes.toString('latin1'));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#fail('sent an event without an end', error);
    }
  }

  /** The stream has ended. */
  end(): void {
    this.#splitter?.end();
    this.#ended();
  }

  /** Takes a reply that came whole. */
  whole(bytes: Buffer): void {
    const value = this.#parseOutline(bytes) ?? this.#parseWhole(bytes);
    // Cut short, or a page of a proxy.
    if (value === undefined) return this.#reader.fail(notJson(this.#call));
    this.#reader.read(value, true);
    if (this.#reader.over) return;
    if (this.#reader.allFinished) this.#reader.complete(asObject(value)?.['prompt_logprobs']);
    else this.#fail('sent a reply without choices');
  }

  /** Takes one event of the stream, for the splitter. */
  onEvent(text: string, start: number, end: number): boolean {
    if (this.#slots?.emit(text, start, end, this.#valid) === true) return !this.#reader.over;
    if (isDone(text, start, end)) this.#ended();
    else this.#parseAndRead(text.slice(start, end));
    return !this.#reader.over;
  }

  #parseAndRead(text: string): void {
    const value = this.#parse(text, this.#valid);
    if (value !== undefined) {
      const piece = this.#reader.read(value, false);
      if (!piece || this.#reader.over) return;
      const found = this.#reader.undecoded ? piece.text : Buffer.from(piece.text).toString('latin1');
      (this.#slots ??= new LearnedSlots()).learn(text, piece.slot, found);
      return;
    }
    // Some servers leave out the empty line between events, so that each line is an event of its own.
    const lines = text.split('\n');
    if (lines.length > 1) {
      for (const line of lines) if (!this.#reader.over) this.onEvent(line, 0, line.length);
      return;
    }
    // After the finish reason nothing of worth can come; what trails is let go.
    if (text.trim() !== '' && !this.#reader.allFinished) this.#reader.fail(notJson(this.#call));
  }

  #parseWhole(bytes: Buffer): unknown {
    const latin1 = bytes.toString('latin1');
    const text = latin1.startsWith(BOM) ? latin1.slice(BOM.length) : latin1;
    const sound = isUtf8(bytes);
    const replies = sound && !text.includes('\\u') ? this.#replies : null;
    const known = replies?.read(text);
    if (known !== undefined) {
      this.#reader.undecoded = this.#reader.escaped = true;
      return known;
    }
    const value = this.#parse(text, sound);
    if (value !== undefined && this.#reader.undecoded) replies?.learn(text, value);
    return value;
  }

  /** A large reply whose long texts go on as they are, without becoming strings of their own first; undefined for any other. */
  #parseOutline(bytes: Buffer): unknown {
    if (bytes.length < MIN_OUTLINED_BYTES || !isUtf8(bytes) || bytes.includes('\\u')) return undefined;
    const outline = outlineJson(bytes);
    const longTexts = outline && longTextsOf(outline, bytes);
    if (!longTexts) return undefined;
    try {
      const value = JSON.parse(outline.text) as unknown;
      if (!onlyText(value) || !hasWholeTexts(value)) return undefined;
      this.#reader.undecoded = true;
      this.#reader.longTexts = longTexts;
      return value;
    } catch {
      return undefined;
    }
  }

  /**
   * Parses latin1 characters that stand for UTF-8 bytes, and leaves texts so where that will do: without escapes that
   * mean characters, they can go on as they are. Undefined when it is not JSON.
   */
  #parse(text: string, sound: boolean): unknown {
    try {
      if (sound && !text.includes('\\u')) {
        const value = JSON.parse(text) as unknown;
        this.#reader.undecoded = onlyText(value);
        if (this.#reader.undecoded) return value;
      }
      this.#reader.undecoded = false;
      return JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as unknown;
    } catch {
      // The caller decides what a text that is not JSON means.
      return undefined;
    }
  }

  #ended(): void {
    if (this.#reader.over) return;
    if (this.#reader.allFinished) this.#reader.complete(null);
    else this.#fail('ended the stream without a finish reason');
  }

  #fail(what: string, cause?: unknown): void {
    this.#reader.fail(new EngineError('protocol', `Engine ${this.#call.engineId} ${what}`, { cause }));
  }
}
