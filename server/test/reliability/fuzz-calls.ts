import { inspect } from 'node:util';
import { wrongForm } from './failure-forms.ts';
import type { ConsoleHouse } from '../support/console.ts';
import { type Estate, idOfNothing, type Kind } from './estate.ts';
import { nameOf, type Operation, type PartKind } from './operations.ts';
import type { Chance } from './seeded.ts';
import { damaged, pathText, queryText, type Making, valueFor } from './values.ts';

/** A call as it is sent. */
interface FuzzCall {
  readonly operation: Operation;
  /** That of the operation, or one that its path does not have. */
  readonly method: string;
  readonly who: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | null;
}

/** What is wrong with an answer, with the call in a form to repeat it by hand. */
export interface Violation {
  readonly operation: string;
  readonly what: string;
  readonly call: string;
}

/** A call that takes longer hangs. */
const ANSWER_TIMEOUT_MS = 150_000;
/** Streams tell of what may come without end: their beginning is looked at. */
const STREAM_MS = 200;

/** Calls that end what others need are made less often. */
const rare = /\/(?:logout|me\/password|me\/sessions|me\/email|me\/totp\/confirm)$/;
export function pickOperation(operations: readonly Operation[], chance: Chance): Operation {
  for (;;) {
    const operation = chance.pick(operations);
    const likelihood = rare.test(operation.path) ? 0.05 : operation.method === 'DELETE' ? 0.5 : 1;
    if (chance.hits(likelihood)) return operation;
  }
}

function idFor(kind: PartKind, { ids }: Estate, making: Making): string {
  const { chance } = making;
  if (kind === 'number') return String(chance.below(3));
  if (kind === 'model') return chance.pick(['CORE-GOV', 'CORE-GOV-THINK', 'LLM42', 'builtin']);
  if (kind === 'weights' || kind === 'modelServer' || kind === 'openedHost')
    return chance.pick(['builtin', 'llama', ...making.ids]);
  return ids[kind];
}

/** The address, mostly with the ids that belong there; else with those of other things, of nothing, or with no id at all. */
function addressOf({ path, parts, query }: Operation, estate: Estate, making: Making): string {
  const { chance } = making;
  const at = parts.map(({ kind }) => {
    if (chance.hits(0.85)) return idFor(kind, estate, making);
    if (chance.hits(0.6)) return chance.pick(making.ids);
    return chance.hits(0.5) ? idOfNothing(kind as Kind) : pathText(making);
  });
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(at.shift() ?? ''));
  const asked = Object.entries(query)
    .filter(() => chance.hits(0.5))
    .map(([name, schema]) => `${name}=${encodeURIComponent(queryText(schema, making, name))}`);
  return asked.length === 0 ? filled : `${filled}?${asked.join('&')}`;
}

const files = ['# Leave\n\n25 days.\n', '', '%PDF-1.7 cut', 'PK\u0003\u0004cut', 'a,b\n1,2\n'];

/** What an agent is asked over A2A, whose contract leaves the parameters of each method to it. */
function rpcBody({ chance, own }: Making): object {
  const message = {
    kind: 'message',
    role: 'user',
    messageId: `m${chance.below(20)}`,
    parts: [{ kind: 'text', text: 'Hello' }],
  };
  const task = chance.pick([own.run, own.chatRun]);
  const url = 'https://192.0.2.1/hook';
  const [method, params] = chance.pick<readonly [string, object]>([
    ['message/send', { message }],
    ['message/stream', { message: { ...message, taskId: task } }],
    ['message/send', { message, metadata: { chat_session_id: Number(own.agentSession) } }],
    ['tasks/get', { id: task, historyLength: 3 }],
    ['tasks/cancel', { id: task }],
    ['tasks/resubscribe', { id: task }],
    ['tasks/pushNotificationConfig/set', { taskId: task, pushNotificationConfig: { url } }],
    ['tasks/pushNotificationConfig/list', { id: task }],
    ['agent/getAuthenticatedExtendedCard', {}],
    ['SendMessage', { message: { role: 'ROLE_USER', messageId: 'm', parts: [{ text: 'Hello' }] } }],
    ['GetTask', { id: task }],
    ['ListTasks', { pageSize: 5 }],
    ['CancelTask', { id: task }],
  ]);
  return { jsonrpc: '2.0', id: 1, method, params };
}

function wholeBody({ path, example, body }: Operation, making: Making): unknown {
  if (path.endsWith('/a2a')) return rpcBody(making);
  return example !== undefined && making.chance.hits(0.4) ? example : valueFor(body ?? {}, making);
}

function bodyOf(operation: Operation, making: Making): { type: string | null; body: FuzzCall['body'] } {
  const { chance } = making;
  if (operation.takes === 'nothing') return { type: null, body: null };
  if (operation.takes === 'file') return { type: 'application/octet-stream', body: chance.pick(files) };
  const whole = wholeBody(operation, making);
  const value = chance.hits(0.6) ? damaged(whole, making) : whole;
  if (operation.takes === 'json') {
    const text = JSON.stringify(value);
    return chance.hits(0.05) ? brokenText(text, making) : { type: 'application/json', body: text };
  }
  const form = new FormData();
  for (const [name, one] of Object.entries(value ?? {}))
    form.set(name, typeof one === 'string' ? one : JSON.stringify(one));
  if (chance.hits(0.95))
    form.set('file', new Blob([chance.pick(files)]), chance.pick(['a.md', 'a.pdf', 'a.hwpx', 'b.csv']));
  return { type: null, body: form };
}

/** A method that its path does not have. */
function wrongMethod(operations: readonly Operation[], { path }: Operation, chance: Chance): string {
  const has = new Set(operations.filter((one) => one.path === path).map(({ method }) => method));
  return chance.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !has.has(method)));
}

/** Text that is no JSON, or not what it says it is. */
function brokenText(text: string, { chance }: Making): { type: string | null; body: string } {
  const at = chance.below(text.length + 1);
  return chance.pick([
    { type: 'application/json', body: text.slice(0, at) },
    { type: 'application/json', body: `${text}${text}` },
    { type: 'application/json', body: `\ufeff${text}` },
    { type: 'application/json', body: '[]' },
    { type: 'text/plain', body: text },
    { type: 'application/x-www-form-urlencoded', body: 'a=b' },
    { type: 'multipart/form-data; boundary=x', body: text },
    { type: null, body: text },
  ]);
}

/** The next call of a seed: the seed, the operations and the estate decide it alone. */
export function nextCall(operations: readonly Operation[], estate: Estate, others: Estate, chance: Chance): FuzzCall {
  const operation = pickOperation(operations, chance);
  const isWrong = operation.door === 'public' && chance.hits(0.03);
  const method = isWrong ? wrongMethod(operations, operation, chance) : operation.method;
  const ids = [...Object.values(estate.ids), ...Object.values(others.ids)];
  const making = { chance, ids, own: estate.ids, resolve: operation.resolve };
  const plain = addressOf(operation, estate, making);
  const path = plain.startsWith('/v1/') && chance.hits(0.2) ? `/api${plain}` : plain;
  const { type, body } = bodyOf(operation, making);
  const typed = type === null ? {} : { 'content-type': type };
  if (operation.door === 'public') {
    const own = chance.hits(0.9);
    const { key } = (own ? estate : others).caller;
    return {
      operation,
      method,
      who: own ? 'key' : 'key of others',
      path,
      body,
      headers: { ...typed, authorization: `Bearer ${key}` },
    };
  }
  const who = chance.pick(['administrator', 'administrator', 'administrator', 'developer', 'user', 'others'] as const);
  const { cookie } = who === 'others' ? others.chief : estate.people[who];
  return { operation, method, who, path, body, headers: { ...typed, cookie } };
}

async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.includes('event-stream')) return response.text();
  const reader = response.body?.getReader();
  const cut = setTimeout(() => void reader?.cancel(), STREAM_MS);
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    text += Buffer.from(part.value).toString('utf8');
  clearTimeout(cut);
  return text;
}

/** What may meet an embedder or a reranker that is of no use for the moment. */
const asksFickle = /\/(?:rag42|collections|documents|chunks|search|rerank|embeddings|evaluation)/;
/** Calls of an embedder or a reranker itself: where one hangs they end with their time limit. */
const callsFickle = /\/(?:v[12]\/rerank|v1\/embeddings)$/;
/**
 * Answers that are no fault of the service: what it was told to ask does not answer, and there is no model for sound. Where an embedder
 * or a reranker is of no use, it has to say when to try again.
 */
const isTold = (status: number, headers: Headers, { operation: { path } }: FuzzCall) =>
  ([502, 504].includes(status) && /\/(?:agent-servers|servers|weights)/.test(path)) ||
  (status === 503 && /\/(?:audio|speech)\//.test(path)) ||
  (status === 503 && headers.has('retry-after') && asksFickle.test(path)) ||
  (status === 504 && callsFickle.test(path));

/** What came of a call: the class of its status, and what is wrong with that. */
export interface Tried {
  readonly status: string;
  readonly violation: Violation | null;
}

/** Sends the call. Never rejects. */
export async function tryCall({ base }: ConsoleHouse, call: FuzzCall): Promise<Tried> {
  const { operation, method, who, path, headers, body } = call;
  const shown =
    typeof body === 'string'
      ? body
      : body === null
        ? ''
        : JSON.stringify([...body].map(([name, one]) => [name, typeof one === 'string' ? one : 'a file']));
  const wrong = (what: string): Violation => ({
    operation: nameOf(operation),
    what,
    call: `${who}: ${method} ${path} ${shown.slice(0, 2_000)}`,
  });
  try {
    const given = method === 'GET' ? null : body;
    const response = await fetch(base + path, {
      method,
      body: given,
      redirect: 'manual',
      headers: { ...headers, origin: base },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const text = await textOf(response);
    const fine = response.status < 500 || isTold(response.status, response.headers, call);
    const status = `${Math.floor(response.status / 100)}xx`;
    if (!fine) return { status, violation: wrong(`${response.status} ${text.slice(0, 300)}`) };
    const form =
      response.status < 400 ? null : wrongForm(operation, response.status, text, method === operation.method);
    return {
      status,
      violation: form === null ? null : wrong(`${response.status}, and ${form}: ${text.slice(0, 300)}`),
    };
  } catch (error) {
    return { status: 'none', violation: wrong(`no answer: ${inspect(error)}`) };
  }
}
