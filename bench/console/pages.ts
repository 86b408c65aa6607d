import type { Page } from 'playwright-core';
import type { Studio } from '../../server/test/e2e/console/studio.ts';
import { maxOf, median, sumOf, taskTimes } from './trace.ts';

/** Addresses below /console that are opened by a browser that has nothing of them. */
const coldPages = ['chat', '', 'collections', 'agents'];

interface Painted {
  /** Milliseconds from the request to the largest paint. */
  readonly largest: number;
  /** To the page's own heading, after which nothing of it waits. */
  readonly whole: number;
  readonly hops: number;
}

/** Resolves with what a page that loads is painted by; to be called as soon as its document is there. */
const painted = (page: Page) =>
  page.evaluate<Painted>(`new Promise((resolve) => {
    let largest = 0;
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) largest = Math.max(largest, startTime);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
    const waits = '[class*=Skeleton-root], [class*=Loader-root], [aria-busy=true]';
    const look = () => {
      if (document.querySelector('h1') === null || document.querySelector(waits) !== null) return requestAnimationFrame(look);
      const whole = performance.now();
      // The largest paint is told a moment later.
      setTimeout(() => resolve({ largest, whole, hops: hopsOf(performance.getEntriesByType('resource')) }), 700);
    };
    // Requests that began only after another one had ended.
    const hopsOf = (requests) => {
      let hops = 1;
      let end = performance.getEntriesByType('navigation')[0].responseEnd;
      for (const { startTime, responseEnd, initiatorType } of requests.toSorted((a, b) => a.startTime - b.startTime)) {
        if (initiatorType === 'css' || startTime < end) continue;
        hops += 1;
        end = responseEnd;
      }
      return hops;
    };
    look();
  })`);

/** Opens pages in browsers that have kept nothing. Returns what to say of each. */
export async function measureColdPages(studio: Studio, email: string, repetitions: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const path of coldPages) {
    const all: Painted[] = [];
    const processor: number[] = [];
    for (let left = repetitions; left > 0; left -= 1) {
      const signed = await studio.signedIn(email);
      const person = await studio.browser.person();
      await person.context.addCookies(await signed.context.cookies());
      await signed.close();
      const times = await taskTimes(person.page, async () => {
        await person.page.goto(`/console/${path}`, { waitUntil: 'commit' });
        all.push(await painted(person.page));
      });
      processor.push(sumOf(times));
      await person.close();
    }
    const largest = all.map((one) => one.largest);
    lines.push(
      `cold /${path}: largest paint ${median(largest)} ms, at most ${maxOf(largest)} (wanted: 1500); whole after ` +
        `${median(all.map(({ whole }) => whole))} ms; ${median(all.map(({ hops }) => hops))} hops; processor time of the page ` +
        `${median(processor)} ms`,
    );
  }
  return lines;
}

/** After this a page is said to hang. */
const MAX_CHANGE_MS = 20_000;

/** Milliseconds from a click on a link of the menu to the heading of its page, and until nothing of it waits. */
const change = (page: Page, href: string) =>
  page.evaluate<{ readonly headed: number; readonly whole: number }>(`new Promise((resolve, reject) => {
    const waits = '#main [class*=Skeleton-root], #main [class*=Loader-root]';
    const from = performance.now();
    let headed = 0;
    // A page may take over the heading of the one before.
    const left = document.querySelector('h1');
    const words = left?.textContent;
    const isOther = (heading) => heading !== null && (heading !== left || heading.textContent !== words);
    document.querySelector('nav a[href="${href}"]').click();
    const look = () => {
      const isHeaded = isOther(document.querySelector('h1'));
      if (isHeaded && headed === 0) headed = performance.now() - from;
      const still = isHeaded ? (document.querySelector(waits)?.className ?? null) : 'its heading';
      if (still !== null && performance.now() - from > ${MAX_CHANGE_MS}) return reject(new Error('${href} waits for ' + still));
      if (still !== null) return requestAnimationFrame(look);
      requestAnimationFrame(() => resolve({ headed, whole: performance.now() - from }));
    };
    look();
  })`);

/** Goes through the menu, twice: pages that were never opened, and pages that were. Returns what to say of it. */
export async function measureRouteChanges(page: Page): Promise<readonly string[]> {
  await page.goto('/console/profile');
  await page.locator('nav a').first().waitFor();
  const links = await page
    .locator('nav a')
    .evaluateAll((all: { getAttribute(name: string): string | null }[]) => all.map((one) => one.getAttribute('href')));
  const lines: string[] = [];
  for (const which of ['the first time', 'again']) {
    const all: { readonly href: string; readonly headed: number; readonly whole: number }[] = [];
    // The sign of the service leads to the first page, as an entry does.
    for (const href of new Set(links)) {
      if (href === null) continue;
      all.push({ href, ...(await change(page, href)) });
      await page.waitForTimeout(300);
    }
    const slowest = all.toSorted((one, other) => other.whole - one.whole).slice(0, 3);
    lines.push(
      `route change, ${which}: heading after ${median(all.map(({ headed }) => headed))} ms, whole after ` +
        `${median(all.map(({ whole }) => whole))} ms, at most ${maxOf(all.map(({ whole }) => whole))} (wanted: 300) of ${all.length}; ` +
        `slowest ${slowest.map(({ href, whole }) => `${href} ${Math.round(whole)}`).join(', ')}`,
    );
  }
  return lines;
}
