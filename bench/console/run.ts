/**
 * What the console costs a person: how it answers while a long Markdown answer streams, how soon a page is there that the browser has
 * never seen, how long the way from page to page takes, how many files a second go up, and how much script the first load takes. See
 * docs/reference/performance.md.
 */
import { parseArgs } from 'node:util';
import { administrator, callConsole, startStudio } from '../../server/test/e2e/console/studio.ts';
import { makeKey } from '../../server/test/support/command.ts';
import { openUpstream } from '../../server/test/support/upstream.ts';
import { reportFigure } from '../figures.ts';
import { longAnswer } from './answer.ts';
import { measureColdPages, measureRouteChanges } from './pages.ts';
import { measureTyping, streaming } from './typing.ts';
import { measureUploads } from './uploads.ts';

const parts = ['first-load', 'pages', 'routes', 'uploads', 'answers'] as const;
const { values: flags } = parseArgs({
  options: {
    lines: { type: 'string', default: '3000' },
    slowdown: { type: 'string', default: '1' },
    files: { type: 'string', default: '500' },
    repetitions: { type: 'string', default: '5' },
    /** These parts alone, with commas between. */
    only: { type: 'string', default: parts.join(',') },
    'first-load': { type: 'boolean', default: false },
  },
});
const wanted = flags['first-load'] ? ['first-load'] : flags.only.split(',');
const unknown = wanted.find((name) => !parts.some((part) => part === name));
if (unknown !== undefined) throw new Error(`${unknown} is none of ${parts.join(', ')}`);
const text = longAnswer(Number(flags.lines));
const MODEL = 'CORE-GOV-THINK';

const say = (line: string) => void process.stdout.write(`${line}\n`);

const upstream = await openUpstream(['local']);
upstream.plays(streaming(text));
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
  // As they were sent.
  const bytes = await page.evaluate<number>(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
  say(`script of the first load, compressed: ${Math.round(bytes / 1_000)} kB (wanted: 300)`);
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
  for (const path of ['playground', 'chat']) say(`  ${await measureTyping(person.page, path)}`);
}

const measures: Readonly<Record<(typeof parts)[number], () => Promise<void>>> = {
  'first-load': measureFirstLoad,
  async pages() {
    for (const line of await measureColdPages(studio, administrator.email, Number(flags.repetitions))) say(line);
  },
  async routes() {
    const { page } = await studio.signedIn(administrator.email);
    for (const line of await measureRouteChanges(page)) say(line);
  },
  async uploads() {
    const person = await studio.signedIn(administrator.email);
    const { value: key } = await makeKey(studio.service);
    say(await measureUploads(person, studio.service.base, key, Number(flags.files)));
  },
  answers: measureAnswers,
};

try {
  const first = await studio.signedIn(administrator.email);
  await callConsole(first, 'PATCH', '/me', { language: 'en' });
  await first.close();
  for (const part of parts) if (wanted.includes(part)) await measures[part]();
} finally {
  await studio.close();
  await upstream.close();
}
