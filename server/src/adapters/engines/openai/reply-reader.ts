import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import { EMPTY_JSON_TEXT, type JsonText, toJsonText } from '../../../kernel/json-text.ts';
import { type ChatEvent, type ChatSink, EngineError, type EngineUsage } from '../../../ports/engine.ts';
import { type CallTarget, eventFailure, readServerError } from './failures.ts';
import { deltaOf, firstChoice, partsOf, readUsage, stopString } from './fields.ts';
import { finishReason } from './finish-reasons.ts';
import { type JsonObject, asArray, asNumber, asObject, asText } from './json.ts';
import type { Slot } from './learned-slots.ts';
import { type OpenCall, type ToolCalls, createToolCalls } from './tool-calls.ts';

type Channel = 'content' | 'reasoning';

interface Choice {
  readonly index: number;
  /** Made with the first call. */
  calls: ToolCalls | null;
  finished: boolean;
  /** Whether anything of it was given out. */
  begun: boolean;
}

/** One piece of text found in an object, such that later objects of the same form can be read without parsing. */
export interface Piece {
  readonly slot: Slot;
  readonly text: string;
}

export const notJson = ({ engineId }: CallTarget): EngineError =>
  new EngineError('protocol', `Engine ${engineId} sent something that is not JSON`);

class TextSlot implements Slot {
  readonly keys: readonly string[];
  readonly #reader: ReplyReader;
  readonly #choice: Choice;
  readonly #channel: Channel;

  constructor(reader: ReplyReader, choice: Choice, channel: Channel, keys: readonly string[]) {
    this.keys = keys;
    this.#reader = reader;
    this.#choice = choice;
    this.#channel = channel;
  }

  holds(event: unknown, text: string): boolean {
    const delta = deltaOf(firstChoice(event));
    return this.keys.every((key) => delta?.[key] === text);
  }

  emit(json: JsonText): void {
    const { index, finished } = this.#choice;
    if (!finished) this.#reader.emit({ type: 'text', choice: index, channel: this.#channel, json });
  }
}

const ARGUMENTS = ['arguments'] as const;

class ArgumentsSlot implements Slot {
  readonly keys = ARGUMENTS;
  readonly #choice: Choice;
  readonly #open: OpenCall;

  constructor(choice: Choice, open: OpenCall) {
    this.#choice = choice;
    this.#open = open;
  }

  holds(event: unknown, text: string): boolean {
    const call = asObject(asArray(deltaOf(firstChoice(event))?.['tool_calls'])[0]);
    return asObject(call?.['function'])?.['arguments'] === text;
  }

  emit(json: JsonText): void {
    if (!this.#choice.finished) this.#choice.calls?.append(this.#open, json);
  }
}

const textKeys = ['content', 'refusal', ...reasoningKeys] as const;

/**
 * Reads parsed replies and stream events of the format, in all its dialects, and gives out what they hold.
 * A class, as thousands are open at one time and closures would weigh more than the rest.
 */
export class ReplyReader {
  readonly #call: CallTarget;
  readonly #sink: ChatSink;
  readonly #onNewCall: () => void;
  readonly #choices: Choice[] = [];
  #usage: EngineUsage | null = null;
  #fingerprint: string | null = null;
  /** Whether `end` or `error` was given out. */
  over = false;
  /** Whether texts of the object that is read are latin1 characters standing for UTF-8 bytes. */
  undecoded = false;
  /** Whether they are the insides of JSON strings already. */
  escaped = false;
  /** Texts as they came, by their beginnings that the object has in their place. */
  longTexts: ReadonlyMap<string, JsonText> | null = null;

  constructor(call: CallTarget, sink: ChatSink, onNewCall: () => void) {
    this.#call = call;
    this.#sink = sink;
    this.#onNewCall = onNewCall;
  }

  emit(event: ChatEvent): void {
    if (!this.over) this.#sink(event);
  }

  fail(error: EngineError): void {
    if (this.over) return;
    this.#sink({ type: 'error', error });
    this.over = true;
  }

  /** Whether every choice that has begun has its finish reason. */
  get allFinished(): boolean {
    return this.#choices.length > 0 && this.#choices.every((choice) => choice.finished);
  }

  complete(promptLogprobs: unknown): void {
    if (this.#usage) this.emit({ type: 'usage', usage: this.#usage });
    this.emit({
      type: 'end',
      systemFingerprint: this.#fingerprint,
      ...(promptLogprobs == null ? {} : { promptLogprobs }),
    });
    this.over = true;
  }

  /** Reads one parsed object. Returns what could be learned from it: null unless it held one plain piece of text. */
  read(value: unknown, whole: boolean): Piece | null {
    const top = asObject(value);
    const serverError = top && 'choices' in top && top['error'] == null ? null : readServerError(value);
    if (!top || serverError) {
      this.fail(serverError ? eventFailure(this.#call, serverError) : notJson(this.#call));
      return null;
    }
    this.#fingerprint = asText(top['system_fingerprint']) ?? this.#fingerprint;
    const counted = readUsage(top['usage']);
    this.#usage = counted ?? this.#usage;
    const given = asArray(top['choices']);
    let piece: Piece | null = null;
    for (let i = 0; i < given.length && !this.over; i++) {
      const choice = asObject(given[i]);
      if (choice) piece = this.#readChoice(choice, i, whole);
    }
    return given.length === 1 && counted === null ? piece : null;
  }

  #readChoice(given: JsonObject, position: number, whole: boolean): Piece | null {
    const choice = this.#choiceAt(asNumber(given['index']) ?? position);
    if (choice.finished) return null;
    const message = asObject(given['message']);
    const delta = whole ? message : (deltaOf(given) ?? (choice.begun ? null : message));
    const logprobs = asObject(given['logprobs']);
    const piece = delta ? this.#readDelta(choice, delta, logprobs, whole) : this.#readPlain(choice, given, logprobs);
    const reason = asText(given['finish_reason']) ?? (whole ? 'stop' : null);
    if (reason !== null && !this.over) this.#finish(choice, reason, stopString(given));
    return reason === null && deltaOf(given) ? piece : null;
  }

  #choiceAt(index: number): Choice {
    const known = this.#choices.find((choice) => choice.index === index);
    if (known) return known;
    const choice: Choice = { index, calls: null, finished: false, begun: false };
    this.#choices.push(choice);
    return choice;
  }

  /** Text of the completions format, which some servers use for chats too. */
  #readPlain(choice: Choice, given: JsonObject, logprobs: JsonObject | null): null {
    const text = asText(given['text']);
    if (text !== null) this.#emitText(choice, 'content', this.#toJson(text), logprobs);
    return null;
  }

  #readDelta(choice: Choice, delta: JsonObject, logprobs: JsonObject | null, whole: boolean): Piece | null {
    const text = this.#readText(choice, delta, logprobs);
    const legacy = asObject(delta['function_call']);
    const elements = legacy ? [{ index: 0, function: legacy }] : asArray(delta['tool_calls']);
    if (elements.length === 0) return text;
    const call = this.over ? null : this.#readCalls(choice, elements, whole);
    const alone =
      logprobs === null && textKeys.every((key) => asText(delta[key]) === null) && !Array.isArray(delta['content']);
    return alone && !legacy ? call : null;
  }

  #readText(choice: Choice, delta: JsonObject, logprobs: JsonObject | null): Piece | null {
    const parts = Array.isArray(delta['content']) ? partsOf(delta['content']) : null;
    const keys = reasoningKeys.filter((key) => asText(delta[key]) !== null);
    // Under both keys it is the same text.
    const reasoning = keys[0] === undefined ? (parts?.reasoning ?? '') : (delta[keys[0]] as string);
    const refusal = asText(delta['refusal']) ?? '';
    const answer = (parts?.content ?? asText(delta['content']) ?? '') + refusal;
    if (reasoning !== '') this.#emitText(choice, 'reasoning', this.#toJson(reasoning), answer === '' ? logprobs : null);
    if (answer !== '') this.#emitText(choice, 'content', this.#toJson(answer), logprobs);
    else if (reasoning === '' && logprobs && asArray(logprobs['content']).length > 0) {
      this.#emitText(choice, 'content', EMPTY_JSON_TEXT, logprobs);
    }
    if (logprobs || parts || refusal !== '' || (reasoning !== '') === (answer !== '')) return null;
    return answer !== ''
      ? { slot: new TextSlot(this, choice, 'content', ['content']), text: answer }
      : { slot: new TextSlot(this, choice, 'reasoning', keys), text: reasoning };
  }

  #readCalls(choice: Choice, elements: readonly unknown[], whole: boolean): Piece | null {
    choice.calls ??= createToolCalls(choice.index, (event) => this.emit(event), this.#onNewCall);
    choice.begun = true;
    let last: Piece | null = null;
    const siblings: OpenCall[] = [];
    for (const element of elements.map(asObject)) {
      if (!element) continue;
      const open = choice.calls.take(element, siblings, whole);
      if (open) siblings.push(open);
      const fields = asObject(element['function']);
      const text = asText(fields?.['arguments']);
      const plain =
        open?.named === true &&
        text !== null &&
        asText(fields?.['name']) === null &&
        asNumber(element['index']) !== null;
      last = plain ? { slot: new ArgumentsSlot(choice, open), text } : null;
    }
    return elements.length === 1 ? last : null;
  }

  #finish(choice: Choice, given: string, stop: string | null): void {
    choice.calls?.flush();
    const reason = finishReason(given, (choice.calls?.count ?? 0) > 0);
    if (reason === 'failed') {
      return this.fail(
        new EngineError('unavailable', `Engine ${this.#call.engineId} broke off the reply (${given.slice(0, 40)})`),
      );
    }
    choice.finished = true;
    this.emit({ type: 'finish', choice: choice.index, reason, stop });
  }

  #emitText(choice: Choice, channel: Channel, json: JsonText, logprobs: JsonObject | null): void {
    choice.begun = true;
    this.emit(
      logprobs
        ? { type: 'text', choice: choice.index, channel, json, logprobs }
        : { type: 'text', choice: choice.index, channel, json },
    );
  }

  #toJson(text: string): JsonText {
    if (this.escaped) return text as JsonText;
    const long = this.longTexts?.get(text);
    if (long !== undefined) return long;
    return this.undecoded ? (JSON.stringify(text).slice(1, -1) as JsonText) : toJsonText(text);
  }
}
