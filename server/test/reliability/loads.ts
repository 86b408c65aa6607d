import { setTimeout as wait } from 'node:timers/promises';
import { message, parseEvents as parseRunEvents, pathOf, rpc } from '../support/a2a.ts';
import { type Caller, CHAT, chatBody, send } from '../support/http.ts';
import { formOf, sendForm } from '../support/retrieval.ts';

/** How many calls of a model were begun, and how many were answered to their end. */
export interface Counted {
  begun: number;
  answered: number;
}

/** What the service has acknowledged; an audit holds it against what is there. */
export interface Ledger {
  /** Calls by the model that they name; of `document/parse` and `embeddings` by that. */
  readonly calls: Map<string, Counted>;
  /** Documents of the collection by their numbers. */
  readonly documents: Map<number, string>;
  /** Documents read in the background, with a word that stands in them. */
  readonly parses: Map<string, string>;
  /** Runs of the agent by task id, with what they are to answer. */
  readonly runs: Map<string, string>;
  /** Responses in the background, with what they are to answer, and whether they are told as streams. */
  readonly responses: Map<string, { readonly text: string; readonly stream: boolean }>;
  /** Conversations, with the one question that was put, and the answer where its end was seen. */
  readonly turns: Map<string, { readonly question: string; answer: string | null }>;
  /** Answers by status, and connections that broke. */
  readonly statuses: Map<string, number>;
  /** Answers that no kill excuses, such as a 500. */
  readonly wrong: string[];
}

export const openLedger = (): Ledger => ({
  calls: new Map(),
  documents: new Map(),
  parses: new Map(),
  runs: new Map(),
  responses: new Map(),
  turns: new Map(),
  statuses: new Map(),
  wrong: [],
});

/** What the load is put on. */
export interface LoadTarget {
  readonly caller: Caller;
  /** Headers of a person who is signed in. */
  readonly session: Readonly<Record<string, string>>;
  readonly collection: string;
  readonly slug: string;
  /** The model that chats name now. */
  chatModel(): string;
  /** A model of this machine; null where there is none. */
  readonly localModel: string | null;
  readonly ledger: Ledger;
  readonly stop: AbortSignal;
}

/** Between calls of one loop, so that a small machine has time to be killed. */
const PAUSE_MS = 15;
/** After a connection broke: the service is away. */
const AWAY_PAUSE_MS = 50;

const add = (map: Map<string, number>, key: string) => void map.set(key, (map.get(key) ?? 0) + 1);

export function countedOf({ calls }: Ledger, model: string): Counted {
  const counted = calls.get(model) ?? { begun: 0, answered: 0 };
  calls.set(model, counted);
  return counted;
}

type Told = Pick<Response, 'status' | 'headers'>;

/**
 * Whether a status is right for calls that are all well formed: done, or a 503 that says when to come again. That of a model of this
 * machine, whose process may have been killed, may also say that it is gone.
 */
const isExcused = (what: string, { status, headers }: Told) =>
  status < 300 || (status === 503 && headers.has('retry-after')) || (what === 'local chat' && status === 503);

/** Notes a status, and says whether all is well. */
function noted({ statuses, wrong }: Ledger, what: string, response: Told, text: string): boolean {
  add(statuses, `${what} ${response.status}`);
  if (!isExcused(what, response)) wrong.push(`${what}: ${response.status} ${text.slice(0, 300)}`);
  return response.status < 300;
}

/** The same for a stream, of which only a refusal is read here. */
const notedStream = async (ledger: Ledger, what: string, response: Response): Promise<boolean> =>
  noted(ledger, what, response, response.ok ? '' : await response.text());

/** A call that has no answer for so long hangs: its service is there, as kills are seconds apart. */
const HANGING_MS = 60_000;

/** What `call` resolves with; rejects where it hangs, and says so in the ledger. */
async function unlessHanging({ wrong }: Ledger, what: string, call: Promise<boolean>): Promise<boolean> {
  const over = new AbortController();
  call.catch(() => undefined);
  const late = wait(HANGING_MS, null, { signal: over.signal }).then(() => {
    wrong.push(`${what}: no answer within ${HANGING_MS} ms`);
    throw new Error('it hangs');
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([call, late]);
  } finally {
    over.abort();
  }
}

/** Does `once` again and again, whatever becomes of it, until the load is to stop. */
async function again(
  { stop, ledger }: LoadTarget,
  what: string,
  once: (turn: number) => Promise<boolean>,
): Promise<void> {
  for (let turn = 0; !stop.aborted;) {
    let done = false;
    try {
      done = await unlessHanging(ledger, what, once(turn));
    } catch {
      add(ledger.statuses, `${what} broken`);
    }
    if (done) turn++;
    await wait(done ? PAUSE_MS : AWAY_PAUSE_MS);
  }
}

/** One call of a model: begun when it is sent, answered when its end was read. */
async function callModel(
  target: LoadTarget,
  what: string,
  path: string,
  model: string,
  body: object,
): Promise<boolean> {
  const counted = countedOf(target.ledger, model);
  counted.begun++;
  const response = await send(target.caller, path, { body });
  const text = await response.text();
  const streams = response.headers.get('content-type')?.includes('event-stream') === true;
  if (!noted(target.ledger, what, response, text)) return false;
  if (streams && !text.includes('data: [DONE]')) return false;
  counted.answered++;
  return true;
}

const chats = (target: LoadTarget) =>
  again(target, 'chat', (turn) => {
    const model = target.chatModel();
    return callModel(target, 'chat', CHAT, model, chatBody({ model, stream: turn % 2 === 0 }));
  });

/** Vectors, and chats with a model of this machine, in turn. */
const vectors = (target: LoadTarget) =>
  again(target, 'vectors', (turn) => {
    const model = target.localModel;
    if (model !== null && turn % 2 === 0)
      return callModel(target, 'local chat', CHAT, model, chatBody({ model, max_tokens: 20 }));
    return callModel(target, 'embeddings', '/v1/embeddings', 'embeddings', { input: `vector ${turn}` });
  });

/** The words of a document that only its own number finds. */
export const wordsOf = (number: number): readonly [string, string] => [`표식${number}머리`, `표식${number}꼬리`];
const documentText = (number: number) => {
  const [head, tail] = wordsOf(number);
  return `# 문서 번호 ${number}\n\n표지 ${head} 는 하나뿐이다.\n\n# 둘째 절\n\n본문 ${tail} 도 하나뿐이다.\n`;
};

/** Gives documents; one whose acknowledgement was not seen is given again under the same id of the caller's own. */
const ingests = (target: LoadTarget) =>
  again(target, 'document', async (turn) => {
    const form = formOf(`${turn}.md`, documentText(turn), { external_id: `own-${turn}` });
    const answer = await sendForm(target.caller, `collections/${target.collection}/documents/upload`, form);
    if (!noted(target.ledger, 'document', answer, JSON.stringify(answer))) return false;
    target.ledger.documents.set(turn, answer.result.document_id);
    return true;
  });

const parses = (target: LoadTarget) =>
  again(target, 'parse', async (turn) => {
    const word = `낱말${turn}`;
    const counted = countedOf(target.ledger, 'document/parse');
    counted.begun++;
    const answer = await sendForm(target.caller, '/v1/document/parse/async', formOf('a.md', `# ${word}\n`));
    if (!noted(target.ledger, 'parse', answer, JSON.stringify(answer))) return false;
    // It will be, unless an audit finds that it was not read.
    counted.answered++;
    target.ledger.parses.set(answer.result.document_id, word);
    return true;
  });

/** What the agent answers a text. Source: the model server of the test, which repeats what it is asked. */
export const answerOfRun = (text: string) => `Echo of ${text}`;

/** Says something to the agent. A message whose task was not seen is sent again as it was: it must not run twice. */
const runs = (target: LoadTarget) => {
  let pending = message('first');
  return again(target, 'agent', async (turn) => {
    const text = `run ${turn}`;
    pending = { ...pending, parts: [{ kind: 'text', text }] };
    const response = await send(target.caller, pathOf(target.slug), {
      body: rpc('message/stream', { message: pending }),
    });
    if (!(await notedStream(target.ledger, 'agent', response))) return false;
    let read = '';
    for await (const bytes of response.body ?? []) {
      read += Buffer.from(bytes).toString('utf8');
      const end = read.lastIndexOf('\n\n');
      if (end < 0) continue;
      const [first] = parseRunEvents(read.slice(0, end));
      const task = first?.result?.taskId;
      // From here on the service has it.
      if (task !== undefined && !target.ledger.runs.has(task)) target.ledger.runs.set(task, answerOfRun(text));
    }
    pending = message('next');
    return true;
  });
};

/** The model of responses in the background, which repeats what it is asked as agents' does. */
export const BACKGROUND_MODEL = 'BACKGROUND';

/** Asks for responses in the background, every other one as a stream, of which the beginning is read. */
const responses = (target: LoadTarget) =>
  again(target, 'response', async (turn) => {
    const stream = turn % 2 === 1;
    const input = `response ${turn}`;
    const body = { model: BACKGROUND_MODEL, input, background: true, stream };
    const response = await send(target.caller, '/v1/responses', { body });
    const take = (id: string) => void target.ledger.responses.set(id, { text: answerOfRun(input), stream });
    if (!stream || !response.ok) {
      const text = await response.text();
      if (!noted(target.ledger, 'response', response, text)) return false;
      take((JSON.parse(text) as { id: string }).id);
      return true;
    }
    add(target.ledger.statuses, `response ${response.status}`);
    let read = '';
    for await (const bytes of response.body ?? []) {
      read += Buffer.from(bytes).toString('utf8');
      const id = /"id":"(resp_[0-9a-f]{32})"/.exec(read)?.[1];
      // From here on the service has it.
      if (id !== undefined) take(id);
    }
    return true;
  });

/** A conversation with one question. */
const conversations = (target: LoadTarget) =>
  again(target, 'conversation', async (turn) => {
    const at = `${target.caller.base}/console/api/conversations`;
    const headers = { ...target.session, 'content-type': 'application/json' };
    const post = (path: string, body: object) =>
      fetch(at + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const begun = await post('', { model: 'TALK' });
    const text = await begun.text();
    if (!noted(target.ledger, 'conversation', begun, text)) return false;
    const { id } = JSON.parse(text) as { id: string };
    const question = `question ${turn}`;
    countedOf(target.ledger, 'TALK').begun++;
    const response = await post(`/${id}/turns`, { content: question });
    if (!(await notedStream(target.ledger, 'turn', response))) return false;
    let read = '';
    for await (const bytes of response.body ?? []) {
      read += Buffer.from(bytes).toString('utf8');
      if (!target.ledger.turns.has(id) && read.includes('\n\n'))
        target.ledger.turns.set(id, { question, answer: null });
    }
    const end = /^data: (\{"type":"end".*)$/m.exec(read)?.[1];
    if (end === undefined) return false;
    const { answer } = JSON.parse(end) as { answer: { content: string; state: string } };
    if (answer.state === 'done') {
      target.ledger.turns.set(id, { question, answer: answer.content });
      countedOf(target.ledger, 'TALK').answered++;
    }
    return true;
  });

/** Every kind of load, each as one loop that goes on through kills; resolves once all have stopped. */
export const putLoad = (target: LoadTarget): Promise<unknown> =>
  Promise.all([chats, vectors, ingests, parses, runs, responses, conversations].map((load) => load(target)));
