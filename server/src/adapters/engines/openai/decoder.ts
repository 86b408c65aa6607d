import { isUtf8 } from 'node:buffer';
import { EMPTY_JSON_TEXT, type JsonText, toJsonText } from '../../../kernel/json-text.ts';
import { type ChatEvent, type ChatSink, EngineError, type EngineUsage } from '../../../ports/engine.ts';
import { type FailedCall, eventFailure, readComplaint } from './failures.ts';
import { deltaOf, firstChoice, onlyText, partsOf, readUsage, stopString } from './fields.ts';
import { finishReason } from './finish-reasons.ts';
import { type JsonObject, asArray, asNumber, asObject, asText } from './json.ts';
import { type LearnedSlots, type Slot, createLearnedSlots } from './learned-slots.ts';
import { type EventSplitter, createEventSplitter } from './splitter.ts';
import { type OpenCall, type ToolCalls, createToolCalls } from './tool-calls.ts';

/** Turns the body of an answer into events. Ends with exactly one `end` or `error`. */
export interface ChatDecoder {
  /** Takes bytes of a stream, cut anywhere. */
  push(bytes: Buffer): void;
  /** The stream has ended. */
  end(): void;
  /** Takes a reply that came whole. */
  whole(bytes: Buffer): void;
  /** Whether `end` or `error` was given out. */
  readonly over: boolean;
}

interface Choice {
  readonly index: number;
  /** Made with the first call. */
  calls: ToolCalls | null;
  finished: boolean;
  /** Whether anything of it was given out. */
  begun: boolean;
}

/** One piece of text found in an event. */
interface Piece {
  readonly slot: Slot;
  readonly text: string;
}

const notJson = ({ engineId }: FailedCall) => new EngineError('protocol', `Engine ${engineId} sent something that is not JSON`);

const isDone = (text: string, start: number, end: number) =>
  text.startsWith('[DONE]', start) && text.slice(start, end).trim() === '[DONE]';

export function createChatDecoder(call: FailedCall, sink: ChatSink): ChatDecoder {
  const choices = new Map<number, Choice>();
  let slots: LearnedSlots | null = null;
  let splitter: EventSplitter | null = null;
  let over = false;
  let usage: EngineUsage | null = null;
  let fingerprint: string | null = null;
  /** Whether the bytes seen since the last whole event are valid UTF-8. */
  let valid = true;
  /** Whether texts of the object that is read are latin1 characters standing for UTF-8 bytes. */
  let undecoded = false;

  const toJson = (text: string): JsonText => (undecoded ? (JSON.stringify(text).slice(1, -1) as JsonText) : toJsonText(text));

  const emit = (event: ChatEvent) => {
    if (!over) sink(event);
  };
  const fail = (error: EngineError) => {
    if (over) return;
    sink({ type: 'error', error });
    over = true;
  };
  const complete = (promptLogprobs: unknown) => {
    if (usage) emit({ type: 'usage', usage });
    emit({ type: 'end', systemFingerprint: fingerprint, ...(promptLogprobs == null ? {} : { promptLogprobs }) });
    over = true;
  };

  const choiceAt = (index: number): Choice => {
    const known = choices.get(index);
    if (known) return known;
    const choice: Choice = { index, calls: null, finished: false, begun: false };
    choices.set(index, choice);
    return choice;
  };
  const forgetArguments = () => slots?.forget((slot) => slot.keys[0] === 'arguments');
  const callsOf = (choice: Choice): ToolCalls => (choice.calls ??= createToolCalls(choice.index, emit, forgetArguments));

  const textSlot = (choice: Choice, channel: 'content' | 'reasoning', keys: readonly string[]): Slot => ({
    keys,
    holds: (event, text) => {
      const first = firstChoice(event);
      const place = keys[0] === 'text' ? first : deltaOf(first);
      return keys.every((key) => place?.[key] === text);
    },
    emit: (json) => {
      if (!choice.finished) emit({ type: 'text', choice: choice.index, channel, json });
    },
  });
  const argumentsSlot = (choice: Choice, open: OpenCall): Slot => ({
    keys: ['arguments'],
    holds: (event, text) =>
      asObject(asObject(asArray(deltaOf(firstChoice(event))?.['tool_calls'])[0])?.['function'])?.['arguments'] === text,
    emit: (json) => {
      if (!choice.finished) callsOf(choice).append(open, json);
    },
  });

  const emitText = (choice: Choice, channel: 'content' | 'reasoning', json: JsonText, logprobs: JsonObject | null) => {
    choice.begun = true;
    emit({ type: 'text', choice: choice.index, channel, json, ...(logprobs ? { logprobs } : {}) });
  };

  /** Gives out the text of a delta or message. Returns what could be learned: null unless it was one plain piece. */
  const readText = (choice: Choice, delta: JsonObject, logprobs: JsonObject | null): Piece | null => {
    const parts = Array.isArray(delta['content']) ? partsOf(delta['content']) : null;
    const keys = ['reasoning_content', 'reasoning'].filter((key) => asText(delta[key]) !== null);
    const reasoning = keys.length > 0 ? (delta[keys[0] as string] as string) : (parts?.reasoning ?? '');
    const content = parts?.content ?? asText(delta['content']) ?? '';
    const refusal = asText(delta['refusal']) ?? '';
    const answer = content + refusal;
    if (reasoning !== '') emitText(choice, 'reasoning', toJson(reasoning), answer === '' ? logprobs : null);
    if (answer !== '') emitText(choice, 'content', toJson(answer), logprobs);
    if (reasoning === '' && answer === '' && logprobs && asArray(logprobs['content']).length > 0) {
      emitText(choice, 'content', EMPTY_JSON_TEXT, logprobs);
    }
    if (logprobs || parts || refusal !== '' || (reasoning !== '') === (answer !== '')) return null;
    return answer !== ''
      ? { slot: textSlot(choice, 'content', ['content']), text: answer }
      : { slot: textSlot(choice, 'reasoning', keys), text: reasoning };
  };

  /** Gives out the tool calls of a delta or message. Returns what could be learned. */
  const readCalls = (choice: Choice, delta: JsonObject): Piece | null => {
    const legacy = asObject(delta['function_call']);
    const elements = legacy ? [{ index: 0, function: legacy }] : asArray(delta['tool_calls']).map(asObject).filter((element) => element !== null);
    let last: Piece | null = null;
    for (const element of elements) {
      choice.begun = true;
      const open = callsOf(choice).take(element);
      const fields = asObject(element['function']);
      const text = asText(fields?.['arguments']);
      const plain = open?.named === true && text !== null && asText(fields?.['name']) === null && asNumber(element['index']) !== null;
      last = plain ? { slot: argumentsSlot(choice, open), text } : null;
    }
    return elements.length === 1 && !legacy ? last : null;
  };

  const finish = (choice: Choice, given: string, stop: string | null) => {
    choice.calls?.flush();
    const reason = finishReason(given, (choice.calls?.count ?? 0) > 0);
    if (reason === 'failed') return fail(new EngineError('unavailable', `Engine ${call.engineId} broke off the reply (${given.slice(0, 40)})`));
    choice.finished = true;
    emit({ type: 'finish', choice: choice.index, reason, stop });
  };

  /** Reads one choice. Returns what could be learned from it. */
  const readChoice = (given: JsonObject, position: number, whole: boolean): Piece | null => {
    const choice = choiceAt(asNumber(given['index']) ?? position);
    if (choice.finished) return null;
    const message = asObject(given['message']);
    const delta = whole ? message : (deltaOf(given) ?? (choice.begun ? null : message));
    const logprobs = asObject(given['logprobs']);
    let piece: Piece | null = null;
    if (delta) {
      const text = readText(choice, delta, logprobs);
      const calls = over ? null : readCalls(choice, delta);
      const hasCalls = asArray(delta['tool_calls']).length > 0 || asObject(delta['function_call']) !== null;
      const hasText = text !== null || logprobs !== null || ['content', 'reasoning', 'reasoning_content', 'refusal'].some((key) => asText(delta[key]) !== null);
      piece = hasCalls ? (hasText ? null : calls) : text;
    } else {
      const text = asText(given['text']);
      if (text !== null) emitText(choice, 'content', toJson(text), logprobs);
    }
    const reason = asText(given['finish_reason']) ?? (whole ? 'stop' : null);
    if (reason !== null && !over) finish(choice, reason, stopString(given));
    return reason === null && deltaOf(given) ? piece : null;
  };

  /** Reads one parsed object. Returns what could be learned from it. */
  const read = (value: unknown, whole: boolean): Piece | null => {
    const top = asObject(value);
    if (!top) {
      fail(notJson(call));
      return null;
    }
    const complaint = 'choices' in top && top['error'] == null ? null : readComplaint(top);
    if (complaint) {
      fail(eventFailure(call, complaint));
      return null;
    }
    fingerprint = asText(top['system_fingerprint']) ?? fingerprint;
    const counted = readUsage(top['usage']);
    usage = counted ?? usage;
    const given = asArray(top['choices']).map(asObject).filter((choice) => choice !== null);
    let piece: Piece | null = null;
    for (const [position, choice] of given.entries()) if (!over) piece = readChoice(choice, position, whole);
    return given.length === 1 && counted === null ? piece : null;
  };

  /**
   * Parses latin1 characters that stand for UTF-8 bytes, and leaves texts so where that will do: without escapes that
   * mean characters, they can go on as they are. Undefined when it is not JSON.
   */
  const parse = (text: string, sound: boolean): unknown => {
    try {
      if (sound && !text.includes('\\u')) {
        const value = JSON.parse(text) as unknown;
        undecoded = onlyText(value);
        if (undecoded) return value;
      }
      undecoded = false;
      return JSON.parse(Buffer.from(text, 'latin1').toString('utf8')) as unknown;
    } catch {
      // The caller decides what a text that is not JSON means.
      return undefined;
    }
  };

  /** Every choice begun has its finish reason. */
  const allFinished = () => choices.size > 0 && [...choices.values()].every((choice) => choice.finished);

  const ended = () => {
    if (over) return;
    if (allFinished()) return complete(null);
    fail(new EngineError('protocol', `Engine ${call.engineId} ended the stream without a finish reason`));
  };

  const parseAndRead = (text: string) => {
    const value = parse(text, valid);
    if (value !== undefined) {
      const piece = read(value, false);
      if (piece && !over) (slots ??= createLearnedSlots()).learn(text, piece.slot, undecoded ? piece.text : Buffer.from(piece.text).toString('latin1'));
      return;
    }
    // Some servers leave out the empty line between events, so that each line is an event of its own.
    const lines = text.split('\n');
    if (lines.length > 1) {
      for (const line of lines) if (!over) onEvent(line, 0, line.length);
      return;
    }
    // After the finish reason nothing of worth can come; what trails is let go.
    if (text.trim() !== '' && !allFinished()) fail(notJson(call));
  };

  const onEvent = (text: string, start: number, end: number): boolean => {
    if (slots?.emit(text, start, end, valid)) return !over;
    if (isDone(text, start, end)) ended();
    else parseAndRead(text.slice(start, end));
    return !over;
  };

  return {
    push(bytes) {
      if (over) return;
      splitter ??= createEventSplitter(onEvent);
      const wholeBytes = isUtf8(bytes);
      valid = wholeBytes && (valid || splitter.empty);
      try {
        splitter.push(bytes.toString('latin1'));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        fail(new EngineError('protocol', `Engine ${call.engineId} sent an event without an end`, { cause: error }));
      }
    },
    end() {
      splitter?.end();
      ended();
    },
    whole(bytes) {
      const value = parse(bytes.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, ''), isUtf8(bytes));
      // Cut short, or a page of a proxy.
      if (value === undefined) return fail(notJson(call));
      read(value, true);
      if (over) return;
      if (!allFinished()) return fail(new EngineError('protocol', `Engine ${call.engineId} sent a reply without choices`));
      complete(asObject(value)?.['prompt_logprobs']);
    },
    get over() {
      return over;
    },
  };
}
