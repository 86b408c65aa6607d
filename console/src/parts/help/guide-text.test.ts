import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import englishWords from '../../i18n/en/guides.json' with { type: 'json' };
import koreanWords from '../../i18n/ko/guides.json' with { type: 'json' };
import { guidePages } from './guide-pages.ts';
import { guideOfAddress, type GuideText, readGuide, sectionOf } from './guide-text.ts';

const folder = join(import.meta.dirname, '../../../../docs/guide');
const guidesOf = (place: string) =>
  new Map(
    readdirSync(place)
      .filter((name) => name.endsWith('.md'))
      .map((name) => [name.replace(/\.md$/, ''), readGuide(readFileSync(join(place, name), 'utf8'))]),
  );
const guides = { en: guidesOf(folder), ko: guidesOf(join(folder, 'ko')) } as const;
const languages = ['en', 'ko'] as const;

test('every page has a guide in both languages, with the part that is about it', () => {
  for (const language of languages)
    for (const [page, { guide, section }] of Object.entries(guidePages)) {
      const found = guides[language].get(guide);
      expect(found, `${page} in ${language}`).toBeDefined();
      if (section !== null && found !== undefined)
        expect(sectionOf(found, section[language]), `${page} in ${language}`).toContain(section[language]);
    }
});

test('every guide is there in Korean, with the parts of the English one, in their order, with as many tables, rows, lists and programs, and is Korean', () => {
  expect([...guides.ko.keys()].toSorted()).toEqual([...guides.en.keys()].toSorted());
  const shapeOf = ({ text }: GuideText) => ({
    rows: text.match(/^\|/gm)?.length ?? 0,
    points: text.match(/^(?:- |\d+\. )/gm)?.length ?? 0,
    programs: text.match(/^```/gm)?.length ?? 0,
  });
  for (const [name, guide] of guides.ko) {
    const other = guides.en.get(name);
    expect(other, name).toBeDefined();
    if (other === undefined) continue;
    expect(guide.sections.length, name).toBe(other.sections.length);
    expect(shapeOf(guide), name).toEqual(shapeOf(other));
    // Where one says what the other does not, their parts differ in length by far.
    const lengths = (one: GuideText) => one.text.split(/^(?=## )/m).map((part) => part.length);
    const longer = lengths(guide).map((length, at) => length / (lengths(other)[at] ?? 1));
    for (const [at, share] of longer.entries())
      expect(share > 0.3 && share < 1.1, `${name}, part ${at}: ${share.toFixed(2)}`).toBe(true);
    for (const section of guide.sections) expect(section, name).toMatch(/[가-힣]|^MCP|^API/);
  }
});

test('every guide has a name in the list of the help', () => {
  for (const words of [englishWords, koreanWords])
    expect(Object.keys(words.guides).toSorted()).toEqual([...guides.en.keys()].toSorted());
});

test('links of guides lead to guides that are there', () => {
  for (const language of languages)
    for (const [name, { text }] of guides[language])
      for (const [, href = ''] of text.matchAll(/\]\((https:\/\/guide[^)]*)\)/g))
        expect(guides.en.has(guideOfAddress(href) ?? ''), `${name} → ${href}`).toBe(true);
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
