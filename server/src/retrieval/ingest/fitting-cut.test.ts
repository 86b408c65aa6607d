import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  type EmbeddingServerOptions,
  fakeTokensOf,
  startEmbeddingServer,
} from '../../../test/fakes/embedding-server.ts';
import { openTestCalls } from '../../../test/support/inference.ts';
import { silent } from '../../../test/support/silent-log.ts';
import { createOpenAiEngine } from '../../adapters/engines/openai/index.ts';
import { unlimitedActor } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { openModelCall } from '../call.ts';
import type { RetrievalDeps } from '../deps.ts';
import { embeddedText } from '../texts/embedded-text.ts';
import { createTextWorkers, type TextWorkers } from '../texts/index.ts';
import { createLearnedLengths, cutToFit, type LearnedLengths, pathLengthFor } from './fitting-cut.ts';

let texts: TextWorkers;
beforeAll(() => {
  texts = createTextWorkers({ size: 1, heapMb: 256, timeoutMs: 60_000, encoding: 'o200k_base' });
});
afterAll(() => texts.close());
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const paragraph = (text: string) => ({ type: 'paragraph', page: 1, spans: [{ text }] });
const heading = (level: number, text: string) => ({ type: 'heading', level, page: 1, spans: [{ text }] });
const packed = (blocks: readonly object[]) =>
  gzipSync(JSON.stringify({ format: 'markdown', meta: { title: '규정' }, pages: [], warnings: [], blocks }));
const sentences = (count: number, from = 0) =>
  Array.from(
    { length: count },
    (_, i) => `제${from + i}항은 직원의 국내여비와 숙박비 지급기준을 상세하게 정한다.`,
  ).join(' ');
const rules = [
  heading(1, '여비 규정'),
  paragraph(sentences(120)),
  heading(2, '제2장 국내 여비의 지급과 정산에 관한 절차와 그 밖에 필요한 사항'),
  paragraph(sentences(20, 500)),
  paragraph(sentences(60, 700)),
];
/** Amounts are many tokens to a model that has few numbers. */
const amounts = {
  type: 'table',
  page: 2,
  rows: 120,
  columns: 2,
  headerRows: 1,
  cells: Array.from({ length: 240 }, (_, at) => ({
    row: Math.floor(at / 2),
    column: at % 2,
    rowSpan: 1,
    columnSpan: 1,
    blocks: [
      paragraph(at < 2 ? (['항목', '금액'][at] ?? '') : at % 2 === 0 ? `사업비${at}` : `${at}00000000000000000`),
    ],
  })),
};

const chunking = { chunking_strategy: 'by_title', pii_mask: false } as const;
const wordsOf = (text: string) => new Set(text.match(/[\p{L}\p{N}]+/gu));

interface Given {
  readonly server?: EmbeddingServerOptions;
  readonly maxTokens?: number;
  readonly size?: number;
  readonly blocks?: readonly object[];
  readonly passage?: string;
  readonly learned?: LearnedLengths;
}

async function cut({ server: options, maxTokens, size = 768, blocks = rules, passage = '', learned }: Given) {
  const server = await startEmbeddingServer(options);
  const engine = createOpenAiEngine({ id: 'gov', baseUrl: server.url, log: silent });
  open.push(engine, server);
  const catalogue = createCatalogue({
    models: {
      own: {
        kind: 'embedding',
        engines: [{ engine: 'gov', model: 'fake-embedder' }],
        ...(maxTokens === undefined ? {} : { embedding: { max_tokens: maxTokens } }),
      },
    },
  });
  const calls = openTestCalls({ router: { call: ({ signal }, work) => work(engine, 'fake-embedder', signal) } });
  const deps = { texts, catalogue, calls, now: Date.now } as unknown as RetrievalDeps;
  const { signal } = new AbortController();
  const actor = unlimitedActor({ tenantId: 't' as TenantId, keyId: null, userId: null });
  const call = openModelCall(deps, { actor, requestId: 'r', signal }, 'ingest', 'ingest');
  const embedding = { model: 'own', requestedDimension: null, dimension: null, prefixes: { query: '', passage } };
  const how = { ...chunking, chunk_size: size, chunk_overlap: Math.floor(size / 10) };
  const given = { packed: packed(blocks), how, embedding, signal };
  const { chunks } = await cutToFit(deps, call, given, learned ?? createLearnedLengths());
  const limit = maxTokens ?? options?.maxTokens ?? 512;
  const lengths = chunks.map((chunk) => fakeTokensOf(passage + embeddedText(chunk, pathLengthFor(limit))));
  return { chunks, longest: Math.max(...lengths), paths: server.paths };
}

test.each([
  ['of vLLM, with chunks as they are by default', {}],
  ['of Text Embeddings Inference', { server: { kind: 'tei' } }],
  ['of llama-server, with smaller chunks', { server: { kind: 'llama-server' }, size: 512 }],
  ['with chunks that are small by our tokens alone', { size: 384 }],
  ['that wants words before passages', { passage: 'passage: ' }],
  ['of very short texts', { server: { maxTokens: 64 } }],
  ['of less than its server says', { server: { maxTokens: 4_096 }, maxTokens: 128 }],
  ['of less than its server, which counts nothing, says', { server: { kind: 'ollama' }, maxTokens: 512 }],
] as const)('no chunk is longer than a model reads %s, and none lacks a word', async (_what, given: Given) => {
  const { chunks, longest } = await cut(given);
  expect(longest).toBeLessThanOrEqual(given.maxTokens ?? given.server?.maxTokens ?? 512);
  const found = wordsOf(chunks.map(({ content }) => content).join(' '));
  for (const { spans } of rules as { spans: { text: string }[] }[])
    for (const word of wordsOf(spans[0]?.text ?? '')) expect(found).toContain(word);
});

test('rows of a table that are long to the model alone are parted from each other, each part with the headings', async () => {
  const { chunks, longest } = await cut({ server: { maxTokens: 256 }, blocks: [...rules, amounts] });
  expect(longest).toBeLessThanOrEqual(256);
  const parts = chunks.filter(({ content }) => content.includes('사업비'));
  expect(parts.length).toBeGreaterThan(3);
  for (const { content } of parts) expect(content).toContain('| 항목 | 금액 |');
});

test('a model that reads much gets the chunks that were asked for, and nobody counts them', async () => {
  const { chunks, paths } = await cut({ server: { maxTokens: 8_192 } });
  expect(chunks.some(({ tokens }) => tokens > 512)).toBe(true);
  expect(paths).not.toContain('/tokenize');
});

test('what a refusal tells of a model counts from then on', async () => {
  const learned = createLearnedLengths();
  expect(learned.of('own').maxTokens).toBeNull();
  learned.note('own', { given: 900, limit: 300 }, 450);
  expect(learned.of('own')).toEqual({ maxTokens: 300, ratio: 2, refused: true });
  // Neither a length nor more than what was kept: the estimate grows.
  learned.note('own', { given: null, limit: null }, 450);
  expect(learned.of('own')).toEqual({ maxTokens: 300, ratio: 3, refused: true });
  const { longest } = await cut({ server: { kind: 'ollama', maxTokens: 512 }, learned });
  expect(longest).toBeLessThanOrEqual(300);
});

test('titles that stand in a chunk are not embedded twice, and long ones leave room for the text', () => {
  const chunk = {
    title: '제1조',
    headings: ['제1장 *총칙*', '제1조'],
    content: '# 제1장 **총칙**\n\n## 제1조\n\n목적',
  };
  expect(embeddedText(chunk)).toBe(chunk.content);
  expect(embeddedText({ ...chunk, content: '목적' })).toBe('제1장 *총칙* > 제1조\n\n목적');
  expect(embeddedText({ ...chunk, content: '목적' }, 5)).toBe('제1조\n\n목적');
  expect(embeddedText({ title: '', headings: [], content: '목적' })).toBe('목적');
});
