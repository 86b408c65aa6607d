import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from 'playwright-core';
import { openContexts } from './open-pages.ts';

/**
 * Programs that may be the browser: Debian's without a window, which takes two thirds of the processor time of the whole one, then
 * the whole one by its names.
 */
const NAMES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Whether there is a browser on this machine. */
export const hasBrowser = () => NAMES.some((name) => existsSync(name));

/** For each act on a page: far beyond what one takes on a machine that has other work. */
const TIMEOUT_MS = 90_000;

/** A browser for the tests of a file. */
export interface TestBrowser {
  /** A person at a browser of their own: cookies and storage are apart from the others'. */
  person(options?: BrowserContextOptions): Promise<Person>;
  close(): Promise<void>;
}

/** One person's browser. */
export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What the pages asked of other hosts than the service's; must stay empty. */
  readonly foreign: readonly string[];
  /** What the pages complained about: errors, and what the content security policy refused. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

async function open(): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'ai-studio-browser-'));
  let last: unknown;
  for (const executablePath of NAMES) {
    try {
      const browser = await chromium.launch({
        executablePath,
        args: [
          '--no-sandbox',
          '--disable-dev-shm-usage',
          '--disable-gpu',
          '--in-process-gpu',
          '--font-render-hinting=none',
        ],
        env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
      });
      return { browser, folder };
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

interface Running {
  readonly browser: Browser;
  readonly folder: string;
}

/** The Chromium of this process, once it was asked for: each person has a profile of their own in it. */
let running: Promise<Running> | null = null;
/** Whether the next test file of this process will want it again. */
const stays = process.env['VITEST'] !== undefined;

/** Chromium for a service at the address `base`. */
export async function openBrowser(base: string): Promise<TestBrowser> {
  const { browser, folder } = await (running ??= open());
  const contexts: BrowserContext[] = [];
  return {
    async person(options = {}) {
      // What fades in takes as long as everything else together.
      const usual = { baseURL: base, locale: 'en-GB', reducedMotion: 'reduce' } as const;
      const context = await browser.newContext({ ...usual, ...options });
      contexts.push(context);
      openContexts.add(context);
      context.once('close', () => openContexts.delete(context));
      context.setDefaultTimeout(TIMEOUT_MS);
      const page = await context.newPage();
      const foreign: string[] = [];
      const complaints: string[] = [];
      context.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(base) && !/^(data|blob|about):/.test(url)) foreign.push(url);
      });
      context.on('weberror', (error) => complaints.push(String(error.error())));
      context.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      return { context, page, foreign, complaints, close: () => context.close() };
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()));
      if (stays) return;
      running = null;
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Rules of axe that are held beside what it calls serious: experimental ones, and ones it finds moderate. */
const heldRules = ['label-content-name-mismatch', 'landmark-unique', 'page-has-heading-one'];

/**
 * What axe calls serious or critical on a page, and what of {@link heldRules}: rule and elements. `only` names the rules to look at;
 * without it all. `part`: a page as a whole, or a state of one that is looked at by itself: there only the dialog that lies over it, or
 * what stands beside the main menu. Colours take more than half of the work, and those of what lies below a dialog most of it.
 */
export async function seriousFaults(
  page: Page,
  only: readonly string[] | null = null,
  part: 'page' | 'state' = 'page',
): Promise<string[]> {
  await settle(page);
  // The policy of the page refuses scripts by tag; the debugger's own way is not bound by it.
  // Once for each time that the console is loaded.
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(axe.source);
  return page.evaluate(
    async ({ rules, held, whole }) => {
      const { axe: here, document } = globalThis as unknown as AxePage;
      const over = [...document.querySelectorAll('[role=dialog][aria-modal=true]')].filter((one) =>
        one.checkVisibility(),
      );
      const state = over.length > 0 ? { include: over } : { exclude: [['nav[data-opened=false]']] };
      // Each of them weighs all that it finds as one of these two; they are a third of the work.
      const light = here._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate');
      const off = Object.fromEntries([
        ...light.map(({ id }) => [id, { enabled: false }]),
        ...held.map((id) => [id, { enabled: true }]),
      ]);
      const { violations } = await here.run(whole ? document : state, {
        resultTypes: ['violations'],
        ...(rules === null ? { rules: off } : { runOnly: rules }),
      });
      return violations
        .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || held.includes(id))
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    },
    { rules: only, held: heldRules, whole: part === 'page' },
  );
}

/** Resolves when nothing fades in or out any more: half of a colour is no colour of the page. What turns for ever may. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { document } = globalThis as unknown as { document: { getAnimations(): readonly Passing[] } };
    // One that has ended and holds what it came to is listed for as long as its element is there.
    const passing = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
        );
    // What was cut short has ended too.
    while (passing().length > 0) await Promise.allSettled(passing().map(({ finished }) => finished));
  });

interface Passing {
  readonly playState: string;
  readonly effect: { getComputedTiming(): { readonly endTime: number } } | null;
  readonly finished: Promise<unknown>;
}

interface AxePage {
  readonly axe: Axe;
  readonly document: { querySelectorAll(selector: string): Iterable<{ checkVisibility(): boolean }> };
}

/** What is used of axe within a page. */
interface Axe {
  run(context: object, options: object): Promise<AxeResults>;
  /** All rules, with how heavy what they find is; null: its checks tell. */
  readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact?: string | null }[] };
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly target: readonly string[] }[];
  }[];
}
