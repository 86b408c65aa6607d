import { afterAll, beforeAll, expect, test } from 'vitest';
import { hexId } from '../../src/kernel/ids.ts';
import { covers } from '../requirements.ts';
import { keyOfAnotherTenant } from '../support/command.ts';
import type { Caller } from '../support/http.ts';
import {
  ask,
  askFine,
  chunksOf,
  formOf,
  makeCollection,
  sendForm,
  uploadReady,
  wordHits,
} from '../support/retrieval.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
/** Of another tenant. */
let stranger: Caller;
beforeAll(async () => {
  service = await startService({ config: { limits: { requests_per_minute: null } } });
  stranger = { base: service.base, key: await keyOfAnotherTenant(service) };
});
afterAll(() => service.close());

interface Things {
  readonly collection: string;
  readonly document: string;
  readonly chunk: string;
}

async function thingsOf(caller: Caller): Promise<Things> {
  const { collection_id: collection } = await makeCollection(caller, { visibility: 'tenant' });
  const { document_id: document } = await uploadReady(caller, collection, 'a.md', '고유한 낱말 돌고래');
  const [chunk] = await chunksOf(caller, document);
  return { collection, document, chunk: chunk?.chunk_id ?? '' };
}

/** Every call that names things, by what it names. */
const callsOf = (own: Things, named: Things): readonly [string, string, unknown?][] => {
  const documents = [
    `documents/${named.document}`,
    `collections/${named.collection}/documents/${named.document}`,
    // Ids of both in one address.
    `collections/${own.collection}/documents/${named.document}`,
    `collections/${named.collection}/documents/${own.document}`,
  ];
  const chunks = [
    `chunks/${named.chunk}`,
    ...documents.map((path) => `${path}/chunks/${named.chunk}`),
    `documents/${named.document}/chunks/${own.chunk}`,
    `documents/${own.document}/chunks/${named.chunk}`,
    `collections/${named.collection}/documents/${own.document}/chunks/${own.chunk}`,
  ];
  const collection = `collections/${named.collection}`;
  return [
    ['GET', collection],
    ['PATCH', collection, { name: 'x' }],
    ['DELETE', collection],
    ['POST', `${collection}/reindex`],
    ['DELETE', `${collection}/reindex`],
    ['GET', `${collection}/documents`],
    ...documents.flatMap((path): [string, string, unknown?][] => [
      ['GET', path],
      ['PATCH', path, { name: 'x' }],
      ['DELETE', path],
      ['GET', `${path}/file`],
      ['POST', `${path}/reindex`],
      ['GET', `${path}/chunks`],
      ['POST', `${path}/chunks`, { content: 'x' }],
    ]),
    ...chunks.flatMap((path): [string, string, unknown?][] => [
      ['GET', path],
      ['PATCH', path, { content: 'x' }],
      ['DELETE', path],
      ['POST', `${path}/similar`, {}],
    ]),
    ['POST', `${collection}/preview`, { text: 'x' }],
    ['POST', `collections/${own.collection}/preview`, { document_id: named.document }],
    ['POST', `chunks/${own.chunk}/similar`, { collection_ids: [named.collection] }],
    ['POST', 'search', { query: '돌고래', collection_id: named.collection }],
    ['POST', 'search', { query: '돌고래', collection_ids: [named.collection] }],
    ['POST', 'search', { query: '돌고래', collection_ids: [own.collection, named.collection] }],
    ['POST', 'search', { query: '돌고래', collection_id: own.collection, collection_ids: [named.collection] }],
  ];
};

const nothing: Things = { collection: '0'.repeat(32), document: '1'.repeat(32), chunk: '2'.repeat(32) };

/** An answer without the ids that it repeats. */
const shape = ({ status, code, message }: { status: number; code: string; message: string }) => ({
  status,
  code,
  message: message.replaceAll(/[0-9a-f]{32}/g, 'ID'),
});

test('ids of another tenant are unknown wherever they stand', async () => {
  covers('retrieval.isolation');
  const own = await thingsOf(service);
  const theirs = await thingsOf(stranger);
  const [foreign, unknown] = [callsOf(own, theirs), callsOf(own, nothing)];
  expect(foreign.length).toBeGreaterThan(50);
  for (const [at, [method, path, body]] of foreign.entries()) {
    const [, sameOfNothing = '', sameBody] = unknown[at] ?? [];
    const answer = await ask(service, path, { method, body });
    expect([answer.status, answer.code], `${method} ${path}`).toEqual([404, '40400']);
    expect(shape(answer), `${method} ${path}`).toEqual(
      shape(await ask(service, sameOfNothing, { method, body: sameBody })),
    );
  }
  // Uploads, by address and by field.
  for (const [path, fields] of [
    [`collections/${theirs.collection}/documents/upload`, {}],
    ['documents', { collection_id: theirs.collection }],
    [`collections/${theirs.collection}/preview/upload`, {}],
  ] as const)
    expect(await sendForm(service, path, formOf('x.md', 'x', fields)), path).toMatchObject({
      status: 404,
      code: '40400',
    });
  // A filter over one's own collection never leads out of it.
  expect(await wordHits(service, own.collection, '돌고래', { filters: { document_id: theirs.document } })).toEqual([]);
  const { items } = await askFine<{ items: { collection_id: string }[] }>(service, 'collections?size=100');
  expect(items.map(({ collection_id: id }) => id)).toEqual([own.collection]);
  // All is as it was.
  for (const [caller, things] of [
    [service, own],
    [stranger, theirs],
  ] as const) {
    const hits = await wordHits(caller, things.collection, '돌고래');
    expect(hits.map(({ chunk_id: chunk, content }) => [chunk, content])).toEqual([
      [things.chunk, '고유한 낱말 돌고래'],
    ]);
  }
  // Another tenant in the header is refused before anything else.
  const header = { headers: { 'X-Tenant-Id': hexId() } };
  expect(await ask(service, `collections/${own.collection}`, header)).toMatchObject({ status: 403, code: '40300' });
});
