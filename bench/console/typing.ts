import type { Page } from 'playwright-core';
import { type Upstream, eventsOf, openStream } from '../../server/test/support/upstream.ts';
import { sleep } from '../gateway/children.ts';
import { maxOf, median, shareOf, sumOf, taskTimes } from './trace.ts';

/** As a fast model server sends: about 5,000 tokens a second. */
const PIECE = 12;
const PIECES_AT_ONCE = 10;
const PERIOD_MS = 8;
const KEYS_EVERY_MS = 120;

/** Streams a text in small pieces. */
export const streaming =
  (text: string): Parameters<Upstream['plays']>[0] =>
  async (call) => {
    const response = openStream(call);
    const pieces = text.match(new RegExp(`[^]{1,${PIECE}}`, 'gu')) ?? [];
    const events = eventsOf(call, { reasoning: 'A long answer is wanted.', text: pieces });
    for (let at = 0; at < events.length; at += PIECES_AT_ONCE) {
      response.write(events.slice(at, at + PIECES_AT_ONCE).join(''));
      await sleep(PERIOD_MS);
    }
    response.end();
  };

interface Measured {
  /** Milliseconds of the clock. */
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

/** Asks, and types into the field until the answer is whole. Returns what to say of it. */
export async function measureTyping(page: Page, path: string): Promise<string> {
  await page.goto(`/console/${path}`);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Everything, please.');
  await observe(page);
  const from = performance.now();
  let seconds = 0;
  let keys = 0;
  const press = async () => {
    keys += 1;
    await page.keyboard.press('a');
    await sleep(KEYS_EVERY_MS);
  };
  const processor = await taskTimes(page, async () => {
    await page.keyboard.press('Enter');
    await page.locator('article[aria-busy=true]').waitFor();
    await field.focus();
    while ((await page.locator('article[aria-busy=true]').count()) > 0) await press();
    seconds = (performance.now() - from) / 1_000;
    // The last state is shown, and code is coloured.
    for (let left = 8; left > 0; left -= 1) await press();
  });
  const { tasks, keys: slow } = await page.evaluate<Measured>('globalThis.measured');
  // Presses that were painted within 16 ms are not told.
  const all = [...slow, ...Array.from({ length: Math.max(0, keys - slow.length) }, () => 16)];
  return (
    `${path}: key press to next paint p95 ${shareOf(all, 0.95)} ms (wanted: 100), median ${median(all)} ms, at most ` +
    `${maxOf(all)} ms of ${all.length}; longest task ${maxOf(tasks)} ms (${tasks.length} of 50 ms or more); ${seconds.toFixed(1)} s; ` +
    `processor time of the page ${Math.round(sumOf(processor))} ms, longest task ${maxOf(processor)} ms ` +
    `(${processor.filter((one) => one > 100).length} over 100, ${processor.filter((one) => one > 50).length} over 50)`
  );
}
