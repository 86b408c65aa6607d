/**
 * How the console answers while a long Markdown answer streams: the longest task of the page's one thread and the longest
 * time from a key press to the next paint, in the playground and in the chat; and how much script the first load takes.
 * See docs/reference/performance.md.
 */
import type { Page } from 'playwright-core';
import { parseArgs } from 'node:util';
import { administrator, startStudio } from '../../server/test/e2e/console/studio.ts';
import { type Upstream, eventsOf, openStream, openUpstream } from '../../server/test/support/upstream.ts';
import { reportFigure } from '../figures.ts';
import { sleep } from '../gateway/children.ts';
import { longAnswer } from './answer.ts';

const { values: flags } = parseArgs({
  options: {
    lines: { type: 'string', default: '3000' },
    slowdown: { type: 'string', default: '1' },
    // Without the answers.
    'first-load': { type: 'boolean', default: false },
  },
});
const text = longAnswer(Number(flags.lines));
const MODEL = 'CORE-GOV-THINK';
/** As a fast model server sends: about 5,000 tokens a second. */
const PIECE = 12;
const PIECES_AT_ONCE = 10;
const PERIOD_MS = 8;
const KEYS_EVERY_MS = 120;

const say = (line: string) => void process.stdout.write(`${line}\n`);

const streaming: Parameters<Upstream['plays']>[0] = async (call) => {
  const response = openStream(call);
  const pieces = text.match(new RegExp(`[^]{1,${PIECE}}`, 'gu')) ?? [];
  const events = eventsOf(call, { reasoning: 'A long answer is wanted.', text: pieces });
  for (let at = 0; at < events.length; at += PIECES_AT_ONCE) {
    response.write(events.slice(at, at + PIECES_AT_ONCE).join(''));
    await sleep(PERIOD_MS);
  }
  response.end();
};

/** An event of a trace of Chromium, as far as it is read. Times in microseconds; `tdur` is processor time of its thread. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** A task, in the category `toplevel`. */
const TASK = 'ThreadControllerImpl::RunTask';

/** Processor time of the tasks of the page's thread, in milliseconds: what other work the machine has does not count. */
function taskTimesOf(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const tasks = threads.map(({ pid, tid }) =>
    traceEvents.flatMap((event) =>
      event.pid === pid && event.tid === tid && event.ph === 'X' && event.name === TASK
        ? [(event.tdur ?? 0) / 1_000]
        : [],
    ),
  );
  const total = (times: readonly number[]) => times.reduce((sum, one) => sum + one, 0);
  // Of several pages the one that works.
  return tasks.toSorted((one, other) => total(other) - total(one))[0] ?? [];
}

interface Measured {
  /** Milliseconds. */
  readonly tasks: readonly number[];
  readonly keys: readonly number[];
}

const observe = (page: Page) =>
  page.evaluate(`(() => {
    const measured = { tasks: [], keys: [] };
    globalThis.measured = measured;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) measured.tasks.push(duration);
    }).observe({ type: 'longtask' });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === 'keydown') measured.keys.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  })()`);

/** Asks, and types into the field until the answer is whole. */
async function measure(
  page: Page,
  path: string,
): Promise<Measured & { readonly seconds: number; readonly processor: readonly number[] }> {
  await page.goto(`/console/${path}`);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Everything, please.');
  await observe(page);
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['toplevel'] });
  const from = performance.now();
  await page.keyboard.press('Enter');
  await page.locator('article[aria-busy=true]').waitFor();
  await field.focus();
  while ((await page.locator('article[aria-busy=true]').count()) > 0) {
    await page.keyboard.press('a');
    await sleep(KEYS_EVERY_MS);
  }
  const seconds = (performance.now() - from) / 1_000;
  // The last state is shown, and code is coloured.
  for (let left = 8; left > 0; left -= 1) {
    await page.keyboard.press('a');
    await sleep(KEYS_EVERY_MS);
  }
  const trace = await browser?.stopTracing();
  const processor = trace === undefined ? [] : taskTimesOf(trace);
  return { ...(await page.evaluate<Measured>('globalThis.measured')), seconds, processor };
}

/** Bytes of script as they were sent. */
const scriptBytes = (page: Page) =>
  page.evaluate<number>(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);

const maxOf = (values: readonly number[]) => Math.round(Math.max(0, ...values));
const shareOf = (values: readonly number[], share: number) =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0);
const median = (values: readonly number[]) => shareOf(values, 0.5);

const upstream = await openUpstream(['local']);
upstream.plays(streaming);
const studio = await startStudio({
  config: {
    probe: { enabled: false },
    log: { level: 'warn' },
    engines: { gpu: { addresses: [upstream.url] } },
    models: { [MODEL]: { engines: [{ engine: 'gpu', model: 'local' }] } },
  },
});

async function measureFirstLoad(): Promise<void> {
  const { page } = await studio.browser.person();
  await page.goto('/console/login');
  await page.locator('input[name=email]').waitFor();
  await page.waitForLoadState('networkidle');
  const bytes = await scriptBytes(page);
  say(`script of the first load, compressed: ${Math.round(bytes / 1_000)} kB (wanted: 350)`);
  reportFigure({
    name: 'console: script of the first load, compressed, kB',
    value: bytes / 1_000,
    better: 'lower',
    tolerance: 0.02,
  });
}

async function measureAnswers(): Promise<void> {
  const person = await studio.signedIn(administrator.email);
  const debug = await person.context.newCDPSession(person.page);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: Number(flags.slowdown) });
  say(`an answer of ${text.split('\n').length} lines, ${Math.round(text.length / 1_000)} thousand characters:`);
  for (const path of ['playground', 'chat']) {
    const { tasks, keys, seconds, processor } = await measure(person.page, path);
    say(
      `  ${path}: longest task ${maxOf(tasks)} ms (${tasks.length} of 50 ms or more), key press to next paint at most ` +
        `${maxOf(keys)} ms, p95 ${shareOf(keys, 0.95)} ms (wanted: 100), median ${median(keys)} ms of ${keys.length}; ` +
        `${seconds.toFixed(1)} s; processor time of the page ${Math.round(processor.reduce((sum, one) => sum + one, 0))} ms, ` +
        `longest task ${maxOf(processor)} ms (${processor.filter((one) => one > 100).length} over 100, ` +
        `${processor.filter((one) => one > 50).length} over 50)`,
    );
  }
}

try {
  await measureFirstLoad();
  if (!flags['first-load']) await measureAnswers();
} finally {
  await studio.close();
  await upstream.close();
}
