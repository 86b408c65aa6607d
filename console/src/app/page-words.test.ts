import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import titles from '../i18n/ko/titles.json' with { type: 'json' };

/** Words that come with a page, not with the language. */
const late = new Set(Object.keys(titles));

/** The modules that a page may show, and the words that they use. */
function wordsOf(page: string): Set<string> {
  const seen = new Set<string>();
  const words = new Set<string>();
  const open = [page];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, name = ''] of text.matchAll(/useTranslation\('(\w+)'\)/g)) if (late.has(name)) words.add(name);
    for (const [, path = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+\.tsx?)'/g)) {
      const other = resolve(dirname(file), path);
      if (existsSync(other) && !/(?:router|-routes)\.tsx?$/.test(other)) open.push(other);
    }
  }
  expect(seen.size).toBeGreaterThan(5);
  return words;
}

test('a page brings the words of every part that it shows', () => {
  const router = ['chat-routes.ts', 'router.tsx']
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('\n');
  const pages = [
    ...router.matchAll(
      /(?:\.\.\.with(?:Words|Answer)\(([^)]*)\),\s*)?component: lazyPage\(\(\) => import\('([^']+)'\)\)/g,
    ),
  ];
  expect(pages.length).toBeGreaterThan(25);
  for (const [, brought = '', path = ''] of pages) {
    const missing = [...wordsOf(join(import.meta.dirname, path))].filter((name) => !brought.includes(`'${name}'`));
    expect(missing, path).toEqual([]);
  }
});
