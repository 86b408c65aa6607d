import { randomUUID } from 'node:crypto';
import { sleep } from '../gateway/children.ts';
import { writePages } from '../parsing/corpus/typesetter.ts';
import { contents } from '../parsing/corpus/contents.ts';
import type { RunningService } from './service.ts';

// What a service has seen after a while: some of everything.

const MODEL = 'CORE-GOV-THINK';
const CHATS = 2_000;
const AT_ONCE = 16;
const DOCUMENTS = 40;
const SEARCHES = 100;
/** Of a document of some pages, in characters. */
const TEXT_LENGTH = 20_000;
const DOCUMENT_MS = 120_000;

type Call = RunningService['call'];

/** One chat, whole or streamed. */
export const chat = (call: Call, { stream, length }: { readonly stream: boolean; readonly length: number }) =>
  call('POST', '/v1/chat/completions', {
    model: MODEL,
    stream,
    messages: [{ role: 'user', content: 'What do the rules say of holidays? '.repeat(Math.ceil(length / 35)) }],
  });

async function manyChats(call: Call): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let at = next++; at < CHATS; at = next++)
      await chat(call, { stream: at % 2 === 0, length: at % 20 === 0 ? TEXT_LENGTH : 200 });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

const resultOf = (text: string) => (JSON.parse(text) as { result: Record<string, unknown> }).result;

const textOf = (document: number) =>
  Array.from(
    { length: TEXT_LENGTH / 80 },
    (_, line) => `Rule ${line} of part ${document}: who travels for ${line + document} days asks before the journey.`,
  ).join('\n\n');

/** Takes documents in, and searches them. */
async function retrieval(call: Call): Promise<void> {
  const created = await call('POST', '/v1/rag42/collections', { collection_name: `bench ${randomUUID()}` });
  const id = String(resultOf(created)['collection_id']);
  for (let at = 0; at < DOCUMENTS; at++) {
    const form = new FormData();
    form.set('file', new Blob([`# Part ${at}\n\n${textOf(at)}`]), `part-${at}.md`);
    await call('POST', `/v1/rag42/collections/${id}/documents/upload`, form);
  }
  const deadline = Date.now() + DOCUMENT_MS;
  for (;;) {
    const { items } = resultOf(await call('GET', `/v1/rag42/collections/${id}/documents?size=100`));
    const states = (items as { state: string }[]).map(({ state }) => state);
    if (states.includes('failed')) throw new Error('a document of the bench could not be taken in');
    if (states.every((state) => state === 'ready')) break;
    if (Date.now() > deadline) throw new Error(`documents of the bench are not ready: ${states.join(' ')}`);
    await sleep(200);
  }
  for (let at = 0; at < SEARCHES; at++)
    await call('POST', '/v1/rag42/search', { collection_id: id, query: `journey of ${at} days`, top_k: 5 });
}

/** Reads a PDF, masks a text and asks for vectors. */
async function utilities(call: Call): Promise<void> {
  const [content] = contents;
  if (content === undefined) throw new Error('there is no document');
  const form = new FormData();
  form.set('file', new Blob([writePages(content, 1)]), 'document.pdf');
  await call('POST', '/v1/document/parse', form);
  const text = `주민등록번호 900101-1234567, 전화 010-1234-5678. ${textOf(1)}`;
  for (let at = 0; at < 20; at++) await call('POST', '/v1/text/pii-mask', { text });
  await call('GET', '/openapi.json');
  await call('GET', '/v1/models');
}

/** Chats, documents, searches, a PDF, personal values: what loads every part that most services use. */
export async function useEverything(call: Call): Promise<void> {
  await manyChats(call);
  await retrieval(call);
  await utilities(call);
}
