import type { Conversation } from '@ai-studio/contract/console/conversations.ts';
import { ask as askAgent } from '../support/a2a.ts';
import { call } from '../support/http.ts';
import { ask, wordHits } from '../support/retrieval.ts';
import type { Service } from '../support/service.ts';
import type { Database } from '../../src/ports/database.ts';
import { type Ledger, type LoadTarget, wordsOf } from './loads.ts';

/** Far beyond what the work that is left over takes on a busy machine. */
const SETTLED_TIMEOUT_MS = 120_000;
/** What is counted is written about once a second; the machine may have other work. */
const USAGE_TIMEOUT_MS = 90_000;

/** What an audit works with. */
export interface Audited {
  readonly service: Service;
  readonly target: LoadTarget;
  readonly db: Database;
  /** Calls that reached the model server, by model. */
  readonly arrived: ReadonlyMap<string, number>;
}

/** Asks until there is nothing wrong, for so long; resolves with what still is. */
async function untilFine(check: () => Promise<string[]>, timeoutMs: number): Promise<string[]> {
  for (const deadline = performance.now() + timeoutMs; ;) {
    const wrong = await check().catch((error: unknown) => [`the audit could not ask: ${String(error)}`]);
    if (wrong.length === 0 || performance.now() > deadline) return wrong;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Work that goes on by itself after the last kill. */
async function openWork({ db }: Audited): Promise<string[]> {
  const { query } = db;
  const count = async (name: string, rows: Promise<readonly unknown[]>) => {
    const { length } = await rows;
    return length === 0 ? [] : [`${length} ${name} do not end`];
  };
  return [
    ...(await count('documents', query.selectFrom('ingest_jobs').select('document_id').execute())),
    ...(await count(
      'runs of agents',
      query.selectFrom('agent_runs').select('id').where('state', 'in', ['submitted', 'working']).execute(),
    )),
    ...(await count(
      'responses in the background',
      query.selectFrom('response_jobs').select('id').where('state', '<>', 'ended').execute(),
    )),
    ...(await count(
      'background parses',
      query.selectFrom('document_parses').select('id').where('state', 'in', ['queued', 'running']).execute(),
    )),
  ];
}

async function auditDocument({ service, target }: Audited, number: number, id: string): Promise<string[]> {
  const { items } = (
    await ask<{ items: { document_id: string; state: string; chunk_count: number; error: unknown }[] }>(
      service,
      `collections/${target.collection}/documents?external_id=own-${number}`,
    )
  ).result;
  const [found] = items;
  if (found === undefined) return [`document ${number} (${id}) is lost`];
  if (items.length > 1) return [`document ${number} is there ${items.length} times`];
  if (found.document_id !== id)
    return [`document ${number} is ${found.document_id}, not ${id}, which was acknowledged`];
  if (found.state !== 'ready') return [`document ${number} is ${found.state}: ${JSON.stringify(found.error)}`];
  if (found.chunk_count !== 2) return [`document ${number} has ${found.chunk_count} chunks, not 2`];
  const wrong: string[] = [];
  for (const word of wordsOf(number)) {
    const hits = await wordHits(service, target.collection, word);
    const own = hits.filter(({ content }) => content.includes(word));
    if (own.length !== 1) wrong.push(`document ${number} is found ${own.length} times by ${word}`);
  }
  return wrong;
}

async function auditParse({ service }: Audited, id: string, word: string): Promise<string[]> {
  const { status, text } = await call(service, `/v1/document/${id}/content`);
  return status === 200 && text.includes(word) ? [] : [`background parse ${id}: ${status} ${text.slice(0, 200)}`];
}

async function auditRun({ service, target }: Audited, id: string, expected: string): Promise<string[]> {
  const { status, artifacts } = await askAgent(service, target.slug, 'tasks/get', { id });
  const answer = (artifacts ?? []).flatMap(({ parts }) => parts.map(({ text }) => text)).join('');
  return status.state === 'completed' && answer === expected
    ? []
    : [`run ${id} is ${status.state} and answers ${JSON.stringify(answer)}, not ${JSON.stringify(expected)}`];
}

/** What is wrong with the events of a stream that has ended, whose text this is to be. */
function wrongInStream(text: string, expected: string): string | null {
  const events = text
    .split('\n\n')
    .flatMap((frame) => (frame.includes('\ndata: ') ? [frame.slice(frame.indexOf('\ndata: ') + 7)] : []))
    .map((data) => JSON.parse(data) as { type: string; sequence_number: number; delta?: string });
  const numbers = events.map(({ sequence_number: number }) => number);
  if (numbers.some((number, at) => number !== at)) return `its events are numbered ${numbers.join(' ')}`;
  const ends = events.filter(({ type }) => /^response\.(?:completed|failed|incomplete)$/.test(type));
  if (ends.length !== 1 || events.at(-1)?.type !== 'response.completed')
    return `its events are ${events.map(({ type }) => type).join(' ')}`;
  const said = events.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join('');
  return said === expected ? null : `its events say ${JSON.stringify(said)}`;
}

async function auditResponse(
  { service }: Audited,
  id: string,
  { text, stream }: { readonly text: string; readonly stream: boolean },
): Promise<string[]> {
  const reply = await call(service, `/v1/responses/${id}`);
  const { status, output } = JSON.parse(reply.text) as {
    status?: string;
    output?: { content?: { text: string }[] }[];
  };
  const said = (output ?? []).flatMap(({ content = [] }) => content.map((part) => part.text)).join('');
  const told = `response ${id} is ${reply.status} ${status} and says ${JSON.stringify(said)}, not ${JSON.stringify(text)}`;
  if (status !== 'completed' || said !== text) return [`${told}: ${reply.text.slice(0, 300)}`];
  if (!stream) return [];
  const wrong = wrongInStream((await call(service, `/v1/responses/${id}?stream=true`)).text, text);
  return wrong === null ? [] : [`response ${id}: ${wrong}`];
}

async function auditTurn(
  { service, target }: Audited,
  id: string,
  { question, answer }: { readonly question: string; readonly answer: string | null },
): Promise<string[]> {
  const response = await fetch(`${service.base}/console/api/conversations/${id}`, { headers: target.session });
  if (response.status !== 200) return [`conversation ${id}: ${response.status}`];
  const { messages } = (await response.json()) as Conversation;
  const told = messages.map(({ role, content, state }) => `${role} ${state} ${content}`).join(' | ');
  const [asked, answered] = messages;
  const fine = messages.length === 2 && asked?.content === question && answered?.state !== 'running';
  const kept = answer === null || (answered?.state === 'done' && answered.content === answer);
  return fine && kept ? [] : [`conversation ${id} holds: ${told}`];
}

/** Messages of callers that run more than once. */
async function doubledRuns({ db }: Audited): Promise<string[]> {
  const rows = await db.query.selectFrom('agent_runs').select(['id', 'input']).execute();
  const byMessage = Map.groupBy(rows, ({ input }) => (input as { message_id?: string }).message_id);
  return [...byMessage]
    .filter(([id, runs]) => id !== undefined && runs.length > 1)
    .map(([id, runs]) => `message ${id} runs ${runs.length} times`);
}

/** Chunks in the database of revisions that no document shows. */
async function strayChunks({ db }: Audited): Promise<string[]> {
  const rows = await db.query
    .selectFrom('chunks')
    .innerJoin('documents', 'documents.id', 'chunks.document_id')
    .select(['chunks.document_id as id', 'chunks.revision', 'documents.revision as shown'])
    .execute();
  const stray = rows.filter(({ revision, shown }) => revision !== shown);
  return stray.map(({ id, revision, shown }) => `document ${id} shows ${shown} and keeps a chunk of ${revision}`);
}

/** Calls by what the ledger counts them under. */
async function meteredCalls({ query }: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await query.selectFrom('usage_slices').select(['endpoint', 'model', 'calls']).execute();
  const names = rows.map(({ endpoint, model, calls }) => ({
    name: endpoint === 'chat' || endpoint === 'agents' ? model : endpoint,
    calls,
  }));
  return new Map(
    [...Map.groupBy(names, ({ name }) => name)].map(([name, all]) => [
      name,
      all.reduce((sum, { calls }) => sum + calls, 0),
    ]),
  );
}

/** Calls that were answered and are not counted, and calls that are counted more often than they were made. */
async function auditUsage({ db, target: { ledger }, arrived }: Audited, kills: number): Promise<string[]> {
  const metered = await meteredCalls(db);
  const agent = { answered: ledger.runs.size, begun: arrived.get('AGENT') ?? 0 };
  return [...ledger.calls, ['AGENT', agent] as const].flatMap(([name, { begun, answered }]) => {
    const counted = metered.get(name) ?? 0;
    // A document whose reader is killed is read again, and each reading is counted.
    const most = name === 'document/parse' ? begun + kills : begun;
    if (counted < answered) return [`${name}: ${answered - counted} of ${answered} answered calls are not metered`];
    return counted > most ? [`${name}: ${counted} calls are metered, ${most} were made`] : [];
  });
}

/** Audits of one kind at a time. */
const AT_ONCE = 4;

async function each<T>(entries: Iterable<T>, audit: (entry: T) => Promise<string[]>): Promise<string[]> {
  const wrong: string[] = [];
  const left = [...entries];
  const next = async () => {
    for (let entry = left.shift(); entry !== undefined; entry = left.shift()) {
      const named = JSON.stringify(entry);
      const failed = (error: unknown) => [`${named} cannot be asked for: ${String(error).slice(0, 300)}`];
      wrong.push(...(await audit(entry).catch(failed)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return wrong;
}

/** Everything that was acknowledged against what is there; resolves with what is wrong, in words. */
export async function audit(audited: Audited, kills: number): Promise<string[]> {
  const { ledger } = audited.target;
  return [
    ...ledger.wrong,
    ...(await untilFine(() => openWork(audited), SETTLED_TIMEOUT_MS)),
    ...(await each(ledger.documents, ([number, id]) => auditDocument(audited, number, id))),
    ...(await each(ledger.parses, ([id, word]) => auditParse(audited, id, word))),
    ...(await each(ledger.runs, ([id, answer]) => auditRun(audited, id, answer))),
    ...(await each(ledger.responses, ([id, expected]) => auditResponse(audited, id, expected))),
    // An answer whose process is gone is known to be by its lease.
    ...(await each(ledger.turns, ([id, turn]) => untilFine(() => auditTurn(audited, id, turn), SETTLED_TIMEOUT_MS))),
    ...(await doubledRuns(audited)),
    ...(await strayChunks(audited)),
    ...(await untilFine(() => auditUsage(audited, kills), USAGE_TIMEOUT_MS)),
  ];
}

/** One line that says how much was held against what is there. */
export const summary = ({ documents, parses, runs, responses, turns, calls, statuses }: Ledger): string => {
  const counted = [...calls.values()];
  const answered = counted.reduce((sum, one) => sum + one.answered, 0);
  const begun = counted.reduce((sum, one) => sum + one.begun, 0);
  const told = [...statuses].map(([status, count]) => `${status}: ${count}`).toSorted();
  return (
    `${documents.size} documents, ${parses.size} background parses, ${runs.size} runs of agents, ` +
    `${responses.size} responses in the background, ${turns.size} conversations, ` +
    `${answered} of ${begun} calls of models answered; ${told.join(', ')}`
  );
};
