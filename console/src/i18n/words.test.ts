import { consoleReasons } from '@ai-studio/contract/console/errors.ts';
import { connectorReasons } from '@ai-studio/contract/retrieval/connector-reasons.ts';
import { describe, expect, test } from 'vitest';
import { en } from './en/index.ts';
import { ko } from './ko/index.ts';
import { lateNamespaces } from './late.ts';
import { lazyNamespaces } from './lazy.ts';

/** Every text with the way to it, such as `shell.groups.work`. */
function textsOf(words: object, way = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? textsOf(value, `${way}${key}.`)
      : [[way + key, String(value)] satisfies [string, string]],
  );
}
/** With the words that come later. */
async function allOf(language: 'ko' | 'en'): Promise<object> {
  const more = await Promise.all(
    Object.entries({ ...lazyNamespaces, ...lateNamespaces }).map(
      async ([name, words]) => [name, await words[language]()] as const,
    ),
  );
  return { ...(language === 'ko' ? ko : en), ...Object.fromEntries(more) };
}
const koreanWords = await allOf('ko');
const korean = new Map(textsOf(koreanWords));
const english = new Map(textsOf(await allOf('en')));
/** Korean has one form where English has two. */
const inKorean = (way: string) => korean.get(way) ?? korean.get(way.replace(/_one$/, '_other'));
/** Texts that are the same in every language. */
const names = new Set(['API', 'HTML', 'ID', 'JSON', 'Markdown', 'Open WebUI', 'Redis', 'Top P', 'nDCG@10', 'top_p']);
const slotsOf = (text: string) => new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name));

/** The texts with places for values, as types of them: `{ name: '{{count}}' }`. */
function slotTypesOf(words: object, indent: string): string {
  const lines = Object.entries(words).flatMap(([key, value]) => {
    if (typeof value === 'object' && value !== null) {
      const inner = slotTypesOf(value, `${indent}  `);
      return inner === '' ? [] : [`${indent}${key}: {\n${inner}${indent}};\n`];
    }
    const slots = [...String(value).matchAll(/\{\{[^}]*\}\}/g)].map(([slot]) => slot);
    return slots.length === 0 ? [] : [`${indent}${key}: '${slots.join(' ')}';\n`];
  });
  return lines.join('');
}

describe('the words of the console', () => {
  test('are there in both languages', () => {
    expect(korean.size).toBeGreaterThan(150);
    expect([...korean.keys()].filter((way) => !english.has(way))).toEqual([]);
    expect([...english.keys()].filter((way) => inKorean(way) === undefined)).toEqual([]);
    for (const way of korean.keys()) {
      if (way.endsWith('_other')) expect(english.has(way.replace(/_other$/, '_one')), way).toBe(true);
    }
  });

  test('are not empty, and each is in its own language', () => {
    const hangul = /[\uac00-\ud7a3]/;
    for (const [way, text] of korean) {
      expect(text.trim(), way).not.toBe('');
      const words = text.replaceAll(/\{\{.*?\}\}/g, '');
      expect(hangul.test(text) || names.has(text) || !/\p{L}/u.test(words), `${way}: ${text}`).toBe(true);
    }
    for (const [way, text] of english) {
      expect(text.trim(), way).not.toBe('');
      expect(hangul.test(text.replace('한국어', '')), `${way}: ${text}`).toBe(false);
    }
  });

  test('name the same values in both', () => {
    for (const [way, text] of english) {
      const other = slotsOf(inKorean(way) ?? '');
      // "one key" need not say the number.
      if (way.endsWith('_one'))
        expect(
          [...slotsOf(text)].filter((name) => !other.has(name)),
          way,
        ).toEqual([]);
      else expect(slotsOf(text), way).toEqual(other);
    }
  });

  test('have the places for values that the compiler knows of (vitest --update writes them)', async () => {
    const types = slotTypesOf(koreanWords, '  ');
    await expect(
      `/** Places for values in the Korean words; words.test.ts writes this. */\nexport interface Slots {\n${types}}\n`,
    ).toMatchFileSnapshot('./slots.d.ts');
  });

  test('tell every reason of the service', () => {
    expect(new Set(Object.keys(ko.errors.reasons))).toEqual(new Set(consoleReasons));
    const ofConnections = [...korean.keys()].filter((way) => way.startsWith('connections.reasons.'));
    expect(ofConnections.toSorted()).toEqual(
      connectorReasons.map((reason) => `connections.reasons.${reason}`).toSorted(),
    );
  });
});
