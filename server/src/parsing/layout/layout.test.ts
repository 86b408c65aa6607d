import { type DocumentParser, type PageDrawer, ParseError, type ParseJob, standardLimits } from '@ai-studio/documents';
import { afterAll, beforeEach, expect, test } from 'vitest';
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
import { PageNotRead, type PageReader, type PageToRead } from '../../ports/page-reader.ts';
import { blocksAsMarkdown } from './block-lists.ts';
import { type ConfiguredReader, createLayoutParser, type LayoutRun, type LayoutWish } from './index.ts';
import { requireReader } from './require-reader.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent };
const script = scriptedEngine();
const router = createRouter({
  engines: new Map([['script', [{ engine: script.engine, weight: 1 }]]]),
  limits: { first_token_ms: 60_000, between_tokens_ms: 60_000, total_ms: 60_000 },
  log: silent,
});
const limiter = createMemoryRateLimiter(Date.now);
const catalogue = createCatalogue({
  models: { EYE: { engines: [{ engine: 'script' }], images: true }, BLIND: { engines: [{ engine: 'script' }] } },
});
const used: string[] = [];
const openChat = openTestChat({
  catalogue,
  router,
  limiter,
  record: ({ endpoint, model }) => void used.push(`${endpoint} ${model}`),
});
const tenantId = 'b'.repeat(32) as TenantId;
const actor: Actor = {
  tenantId,
  keyId: 'a'.repeat(32),
  userId: null,
  rights: noRights,
  allowedModels: null,
  limits: unlimited,
  guard: null,
};
afterAll(async () => {
  router.close();
  await limiter.close();
});

const PAGES = 4;
let drawn: number[] = [];
let damaged = 0;
const drawing: PageDrawer = {
  draw: (_tenant, { picture: { page } }) => {
    drawn.push(page);
    if (page === damaged || page > PAGES)
      return Promise.reject(new ParseError('CORRUPTED', `Page ${page} is damaged.`));
    return Promise.resolve({ png: Uint8Array.of(page), pages: PAGES });
  },
};
let jobs: ParseJob[] = [];
const packed = { bytes: new Uint8Array(), pages: PAGES, isEmpty: false, format: 'pdf', warnings: [] } as const;
const pool: DocumentParser = {
  parse: (_tenant, job) => {
    jobs.push(job);
    return Promise.resolve(packed);
  },
};
beforeEach(() => {
  drawn = [];
  damaged = 0;
  jobs = [];
  used.length = 0;
});

interface Options {
  readonly pages?: readonly number[] | null;
  readonly layout?: Partial<LayoutWish>;
  readonly run?: Partial<LayoutRun>;
  readonly pageTimeoutMs?: number;
}
function parse(
  configured: ConfiguredReader,
  { pages = null, layout = {}, run = {}, pageTimeoutMs = 60_000 }: Options = {},
) {
  const parser = createLayoutParser({
    pool,
    drawing,
    configured,
    openChat,
    catalogue,
    now: Date.now,
    pageTimeoutMs,
    pagesAtOnce: 1,
    width: 400,
    log: silent,
  });
  const job = {
    path: '/a',
    name: 'a.pdf',
    pages,
    limits: standardLimits,
    parser: 'layout',
    layout: { model: null, describeFigures: false, ...layout },
  } as const;
  const signal = new AbortController().signal;
  const ctx = { actor, requestId: 'c'.repeat(32) };
  return parser.parse(tenantId, job, { timeoutMs: 60_000, signal, onPage: () => undefined, ctx, ...run });
}
const reading = (read: (page: PageToRead, nth: number) => string | Promise<string>): PageReader => ({
  read: async (page) => read(page, page.picture[0]!),
});

test('pages go to the reader as pictures; those that it does not read are left to the service, with why', async () => {
  const told: string[] = [];
  await parse(
    reading((_, page) => {
      if (page === 3) throw new PageNotRead('its server answered 503');
      return page === 2 ? ' \n' : `# ${page}`;
    }),
    { run: { onPage: (done, total) => void told.push(`${done}/${total}`) } },
  );
  expect(drawn).toEqual([1, 2, 3, 4]);
  expect(jobs).toMatchObject([
    {
      parser: 'auto',
      seen: {
        read: [
          { page: 1, markdown: '# 1' },
          { page: 4, markdown: '# 4' },
        ],
        missed: [2, 3],
        why: 'it said nothing',
      },
    },
  ]);
  expect(jobs[0]).not.toHaveProperty('layout');
  expect(told).toEqual(['1/4', '2/4', '3/4', '4/4']);
});

test('only pages that are wanted are drawn, those of the document', async () => {
  await parse(
    reading((_, page) => `${page}`),
    { pages: [3, 2, 9, 3] },
  );
  expect(drawn).toEqual([2, 3]);
  expect(jobs[0]?.seen).toEqual({
    read: [
      { page: 2, markdown: '2' },
      { page: 3, markdown: '3' },
    ],
    missed: [],
    why: '',
  });
});

test('a reader that fails page after page is asked no more', async () => {
  let asked = 0;
  const away = reading(() => {
    asked++;
    throw new PageNotRead('its server cannot be reached');
  });
  await parse(away);
  expect(asked).toBe(3);
  expect(jobs[0]?.seen).toEqual({ read: [], missed: [1, 2, 3, 4], why: 'its server cannot be reached' });
});

test('a page that takes too long, and one that cannot be drawn, hold nothing up', async () => {
  damaged = 2;
  const hanging = reading((_, page) => (page === 3 ? new Promise<string>(() => undefined) : `${page}`));
  await parse(hanging, { pageTimeoutMs: 30 });
  expect(jobs[0]?.seen).toMatchObject({ missed: [2, 3], why: 'Page 2 is damaged.' });
});

test('all pages together have a time, and a caller who goes away ends it', async () => {
  await parse(
    reading((_, page) => (page === 1 ? new Promise<string>(() => undefined) : 'x')),
    { run: { timeoutMs: 40 } },
  );
  expect(jobs[0]?.seen).toEqual({ read: [], missed: [1, 2, 3, 4], why: 'no time was left for it' });
  const gone = new AbortController();
  const left = parse(
    reading(() => new Promise<string>(() => undefined)),
    { run: { signal: gone.signal } },
  );
  await expect.poll(() => drawn.length).toBe(2);
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(jobs).toHaveLength(1);
});

test('documents without pictures of their pages, and calls without a reader, are read as before', async () => {
  damaged = 1;
  await parse(reading(() => 'x'));
  damaged = 0;
  await parse(null);
  expect(jobs).toMatchObject([{ parser: 'layout' }, { parser: 'layout' }]);
  expect(jobs.every((job) => job.seen === undefined && !('layout' in job))).toBe(true);
});

const asked = (count: number) => expect.poll(() => script.calls.length).toBe(count);
interface SentPart {
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}
const sent = (): readonly SentPart[] =>
  (script.last().call.body.request as unknown as { messages: [{ content: readonly SentPart[] }] }).messages[0].content;

test('a vision model is shown the page, within the limits and the metering of the caller', async () => {
  const begun = script.calls.length;
  const parsing = parse(null, { pages: [2], layout: { model: 'EYE', describeFigures: true } });
  await asked(begun + 1);
  const [image, text] = sent();
  expect(image?.image_url?.url).toBe(`data:image/png;base64,${Buffer.from([2]).toString('base64')}`);
  expect(text?.text).toContain('](figure)');
  script.say('# 본 것');
  script.end();
  await parsing;
  expect(jobs[0]?.seen?.read).toEqual([{ page: 2, markdown: '# 본 것' }]);
  expect(used).toEqual(['document/parse EYE']);
});

test('a configured model has words of its own, and its lists of blocks become Markdown', async () => {
  const begun = script.calls.length;
  const parsing = parse({ name: 'EYE', prompt: 'OCR:' }, { pages: [1] });
  await asked(begun + 1);
  expect(sent()[1]?.text).toBe('OCR:');
  script.say(
    '```json\n[{"bbox":[1,2,3,4],"category":"Section-header","text":"목적"},{"bbox":[1,2,3,4],"category":"Picture"}]\n```',
  );
  script.end();
  await parsing;
  expect(jobs[0]?.seen?.read).toEqual([{ page: 1, markdown: '## 목적' }]);
});

test('a model that fails, or is not there, loses the page, and its words say why', async () => {
  const begun = script.calls.length;
  const parsing = parse(null, { pages: [1], layout: { model: 'EYE' } });
  await asked(begun + 1);
  script.fail(new EngineError('refused', 'the picture is too large'));
  await parsing;
  expect(jobs[0]?.seen).toMatchObject({ missed: [1], why: 'the model failed (refused)' });
  await parse(null, { pages: [1], layout: { model: 'NONE' } });
  expect(jobs[1]?.seen).toMatchObject({ missed: [1], why: expect.stringContaining('NONE') });
});

test.each([
  [
    '[{"category":"Title","text":"제목"},{"category":"List-item","text":"하나"},{"category":"Table","text":"<table></table>"}]',
    '# 제목\n\n- 하나\n\n<table></table>',
  ],
  [
    '[{"category":"Formula","text":"x^2"},{"category":"Page-footer","text":"3"},{"category":"Text","text":"글"}]',
    '$$\nx^2\n$$\n\n글',
  ],
  ['[{"category":"constructor","text":"글"}]', '글'],
  ['[]', null],
  ['[1, 2]', null],
  ['[링크](http://a)', null],
  ['# 글', null],
])('blocks of a layout model as Markdown: %s', (answer, markdown) => {
  expect(blocksAsMarkdown(answer)).toBe(markdown);
});

test('what a form says of the reading of pages is looked at before anything is read', () => {
  const key = { scopes: new Set(['utilities', 'chat']), allowedModels: null };
  const check = (fields: Parameters<typeof requireReader>[2], more: object = {}, hasReader = false) =>
    requireReader({ catalogue, hasReader }, { ...key, ...more }, fields);
  const layout = { parser_type: 'layout' } as const;
  check({ parser_type: 'auto' });
  check({ ...layout, layout_model: 'EYE', describe_figures: true });
  check({ ...layout, describe_figures: true }, {}, true);
  expect(() => check({ parser_type: 'auto', layout_model: 'EYE' })).toThrow('parser_type=layout');
  expect(() => check({ ...layout, describe_figures: true })).toThrow('documents.layout');
  expect(() => check({ ...layout, layout_model: 'NONE' })).toThrow('layout_model: ');
  expect(() => check({ ...layout, layout_model: 'BLIND' })).toThrow('does not take pictures');
  expect(() => check({ ...layout, layout_model: 'EYE' }, { scopes: new Set(['utilities']) })).toThrow(
    'permission for chat',
  );
  expect(() => check({ ...layout, layout_model: 'EYE' }, { allowedModels: new Set() })).toThrow('layout_model: ');
});
