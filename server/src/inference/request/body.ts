import { reasoningKeys } from '@ai-studio/contract/chat/reasoning-keys.ts';
import { ChatRequest, type Message } from '@ai-studio/contract/chat/request.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import { memoizeNames } from '../../kernel/memoize.ts';
import type { BodyEdits, ChatBody, EncodedBody } from '../../ports/engine.ts';
import { hasBrokenArguments, withSoundArguments } from './call-arguments.ts';
import { parseJson } from './check.ts';
import type { JsonOutline } from '../../kernel/json-outline/index.ts';
import { type ScannedObject, scanObject } from '../../kernel/json-scan.ts';
import { type TextChange, changedBytes, changedParts, changedText } from '../../kernel/json-splice.ts';

/** Fields of the interface; all others are accepted and go no further. */
const known: ReadonlySet<string> = new Set(Object.keys(ChatRequest.shape));

/** Unknown fields that are named: a body may have a hundred thousand. */
const MAX_UNKNOWN_FIELDS = 100;

/** Names of the fields of a body that are not known, the first of very many; null for none. */
export function unknownFields(body: object, names: ReadonlySet<string> = known): readonly string[] | null {
  let found: string[] | null = null;
  for (const name in body) if (!names.has(name) && (found ??= []).push(name) === MAX_UNKNOWN_FIELDS) return found;
  return found;
}

/** Fields of a body that the interface does not have. */
export interface ExtraFields {
  /** Their names, the first of very many. */
  names: readonly string[];
  /** Those that went on to the engine that was asked last. */
  passed: ReadonlySet<string>;
}

const NO_FIELDS: ReadonlySet<string> = new Set();
const NO_NAMES: readonly string[] = [];

/** The fields of a body that are not known, none of them passed on so far; null for none. */
export function extraFields(body: object, decode: (name: string) => string): ExtraFields | null {
  const names = unknownFields(body);
  return names && { names: names.map(decode), passed: NO_FIELDS };
}

/** The same fields under the names that another form of the request leaves over. The body notes what is passed on in the same place. */
export function renameExtras(extras: ExtraFields | null, names: readonly string[] | null): ExtraFields | null {
  if (extras === null) return names && { names, passed: NO_FIELDS };
  extras.names = names ?? NO_NAMES;
  return extras;
}

/** Another engine is about to be asked: nothing was passed on to it so far. */
export function forgetPassed(extras: ExtraFields | null): void {
  if (extras) extras.passed = NO_FIELDS;
}

/** Names of fields that the engine was not given. */
export const ignoredOf = (extras: ExtraFields | null): readonly string[] =>
  extras === null ? NO_NAMES : extras.names.filter((name) => !extras.passed.has(name));

/** Known fields that engines are told in another way, or not at all. */
const internalFields: ReadonlySet<string> = new Set([
  'max_completion_tokens',
  'metadata',
  'chat_template_kwargs',
  'reasoning_effort',
]);

type AssistantMessage = Extract<Message, { role: 'assistant' }>;

function carriesReasoning(message: AssistantMessage): boolean {
  for (const key of reasoningKeys) if (message[key] !== undefined) return true;
  return false;
}

/** Whether a message holds something that engines must not see, or see under another name. */
function needsChange(message: Message): boolean {
  if (message.role === 'developer') return true;
  if (message.role !== 'assistant') return false;
  const { tool_calls: calls } = message;
  if (calls === null || calls?.length === 0 || carriesReasoning(message)) return true;
  return calls !== undefined && hasBrokenArguments(calls);
}

function anyNeedsChange(messages: readonly Message[]): boolean {
  for (let i = 0; i < messages.length; i++) if (needsChange(messages[i] as Message)) return true;
  return false;
}

function engineMessage(message: Message): Message {
  if (message.role === 'developer') return { ...message, role: 'system' };
  if (message.role !== 'assistant') return message;
  const { tool_calls: calls, ...rest } = message;
  for (const key of reasoningKeys) delete rest[key];
  return calls && calls.length > 0
    ? { ...rest, tool_calls: withSoundArguments(calls) }
    : { ...rest, content: rest.content ?? '' };
}

function withSystem(messages: readonly Message[], lines: readonly string[]): Message[] {
  if (lines.length === 0) return [...messages];
  const text = lines.join('\n');
  const [first, ...others] = messages;
  if (first?.role === 'system' && typeof first.content === 'string') {
    return [{ ...first, content: `${first.content}\n\n${text}` }, ...others];
  }
  return [{ role: 'system', content: text }, ...messages];
}

/** JSON text of a value that came out of JSON.parse. Nesting too deep for the engine's stack is the caller's fault. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    if (cause instanceof RangeError) throw invalidRequest('The body is nested too deeply');
    throw cause;
  }
}

export interface BodyOptions {
  /** The body as it came, valid UTF-8. */
  readonly bytes: Buffer;
  /** The same bytes as latin1 characters, or those of its outline. */
  readonly latin1: string;
  readonly outline?: JsonOutline | null | undefined;
  /** The body parsed from `latin1`: right in structure, keys and numbers, wrong in text that is long or beyond ASCII. */
  readonly view: ChatRequest;
  /** Where its fields stand in `bytes`, where that was looked for already. */
  readonly scanned?: ScannedObject | undefined;
  /** Fields that the plan sets (a value) or takes away (undefined). */
  readonly edits: BodyEdits;
  /** Lines for a system message before all others. */
  readonly system: readonly string[];
  /** Fields that are not known, which it notes as passed on; null for none. */
  readonly extras?: ExtraFields | null;
  /** Texts of messages that stand in the bytes instead of others. */
  readonly changes?: readonly TextChange[];
}

function isEmpty(edits: BodyEdits): boolean {
  for (const _key in edits) return false;
  return true;
}

/** Where the fields of a body stand in its bytes. `names` as of {@link scanObject}. */
export function scanBody(
  { latin1, outline }: Pick<BodyOptions, 'latin1' | 'outline'>,
  names?: readonly string[],
): ScannedObject {
  const scanned = scanObject(latin1, names);
  if (!outline) return scanned;
  const { members, duplicates } = scanned;
  const places = outline.toSource(members.flatMap(({ start, valueStart, end }) => [start, valueStart, end]));
  const place = (at: number): number => places[at] ?? 0;
  return {
    members: members.map(({ key }, i) => ({
      key,
      start: place(3 * i),
      valueStart: place(3 * i + 1),
      end: place(3 * i + 2),
    })),
    duplicates,
  };
}

/**
 * The request as engines get it. The client's own bytes are kept wherever nothing needs to change. A class: an object
 * literal with a getter costs a shape of its own each time.
 */
class PlannedBody implements ChatBody {
  readonly #options: BodyOptions;
  readonly #changed: boolean;
  #request: ChatRequest | undefined;
  #scanned: ScannedObject | undefined;

  constructor(options: BodyOptions) {
    this.#options = options;
    this.#scanned = options.scanned;
    this.#changed = options.system.length > 0 || anyNeedsChange(options.view.messages);
  }

  get request(): ChatRequest {
    this.#request ??= this.#decode();
    return this.#request;
  }

  peek(field: string): unknown {
    const { edits, view } = this.#options;
    if (field in edits) return edits[field];
    return internalFields.has(field) ? undefined : ((view as Record<string, unknown>)[field] ?? undefined);
  }

  /** Whether the caller gave a top-level field. */
  has(field: string): boolean {
    return ((this.#options.view as Record<string, unknown>)[field] ?? undefined) !== undefined;
  }

  encode(more: BodyEdits, wanted: ReadonlySet<string> = NO_FIELDS): EncodedBody {
    const { edits, view, extras = null } = this.#options;
    // Where all fields are known, their names are plain.
    const scanned = (this.#scanned ??= scanBody(this.#options, extras === null ? Object.keys(view) : undefined));
    let all: BodyEdits = isEmpty(edits) ? more : { ...edits, ...more };
    const passed =
      extras === null ? NO_FIELDS : new Set(extras.names.filter((name) => wanted.has(name) && !(name in all)));
    if (extras) extras.passed = passed;
    if (scanned.duplicates)
      return [
        Buffer.from(stringify(withoutUndefined({ ...this.request, ...this.#pick(passed), ...cleared(), ...all }))),
      ];
    if (this.#changed && !('messages' in more)) all = { ...all, messages: this.request.messages };
    return splice(this.#options, scanned, all, passed);
  }

  /** The same request with other texts in its messages. */
  withTexts(changes: readonly TextChange[]): PlannedBody {
    return new PlannedBody({ ...this.#options, scanned: this.#scanned, changes });
  }

  /** The body as it came, as far as its texts were not changed. */
  #text(): string {
    const { bytes, changes } = this.#options;
    return (changes ? changedBytes(bytes, changes) : bytes).toString('utf8');
  }

  /** Top-level fields as the client gave them. */
  #pick(names: ReadonlySet<string>): Record<string, unknown> {
    if (names.size === 0) return {};
    const parsed = parseJson(this.#text()) as Record<string, unknown>;
    return Object.fromEntries([...names].map((name) => [name, parsed[name]]));
  }

  #decode(): ChatRequest {
    const { system } = this.#options;
    const parsed = parseJson(this.#text()) as Record<string, unknown>;
    const kept: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(parsed)) if (value !== null && known.has(key)) kept[key] = value;
    const whole = kept as ChatRequest;
    return { ...whole, messages: withSystem(whole.messages.map(engineMessage), system) };
  }
}

export const createChatBody = (options: BodyOptions): ChatBody => new PlannedBody(options);

/** A body with other texts in its messages; null where it is not one of these. */
export const bodyWithTexts = (body: ChatBody, changes: readonly TextChange[]): ChatBody | null =>
  body instanceof PlannedBody ? body.withTexts(changes) : null;

/** Fields that engines are told by fields of their own, or in a message, as the profile of the model says. */
const toldOtherwise: ReadonlySet<string> = new Set(['chat_template_kwargs']);

/** Fields that the caller gave and an engine with these `drops` is never given. */
export const droppedOf = (body: ChatBody, drops: readonly string[] = NO_NAMES): readonly string[] =>
  drops.length > 0 && body instanceof PlannedBody
    ? drops.filter((name) => !toldOtherwise.has(name) && body.has(name))
    : NO_NAMES;

const cleared = (): Record<string, undefined> => Object.fromEntries([...internalFields].map((key) => [key, undefined]));

const withoutUndefined = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const forwarded: ReadonlySet<string> = new Set([...known].filter((key) => !internalFields.has(key)));

const beyondAscii = /[\u0080-\uffff]/;

/** Whether a value of the body is the one that the engine is to get. Texts beyond ASCII are not decoded there. */
const isSame = (given: unknown, wanted: unknown): boolean =>
  given === wanted && wanted !== undefined && (typeof wanted !== 'string' || !beyondAscii.test(wanted));

/** Whether a field stands in the client's body as the engine is to get it. */
const stands = (key: string, edits: BodyEdits, view: object): boolean =>
  forwarded.has(key) && (!(key in edits) || isSame((view as Record<string, unknown>)[key], edits[key]));

/** JSON of a value of ours, as latin1 characters that stand for its UTF-8 bytes. */
function bytesOf(value: unknown): string {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  const json = stringify(value);
  return beyondAscii.test(json) ? Buffer.from(json).toString('latin1') : json;
}

/** The name of a field as JSON. */
const nameOf = memoizeNames(bytesOf);

/** The new fields, as they stand in an object after others. */
function renderEdits(edits: BodyEdits, view: object): string {
  let text = '';
  for (const key in edits) {
    const value = edits[key];
    if (value === undefined || stands(key, edits, view)) continue;
    text += `,${nameOf(key)}:${bytesOf(value)}`;
  }
  return text;
}

/** Bodies up to this size are joined to one text; the bytes of larger ones are not copied. */
const MAX_JOINED = 16 * 1024;

/** Cuts what is edited or unknown out of the body and puts the new fields at the end. Runs of kept members stay together. */
function splice(
  { bytes, latin1, outline, view, changes }: BodyOptions,
  { members }: ScannedObject,
  edits: BodyEdits,
  passed: ReadonlySet<string>,
): EncodedBody {
  const runs: { readonly start: number; end: number }[] = [];
  let run: (typeof runs)[number] | null = null;
  for (const { key, start, end } of members) {
    if (!stands(key, edits, view) && !passed.has(key)) run = null;
    else if (run) run.end = end;
    else runs.push((run = { start, end }));
  }
  const added = renderEdits(edits, view);
  if (runs.length === 0) return `{${added.slice(1)}}`;
  if (bytes.length <= MAX_JOINED) {
    const kept = runs.map(({ start, end }) => {
      if (changes) return changedText(bytes, changes, start, end);
      return outline ? bytes.toString('latin1', start, end) : latin1.slice(start, end);
    });
    return `{${kept.join(',')}${added}}`;
  }
  const parts: (Buffer | string)[] = [];
  for (const { start, end } of runs) {
    parts.push(parts.length === 0 ? '{' : ',');
    if (changes) parts.push(...changedParts(bytes, changes, start, end));
    else parts.push(bytes.subarray(start, end));
  }
  parts.push(`${added}}`);
  return parts;
}
