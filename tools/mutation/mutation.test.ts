import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
// @ts-expect-error A script without types.
import { mutationsOf, sample } from './mutations.mjs';
// @ts-expect-error A script without types.
import { readSurvivors, writePage } from './page.mjs';
// @ts-expect-error A script without types.
import { createTestSelector } from './related.mjs';

interface Mutation {
  readonly path: string;
  readonly line: number;
  readonly change: string;
  readonly nth: number;
  readonly mutated: () => string;
}
const mutationsIn = (text: string, path = 'a.ts') => mutationsOf(path, text) as Mutation[];
const mutated = (text: string) => mutationsIn(text).map((one) => one.mutated());

describe('mutations', () => {
  test.each([
    ['f(a < b)', ['f(a <= b)']],
    ['f(a /* < */ >= b)', ['f(a /* < */ > b)']],
    ['f(a === b && c)', ['f(a !== b && c)', 'f(a === b || c)']],
    ['f(a ?? b)', ['f(a)']],
    ['f(!a)', ['f(a)']],
    ['f(5_000)', ['f(5001)']],
    ['f(true)', ['f(false)']],
    ['f(Math.min(a, b))', ['f(Math.max(a, b))']],
    ["f('too_large', 'For people', {'a': b})", ["f('mutated', 'For people', {'a': b})"]],
    ['f(a ? b : c)', ['f(true ? b : c)', 'f(false ? b : c)']],
    ['f(() => a)', ['f(() => null)']],
  ])('of %s', (text, expected) => {
    // The call itself is left out too, each time.
    expect(mutated(text).filter((one) => one !== ';')).toEqual(expected);
    expect(mutated(text)).toContain(';');
  });

  test.each([
    ['function f() { throw a; }', ['function f() { ; }']],
    ['function f() { return a; }', ['function f() { return null; }']],
    ['function f() { return; }', ['function f() { ; }']],
    ['function f() { return null; }', []],
    ['function f() { return false; }', ['function f() { return true; }']],
    ['if (a) b++;', ['if (true) b++;', 'if (false) b++;', 'if (a) ;', 'if (a) b--;']],
    ['this.#log?.warn(a); log.info(b);', []],
    ["import { a } from './a.ts'; type A = 'x' | 1; let b: A<'y'>; export * from './b.ts';", []],
    ['let a = b as 1;', []],
  ])('of the statement %s', (text, expected) => expect(mutated(text).toSorted()).toEqual(expected.toSorted()));

  test('say where they are, and stay the same mutation when lines come before them', () => {
    const text = 'f(\n  a > 1,\n);\ng(a > 1);';
    const names = (all: readonly Mutation[]) => all.map(({ change, nth }) => `${change} #${nth}`);
    const before = mutationsIn(text);
    expect(before.map(({ line, change }) => `${line} ${change}`)).toEqual([
      '1 f( a > 1, ); → nothing',
      '2 a > 1,: > → >=',
      '2 a > 1,: 1 → 2',
      '4 g(a > 1); → nothing',
      '4 g(a > 1);: > → >=',
      '4 g(a > 1);: 1 → 2',
    ]);
    expect(names(mutationsIn(`// First\n${text}`))).toEqual(names(before));
    expect(mutationsIn('f(1, 1)').map(({ change, nth }) => `${change} #${nth}`)).toContain('f(1, 1): 1 → 2 #2');
  });

  test('of a source that cannot be read are none at all', () => {
    expect(() => mutationsIn('if (')).toThrow('a.ts');
  });
});

describe('a sample', () => {
  const many = (count: number) => mutationsIn(Array.from({ length: count }, (_, at) => `f(${at});`).join('\n'));
  const names = (all: readonly Mutation[]) => all.map(({ change }) => change);

  test('is the same each time, another by another seed, and stays when others come and go', () => {
    const all = many(50);
    const first = sample(all, 10, '1') as Mutation[];
    expect(names(first)).toHaveLength(10);
    expect(names(sample(all.toReversed(), 10, '1') as Mutation[])).toEqual(names(first));
    expect(names(sample(all, 10, '2') as Mutation[])).not.toEqual(names(first));
    const others = all.filter((one) => first.includes(one) || one.line % 2 === 0);
    expect(names(sample(others, 10, '1') as Mutation[])).toEqual(names(first));
  });
});

describe('tests that reach a file', () => {
  test('are found over imports at run, through index files, not over types', () => {
    const root = mkdtempSync(join(tmpdir(), 'studio-related-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const files = {
      'server/src/a/one.ts': 'export const one = 1; export type One = 1;',
      'server/src/a/index.ts': "export { one } from './one.ts'; export type { One } from './one.ts';",
      'server/src/a/one.test.ts': "import { one } from './one.ts'; one;",
      'server/src/b/uses.test.ts': "import { one } from '../a/index.ts'; one;",
      'server/src/b/late.test.ts': "const { one } = await import('../a/one.ts'); one;",
      'server/src/b/types.test.ts':
        "import type { One } from '../a/one.ts'; import { type One as T } from '../a/one.ts';",
      'server/src/b/whole.e2e.test.ts': "import '../a/one.ts';",
      'contract/package.json': JSON.stringify({ name: '@ai-studio/contract', exports: { './*': './src/*' } }),
      'packages/said/package.json': JSON.stringify({
        name: '@ai-studio/said',
        exports: { '.': './src/index.ts', './test/*': './test/*' },
      }),
      'packages/said/src/index.ts': 'export const said = 1;',
      'packages/said/test/words.ts': 'export const words = 1;',
      'server/src/b/said.test.ts': "import { said } from '@ai-studio/said'; said;",
      'server/src/b/words.test.ts': "import { words } from '@ai-studio/said/test/words.ts'; words;",
      'contract/src/wire.ts': 'export const wire = 1;',
      'server/src/b/wire.test.ts': "import { wire } from '@ai-studio/contract/wire.ts'; wire;",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const related = createTestSelector(root) as (path: string) => string[];
    expect(related('server/src/a/one.ts')).toEqual([
      'server/src/a/one.test.ts',
      // Reaches one file less.
      'server/src/b/late.test.ts',
      'server/src/b/uses.test.ts',
    ]);
    expect(related('contract/src/wire.ts')).toEqual(['server/src/b/wire.test.ts']);
    expect(related('packages/said/src/index.ts')).toEqual(['server/src/b/said.test.ts']);
    expect(related('packages/said/test/words.ts')).toEqual(['server/src/b/words.test.ts']);
    expect(related('server/src/none.ts')).toEqual([]);
  });
});

describe('the page', () => {
  const head = '# Mutation tests\n\n## What it came to\n\nNewest.\n\n| Date | Killed |\n|---|---|\n';
  const table = '\n## Survivors\n\n| Place | Change | Tests | Reason |\n|---|---|---|---|\n';
  const text = 'f(a || `b`);\ng(1);';
  const known = mutationsIn(text, 'server/a.ts');
  const survivor = (change: string) => {
    const one = known.find((mutation) => mutation.change === change);
    if (!one) throw new Error(change);
    return { ...one, tests: '2 files' };
  };
  const or = survivor('f(a || `b`);: || → &&');
  const one = survivor('g(1);: 1 → 2');
  const run = (page: string, survived: object[], tried: object[], all: object[] = known) =>
    writePage(page, { cells: ['today', '1 of 2'], survived, tried, known: all }) as string;
  const withReason = (page: string, change: RegExp, reason: string) =>
    page.replace(new RegExp(`(${change.source}.*\\| )( \\|)\n`), `$1${reason}$2\n`);

  test('has the newest run first, and its survivors with places', () => {
    const page = run(run(head + table, [], []), [one, or], [one, or]);
    expect(page).toContain('|---|---|\n| today | 1 of 2 |\n| today | 1 of 2 |\n');
    expect(readSurvivors(page)).toEqual([
      {
        path: 'server/a.ts',
        change: String.raw`\`\` f(a \|\| \`b\`);: \|\| → && \`\``.replaceAll('\\`', '`'),
        tests: '2 files',
        reason: '',
      },
      { path: 'server/a.ts', change: '`g(1);: 1 → 2`', tests: '2 files', reason: '' },
    ]);
    expect(page).toContain('| server/a.ts:2 | `g(1);: 1 → 2` |');
  });

  test('keeps the reasons of those that survive again, and of those that were not tried', () => {
    const reasons = (page: string) => (readSurvivors(page) as { reason: string }[]).map(({ reason }) => reason);
    const page = withReason(run(head + table, [one, or], [one, or]), /g\(1\);: 1/, 'It is told to nobody');
    expect(reasons(page)).toEqual(['', 'It is told to nobody']);
    expect(reasons(run(page, [one], [one]))).toEqual(['It is told to nobody']);
    const untried = run(page, [or], [or]);
    expect(reasons(untried)).toEqual(['', 'It is told to nobody']);
    expect(reasons(run(untried, [or], [or]))).toEqual(['', 'It is told to nobody']);
    expect(reasons(run(page, [], [one]))).toEqual([]);
    expect(reasons(run(page, [], [], []))).toEqual([]);
  });
});
