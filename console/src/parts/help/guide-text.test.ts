import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { guidePages } from './guide-pages.ts';
import { guideOfAddress, readGuide, sectionOf } from './guide-text.ts';

const folder = join(import.meta.dirname, '../../../../docs/guide');
const guides = new Map(
  readdirSync(folder).map((name) => [name.replace(/\.md$/, ''), readGuide(readFileSync(join(folder, name), 'utf8'))]),
);

test('every page has a guide that is there, with the part that is about it', () => {
  for (const [page, { guide, section }] of Object.entries(guidePages)) {
    const found = guides.get(guide);
    expect(found, page).toBeDefined();
    if (section !== null && found !== undefined) expect(sectionOf(found, section), page).toContain(section);
  }
});

test('links of guides lead to guides that are there', () => {
  for (const [name, { text }] of guides)
    for (const [, href = ''] of text.matchAll(/\]\((https:\/\/guide[^)]*)\)/g))
      expect(guides.has(guideOfAddress(href) ?? ''), `${name} → ${href}`).toBe(true);
});

test('a guide is taken apart by its headings; links to what the console has not are words', () => {
  const guide = readGuide(
    '# Title\n\nSee [that](other.md#x) and [code](../../server/x.ts).\n\n## One\n\na\n\n## Two\n\nb\n',
  );
  expect(guide).toEqual({
    title: 'Title',
    text: 'See [that](https://guide.invalid/other) and code.\n\n## One\n\na\n\n## Two\n\nb',
    sections: ['One', 'Two'],
  });
  expect(sectionOf(guide, 'One')).toBe('## One\n\na');
  expect(sectionOf(guide, 'Three')).toBeNull();
});
