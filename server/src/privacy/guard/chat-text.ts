import { isLong, maskAsText, numberText, parseJson } from './json-text.ts';

/** What of a chat request holds text for a model, in the OpenAI form; loosely, as requests of all kinds are looked through. */
export interface Said {
  readonly messages?: readonly SaidMessage[];
  /** Of a text completion. */
  readonly prompt?: string | readonly string[];
  readonly tools?: unknown;
  readonly response_format?: unknown;
  readonly stop?: unknown;
  readonly user?: unknown;
  readonly chat_template_kwargs?: unknown;
  readonly service_tier?: unknown;
}

export interface SaidMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly name?: unknown;
  readonly tool_calls?: unknown;
}

/** Where a text stands, and what is known of it. */
export interface TextPlace {
  /** Path of the field, for the refusal. */
  readonly param?: string | null;
  /** What was said just before, which may say what a value is. */
  readonly before?: string;
  /** False for what an earlier call has counted. */
  readonly isNew?: boolean;
}

type Mask = (text: string, place: TextPlace) => Promise<string>;
type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What was said before counts as the context of a value as far as this. */
const TAIL = 40;
const tailOf = (text: string) => (text === '' ? '' : `${text.slice(-TAIL)}\n`);

async function eachInTurn<T, R>(list: readonly T[], work: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const [at, one] of list.entries()) results.push(await work(one, at));
  return results;
}

/** Whether names of fields are looked through as well: those of data, such as a list by telephone number, not those of schemas. */
type Names = 'masked' | 'kept';

/** Fields that hold a text or a number, as context of what stands behind them. */
const asContext = (name: string, value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? `${name}: ${String(value).slice(-TAIL)}, ` : '';

/**
 * All strings and numbers of a JSON value, each with the names of its field and of the one around it, and with the field
 * before it, as context.
 */
async function maskLeaves(
  value: unknown,
  place: TextPlace,
  mask: Mask,
  names: Names,
  name = '',
  earlier = '',
): Promise<unknown> {
  const before = name === '' ? '' : `${earlier}${name}: `;
  if (typeof value === 'string') return mask(value, { ...place, before });
  const number = numberText(value);
  if (number !== null) {
    const masked = isLong(number) ? await mask(number, { ...place, before }) : number;
    return masked === number ? value : masked;
  }
  if (Array.isArray(value)) return eachInTurn(value, (one: unknown) => maskLeaves(one, place, mask, names, name));
  if (!isFields(value)) return value;
  let last = '';
  const entries = await eachInTurn(Object.entries(value), async ([key, one]) => {
    const written = names === 'masked' ? await mask(key, place) : key;
    const inner = name === '' ? key : `${name.slice(-TAIL)} ${key}`;
    const masked = await maskLeaves(one, place, mask, names, inner, last);
    last = asContext(key, one);
    return [written, masked] as const;
  });
  return Object.fromEntries(entries);
}

/** Levels of JSON in a text that are read; what is deeper is looked through as a text. */
const MAX_LEVELS = 64;
function isDeep(json: string): boolean {
  let level = 0;
  for (const { 0: bracket } of json.matchAll(/[{}[\]]/g)) {
    level += bracket === '{' || bracket === '[' ? 1 : -1;
    if (level > MAX_LEVELS) return true;
  }
  return false;
}

/** A text that may be JSON: then its strings and numbers, each by itself. */
async function maskJson(text: string, place: TextPlace, mask: Mask): Promise<string> {
  let value: unknown;
  if (isDeep(text)) return mask(text, place);
  try {
    value = parseJson(text);
  } catch {
    return mask(text, place);
  }
  if (typeof value !== 'object' || value === null) return mask(text, place);
  const { isNew, param } = place;
  const asText = await maskAsText(value, (flat) =>
    mask(flat, { ...(isNew === undefined ? {} : { isNew }), param: param ?? null }),
  );
  const masked = JSON.stringify(asText === null ? await maskLeaves(value, place, mask, 'masked') : asText.value);
  return masked === JSON.stringify(value) ? text : masked;
}

async function maskContent(content: unknown, place: TextPlace, maskText: Mask): Promise<unknown> {
  if (typeof content === 'string') return maskText(content, place);
  if (!Array.isArray(content)) return content;
  let { before = '' } = place;
  return eachInTurn(content as readonly unknown[], async (part, at) => {
    if (!isFields(part) || typeof part['text'] !== 'string') return part;
    const param = `${place.param ?? ''}[${at}].text`;
    const text = await maskText(part['text'], { ...place, param, before });
    before = tailOf(part['text']);
    return { ...part, text };
  });
}

function maskCalls(calls: unknown, place: TextPlace, mask: Mask): unknown {
  if (!Array.isArray(calls)) return calls;
  return eachInTurn(calls as readonly unknown[], async (call, at) => {
    if (!isFields(call) || !isFields(call['function'])) return call;
    const { function: called } = call;
    const args = called['arguments'];
    if (typeof args !== 'string') return call;
    const param = `${place.param ?? ''}[${at}].function.arguments`;
    return { ...call, function: { ...called, arguments: await maskJson(args, { ...place, param }, mask) } };
  });
}

/** The last words of a message, in whatever form. */
function lastWords(content: unknown): string {
  if (typeof content === 'string') return tailOf(content);
  if (!Array.isArray(content)) return '';
  const part = (content as readonly unknown[]).findLast((one) => isFields(one) && typeof one['text'] === 'string');
  return isFields(part) ? tailOf(String(part['text'])) : '';
}

function maskMessages(messages: readonly SaidMessage[], mask: Mask): Promise<SaidMessage[]> {
  const maskResult: Mask = (text, place) => maskJson(text, place, mask);
  // What stands before the last answer was said, and counted, in an earlier call.
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  return eachInTurn(messages, async (message, at) => {
    const param = `messages[${at}]`;
    const isNew = at > lastAnswer;
    const { role, content, name, tool_calls: calls } = message;
    const place = { isNew, before: lastWords(messages[at - 1]?.content) };
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

/** Fields that may hold texts as well. */
const otherTexts = [
  'response_format',
  'stop',
  'user',
  'chat_template_kwargs',
  'service_tier',
] as const satisfies readonly (keyof Said)[];

/** A request with every text for the model given to `mask`, in order, and what it gave in its place. */
export async function maskSaid<T extends Said>(request: T, mask: Mask): Promise<T> {
  const { messages, prompt, tools } = request;
  const isNew = messages?.every(({ role }) => role !== 'assistant') ?? true;
  const changed: Record<string, unknown> = {};
  if (messages) changed['messages'] = await maskMessages(messages, mask);
  if (typeof prompt === 'string') changed['prompt'] = await mask(prompt, { param: 'prompt' });
  else if (prompt) changed['prompt'] = await eachInTurn(prompt, (one, at) => mask(one, { param: `prompt[${at}]` }));
  if (tools != null) changed['tools'] = await maskTools(tools, { isNew, param: 'tools' }, mask);
  for (const param of otherTexts) {
    const value = request[param];
    if (value != null) changed[param] = await maskLeaves(value, { isNew, param }, mask, 'kept');
  }
  return { ...request, ...changed };
}

/** Descriptions and schemas of tools; their names stay, by which calls find them. */
function maskTools(tools: unknown, place: TextPlace, mask: Mask): unknown {
  if (!Array.isArray(tools)) return tools;
  return eachInTurn(tools as readonly unknown[], async (tool) => {
    if (!isFields(tool) || !isFields(tool['function'])) return tool;
    const { name, ...rest } = tool['function'];
    return { ...tool, function: { name, ...((await maskLeaves(rest, place, mask, 'kept')) as Fields) } };
  });
}
