import { createRenderer, type DocumentParser, packDocument, standardLimits, unlimitedWork } from '@ai-studio/documents';
import { readDocument } from '@ai-studio/documents/readers';
import { paragraph, writeHwp } from '@ai-studio/documents/test/hwp-writer/index.ts';
import { afterAll, expect, test } from 'vitest';
import { openTestChat } from '../../../test/support/inference.ts';
import { scriptedEngine } from '../../../test/support/scripted-engine.ts';
import { createMemoryRateLimiter } from '../../adapters/embedded/memory-rate-limiter.ts';
import { createRouter } from '../../inference/index.ts';
import { type Actor, noRights } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import type { Logger } from '../../kernel/log.ts';
import { unlimited } from '../../kernel/rate-limits.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { EngineError } from '../../ports/engine.ts';
import { parseFailures } from '../parse-failures.ts';
import { readAnswer } from './ask-model.ts';
import { type ExtractDeps, extractMetered } from './index.ts';
import { readExtractSchema } from './schema.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const script = scriptedEngine();
const router = createRouter({
  engines: new Map([['script', [{ engine: script.engine, weight: 1 }]]]),
  limits: { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 },
  log: silent,
});
const limiter = createMemoryRateLimiter(Date.now);
const catalogue = createCatalogue({ models: { CORE: { engines: [{ engine: 'script' }] } } });
const renderer = createRenderer({ size: 1, heapMb: 200, timeoutMs: 60_000, failures: parseFailures });
const used: string[] = [];
const actor: Actor = {
  tenantId: 'b'.repeat(32) as TenantId,
  keyId: 'a'.repeat(32),
  userId: null,
  rights: noRights,
  allowedModels: null,
  limits: unlimited,
  guard: null,
};
const ctx = (signal = new AbortController().signal) => ({ actor, requestId: 'c'.repeat(32), signal });

const contract = writeHwp({
  sections: [
    [
      paragraph('용역 계약서'),
      paragraph('계약 상대자 : 주식회사 가나다'),
      paragraph('계약금액은 삼천만 원(30,000,000원)으로 하며 이행 기간은 2024년 3월 5일까지로 한다.'),
    ],
  ],
});
/** Reads without a process: what reads is tried elsewhere. */
const pool: DocumentParser = {
  async parse() {
    const options = { limits: standardLimits, pages: null, onPage: () => undefined };
    return packDocument(await readDocument(contract, 'a.hwp', options));
  },
};
const deps: ExtractDeps = {
  pool,
  renderer,
  limits: standardLimits,
  timeoutMs: 60_000,
  work: unlimitedWork,
  backgroundTimeoutMs: 60_000,
  now: Date.now,
  metering: { record: (call) => void used.push(call.endpoint) },
  openChat: openTestChat({ catalogue, router, limiter, record: (row) => void used.push(row.endpoint) }),
  catalogue,
};
afterAll(async () => {
  router.close();
  await renderer.close();
  await limiter.close();
});

const schema = JSON.stringify({
  type: 'object',
  properties: {
    party: { type: 'string', title: '계약 상대자' },
    terms: {
      type: 'object',
      properties: {
        amount: { type: 'number', title: '계약 금액' },
        end: { type: 'string', format: 'date', title: '이행 기간' },
        penalty: { type: ['number', 'null'], title: '지체 상금' },
      },
    },
    items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
});
const extract = (fields: { readonly model?: string; readonly schema?: string } = {}, signal?: AbortSignal) =>
  extractMetered(deps, ctx(signal), { path: '/nowhere', name: '계약.hwp' }, { schema, parser_type: 'auto', ...fields });
const asked = (count: number) => expect.poll(() => script.calls.length).toBe(count);

test('rules alone find what stands beside its label, and say what is missing', async () => {
  const { extracted, usage } = await extract();
  expect(extracted).toMatchObject({
    document_name: '계약.hwp',
    format: 'hwp',
    values: { party: '주식회사 가나다' },
    fields: [{ name: 'party', value: '주식회사 가나다', source: 'text', confidence: 0.85 }],
    missing: ['terms.amount', 'terms.end', 'terms.penalty', 'items'],
  });
  expect(usage).toEqual({ pages: 1 });
  expect(script.calls).toHaveLength(0);
  expect(used.splice(0)).toEqual(['document/parse']);
});

test('names that all objects inherit are those of the caller, and touch nothing else', async () => {
  const party = { type: 'string', title: '계약 상대자' };
  const { extracted } = await extract({
    schema: JSON.stringify({ properties: { hasOwnProperty: { properties: { valueOf: party } } } }),
  });
  expect(extracted.values).toEqual({ hasOwnProperty: { valueOf: '주식회사 가나다' } });
  expect(Object.prototype.hasOwnProperty).not.toHaveProperty('party');
  expect(Object.prototype.hasOwnProperty).toHaveProperty('valueOf', Object.prototype.valueOf);
  expect(used.splice(0)).toEqual(['document/parse']);
});

test('a model is asked for the rest alone; what it quotes is found again, what it makes up is doubtful', async () => {
  const running = extract({ model: 'CORE' });
  await asked(1);
  const { request } = script.last().call.body;
  const question = JSON.stringify(request.messages);
  expect(question).toContain('terms.amount (number): 계약 금액');
  expect(question).toContain('이행 기간은 2024년 3월 5일까지로');
  expect(question).not.toContain('- party');
  script.say(
    JSON.stringify({
      values: [
        { name: 'terms.amount', value: '30,000,000원', quote: '계약금액은 삼천만 원(30,000,000원)' },
        { name: 'terms.end', value: '2024년 3월 5일', quote: '끝나는 날은 3월' },
        { name: 'terms.penalty', value: '없다', quote: '' },
        { name: 'party', value: '다른 회사', quote: '' },
      ],
    }),
  );
  script.end();
  const { extracted, usage } = await running;
  expect(extracted.values).toEqual({ party: '주식회사 가나다', terms: { amount: 30_000_000, end: '2024-03-05' } });
  expect(extracted.fields.slice(1)).toMatchObject([
    { name: 'terms.amount', source: 'model', confidence: 0.7, quote: '계약금액은 삼천만 원(30,000,000원)' },
    { name: 'terms.end', source: 'model', confidence: 0.3, page: null },
  ]);
  expect(extracted.missing).toEqual(['terms.penalty', 'items']);
  expect(usage).toEqual({ pages: 1, prompt_tokens: 7, completion_tokens: 3 });
  expect(used.splice(0).toSorted()).toEqual(['document/extract', 'document/parse']);
});

test('a model that fails, or that does not exist, fails the call with its reason', async () => {
  const running = extract({ model: 'CORE' });
  await asked(2);
  script.fail(new EngineError('refused', 'it is too long'));
  await expect(running).rejects.toThrow();
  await expect(extract({ model: 'NONE' })).rejects.toMatchObject({ param: 'model' });
});

test('whoever gives up ends the model too', async () => {
  const gone = new AbortController();
  const running = extract({ model: 'CORE' }, gone.signal);
  await asked(3);
  gone.abort(new Error('gone'));
  await expect(running).rejects.toThrow('gone');
  expect(script.last().aborted).toBe(true);
});

test('a model that does not exist is refused also where rules find all', async () => {
  const party = JSON.stringify({ properties: { party: { type: 'string', title: '계약 상대자' } } });
  used.length = 0;
  await expect(extract({ model: 'NONE', schema: party })).rejects.toMatchObject({ param: 'model' });
  expect(used).toEqual([]);
});

test('columns of a list that were not found are named, and a list that was not found at all by its name', async () => {
  const columns = (...names: readonly string[]) => ({
    type: 'array',
    items: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
  });
  const properties = { 목록: columns('품명', '단가'), 다른: columns('기관', '주소'), a: { type: 'string' } };
  const { extracted } = await extractMetered(
    {
      ...deps,
      pool: {
        async parse() {
          const options = { limits: standardLimits, pages: null, onPage: () => undefined };
          return packDocument(await readDocument(Buffer.from('품명,수량\n책상,3\n'), 'a.csv', options));
        },
      },
    },
    ctx(),
    { path: '/nowhere', name: 'a.csv' },
    { schema: JSON.stringify({ properties }), parser_type: 'auto' },
  );
  expect(extracted.values).toEqual({ 목록: [{ 품명: '책상' }] });
  expect(extracted.missing).toEqual(['a', '목록[].단가', '다른']);
  used.length = 0;
});

test('schemas are read as programs write them, with names of objects for what stands within', () => {
  const property = (one: object) => readExtractSchema(JSON.stringify({ properties: { a: one } })).values[0];
  const maybe = { title: '성명', anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] };
  expect(property(maybe)).toMatchObject({ type: 'string', date: true, labels: ['성명', 'a'] });
  expect(property({ enum: ['예', '아니오', null] })).toMatchObject({ type: 'string', options: ['예', '아니오'] });
  expect(property({ enum: [1, 2] })).toMatchObject({ type: 'integer', options: [1, 2] });
  expect(property({ type: 'integer', enum: [1, 2, 'x'] })).toMatchObject({ options: [1, 2] });
  expect(property({ type: 'string', 'x-labels': '이름' })).toMatchObject({ labels: ['a', '이름'] });
  const nested = {
    properties: {
      b: { type: 'array', items: { type: 'object', properties: { c: { type: 'string' } } } },
      party: { title: '수급인', anyOf: [{ properties: { d: { type: 'string' } } }, { type: 'null' }] },
    },
  };
  const { values, columns } = readExtractSchema(JSON.stringify(nested));
  expect(values).toMatchObject([{ path: ['party', 'd'], within: [['수급인', 'party']] }]);
  expect(columns).toEqual(['b[].c', 'party.d']);
});

test('a schema that was taken before is read again, whatever is refused by now', () => {
  const old = '{"properties":{"a":{"type":"string","x-label":["b"]},"c":{"type":"integer","enum":["x"]}}}';
  expect(() => readExtractSchema(old)).toThrow('write x-labels');
  expect(readExtractSchema(old, { isKept: true }).columns).toEqual(['a', 'c']);
});

test.each([
  ['{', 'no JSON'],
  ['{"properties":{"a":{"type":"string","x-label":"b"}}}', 'a has x-label, which nothing reads; write x-labels'],
  ['{"properties":{"a":{"type":"string","x-labels":{"b":1}}}}', 'no list of texts'],
  ['{"properties":{"a":{"type":"integer","enum":["x"]}}}', 'enum without a value of the type integer'],
  ['{"properties":{"a":{"enum":["x",1]}}}', 'a must have one of the types'],
  ['{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"number"}]}}}', 'a must have one of the types'],
  ['{"properties":{"a":{"anyOf":[{"$ref":"#/b"},{"type":"null"}]}}}', 'refers to another schema'],
  ['[]', 'must be the schema of an object'],
  ['{"type":"object","properties":{}}', 'asks for nothing'],
  ['{"type":"object","properties":{"a":{"type":"date"}}}', 'a must have one of the types'],
  ['{"type":"object","properties":{"a":{"$ref":"#/b"}}}', 'refers to another schema'],
  ['{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}', 'must list objects'],
  ['{"type":"object","properties":{"__proto__":{"type":"string"}}}', 'name that cannot be used'],
  [
    `{"properties":${'{"a":{"type":"object","properties":'.repeat(9)}{"a":{"type":"string"}}${'}}'.repeat(9)}}`,
    'deeper',
  ],
  [
    JSON.stringify({
      properties: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`p${at}`, { type: 'string' }])),
    }),
    '100 values',
  ],
])('a schema that is not understood is refused with what is wrong: %s', (text, message) => {
  expect(() => readExtractSchema(text)).toThrow(message);
});

test('whatever a model writes is read as far as it makes sense', () => {
  const { values } = readExtractSchema(schema);
  const written =
    '```json\n{"values":[{"name":"terms.amount","value":5},{"name":"party","value":null},null,{"name":"x"}]}\n```';
  expect(readAnswer(written, values)).toMatchObject([{ value: 5, quote: '' }]);
  for (const text of ['', 'no', '{', '{"values":3}', 'null', '{"values":[1]}'])
    expect(readAnswer(text, values)).toEqual([]);
});
