import { jsonInTurns } from '../../kernel/json-in-turns.ts';
import { exceedsJsonBounds } from '../../kernel/json-values.ts';
import { inTurns } from '../../kernel/turns.ts';
import { isLong, maskAsText, numberSource } from './json-text.ts';
import { parseSteps } from './parse-in-turns.ts';
import { interfaceFields, otherTextFields } from './text-fields.ts';

/** The fields of a chat request in the OpenAI form that hold text for a model. Typed loosely, as requests of all kinds are scanned. */
export interface ChatTexts {
  readonly messages?: readonly ChatMessageTexts[];
  /** Only in text completions. */
  readonly prompt?: string | readonly string[];
  readonly tools?: unknown;
  readonly response_format?: unknown;
  readonly stop?: unknown;
  readonly user?: unknown;
  readonly chat_template_kwargs?: unknown;
  readonly service_tier?: unknown;
}

export interface ChatMessageTexts {
  readonly role: string;
  readonly content?: unknown;
  readonly name?: unknown;
  readonly tool_calls?: unknown;
}

/** Where a text stands in a request. */
export interface TextPlace {
  /** Path of the field, for the refusal. */
  readonly param?: string | null;
  /** The text just before it, which may say what a value is. */
  readonly before?: string;
  /** False where an earlier call has counted its values. */
  readonly isNew?: boolean;
  /** Whether only numbers are looked for in it, and no character of it is read as another: see windows.ts. */
  readonly isPlain?: boolean;
}

/** At once where the text is short. */
export type Mask = (text: string, place: TextPlace) => string | Promise<string>;
type JsonRecord = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** UTF-16 units of the preceding text that serve as context of a value. */
const CONTEXT_LENGTH = 40;
export const contextOf = (text: string) => (text === '' ? '' : `${text.slice(-CONTEXT_LENGTH)}\n`);

async function mapInSequence<T, R>(list: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const [at, item] of list.entries()) results.push(await work(item, at));
  return results;
}

/** Whether keys are masked too: those of data, such as a list by telephone number, but not those of schemas. */
type KeyTreatment = 'masked' | 'kept';

/** A field with a text or a number, as context of the next field. */
const asContext = (name: string, value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? `${name}: ${String(value).slice(-CONTEXT_LENGTH)}, ` : '';

/**
 * Masks all strings and numbers of a JSON value. The names of its field and of the enclosing field, and the field before it, are
 * the context of each.
 */
async function maskLeaves(
  value: unknown,
  place: TextPlace,
  mask: Mask,
  keys: KeyTreatment,
  name = '',
  preceding = '',
): Promise<unknown> {
  const before = name === '' ? '' : `${preceding}${name}: `;
  if (typeof value === 'string') return mask(value, { ...place, before });
  const number = numberSource(value);
  if (number !== null) {
    const masked = isLong(number) ? await mask(number, { ...place, before }) : number;
    return masked === number ? value : masked;
  }
  if (Array.isArray(value)) return mapInSequence(value, (item: unknown) => maskLeaves(item, place, mask, keys, name));
  if (!isRecord(value)) return value;
  let last = '';
  const entries = await mapInSequence(Object.entries(value), async ([key, item]) => {
    const maskedKey = keys === 'masked' ? await mask(key, place) : key;
    const inner = name === '' ? key : `${name.slice(-CONTEXT_LENGTH)} ${key}`;
    const masked = await maskLeaves(item, place, mask, keys, inner, last);
    last = asContext(key, item);
    return [maskedKey, masked] as const;
  });
  return Object.fromEntries(entries);
}

/** Deepest nesting of JSON that is parsed; deeper JSON is masked as plain text. */
const MAX_LEVELS = 64;

/** Masks a text; if it is JSON, each string and number on its own. */
async function maskJson(text: string, place: TextPlace, mask: Mask): Promise<string> {
  let value: unknown;
  if (exceedsJsonBounds(text, Infinity, MAX_LEVELS)) return mask(text, place);
  try {
    value = await inTurns(parseSteps(text));
  } catch {
    return mask(text, place);
  }
  if (typeof value !== 'object' || value === null) return mask(text, place);
  const { isNew, param } = place;
  const flattened = await maskAsText(value, async (flat) =>
    mask(flat, { ...(isNew === undefined ? {} : { isNew }), param: param ?? null }),
  );
  if (flattened !== null) return flattened.value === value ? text : jsonInTurns(flattened.value as object);
  const masked = await jsonInTurns((await maskLeaves(value, place, mask, 'masked')) as object);
  return masked === (await jsonInTurns(value)) ? text : masked;
}

async function maskContent(content: unknown, place: TextPlace, maskText: Mask): Promise<unknown> {
  if (typeof content === 'string') return maskText(content, place);
  if (!Array.isArray(content)) return content;
  let { before = '' } = place;
  return mapInSequence(content as readonly unknown[], async (part, at) => {
    if (!isRecord(part) || typeof part['text'] !== 'string') return part;
    const param = `${place.param ?? ''}[${at}].text`;
    const text = await maskText(part['text'], { ...place, param, before });
    before = contextOf(part['text']);
    return { ...part, text };
  });
}

function maskCalls(calls: unknown, place: TextPlace, mask: Mask): unknown {
  if (!Array.isArray(calls)) return calls;
  return mapInSequence(calls as readonly unknown[], async (call, at) => {
    if (!isRecord(call) || !isRecord(call['function'])) return call;
    const { function: called } = call;
    const args = called['arguments'];
    if (typeof args !== 'string') return call;
    const param = `${place.param ?? ''}[${at}].function.arguments`;
    return { ...call, function: { ...called, arguments: await maskJson(args, { ...place, param }, mask) } };
  });
}

/** The end of a message's text, as context of the next message. */
function endOfMessage(content: unknown): string {
  if (typeof content === 'string') return contextOf(content);
  if (!Array.isArray(content)) return '';
  const part = (content as readonly unknown[]).findLast((item) => isRecord(item) && typeof item['text'] === 'string');
  return isRecord(part) ? contextOf(String(part['text'])) : '';
}

function maskMessages(messages: readonly ChatMessageTexts[], mask: Mask): Promise<ChatMessageTexts[]> {
  const maskResult: Mask = (text, place) => maskJson(text, place, mask);
  // An earlier call has sent, and counted, the messages before the last reply.
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  return mapInSequence(messages, async (message, at) => {
    const param = `messages[${at}]`;
    const isNew = at > lastReply;
    const { role, content, name, tool_calls: calls } = message;
    const place = { isNew, before: endOfMessage(messages[at - 1]?.content) };
    return {
      ...message,
      ...(content == null
        ? {}
        : {
            content: await maskContent(
              content,
              { ...place, param: `${param}.content` },
              role === 'tool' ? maskResult : mask,
            ),
          }),
      ...(typeof name === 'string' ? { name: await mask(name, { isNew, param: `${param}.name` }) } : {}),
      ...(calls == null ? {} : { tool_calls: await maskCalls(calls, { isNew, param: `${param}.tool_calls` }, mask) }),
    };
  });
}

/** Replaces every text for the model by what `mask` returns for it, in order. */
export async function maskChatTexts<T extends ChatTexts>(request: T, mask: Mask): Promise<T> {
  const { messages, prompt, tools } = request;
  const isNew = messages?.every(({ role }) => role !== 'assistant') ?? true;
  const changed: Record<string, unknown> = {};
  if (messages) changed['messages'] = await maskMessages(messages, mask);
  if (typeof prompt === 'string') changed['prompt'] = await mask(prompt, { param: 'prompt' });
  else if (prompt)
    changed['prompt'] = await mapInSequence(prompt, async (item, at) => mask(item, { param: `prompt[${at}]` }));
  if (tools != null) changed['tools'] = await maskTools(tools, { isNew, param: 'tools' }, mask);
  for (const param of otherTextFields) {
    const value = request[param];
    if (value != null) changed[param] = await maskLeaves(value, { isNew, param }, mask, 'kept');
  }
  // Fields beyond the interface may go on to an engine as well.
  for (const param of Object.keys(request)) {
    if (interfaceFields.has(param)) continue;
    const value = (request as JsonRecord)[param];
    if (value != null) changed[param] = await maskLeaves(value, { isNew, param }, mask, 'kept');
  }
  return { ...request, ...changed };
}

/** Masks descriptions and schemas of tools, but not their names, by which calls find them. */
function maskTools(tools: unknown, place: TextPlace, mask: Mask): unknown {
  if (!Array.isArray(tools)) return tools;
  return mapInSequence(tools as readonly unknown[], async (tool) => {
    if (!isRecord(tool) || !isRecord(tool['function'])) return tool;
    const { name, ...rest } = tool['function'];
    return { ...tool, function: { name, ...((await maskLeaves(rest, place, mask, 'kept')) as JsonRecord) } };
  });
}
