import type { Schema } from '../json/schema.ts';
import { synonymsOf } from '../words/synonyms.ts';
import { isFunctionWord, stem, terms, words } from '../words/words.ts';

/** Words of a name in any of the usual spellings: `checkInDate`, `check_in-date`. */
export const spelledOut = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replace(/[_\-.]+/g, ' ');

/** The first part of what a schema says of itself. */
export const descriptionOf = (schema: Schema) =>
  typeof schema['description'] === 'string' ? schema['description'].slice(0, 500) : '';

/** Does a text hold a word, or one that means nearly the same? */
export function mentions(stems: ReadonlySet<string>, text: string, word: string): boolean {
  const root = stem(word);
  if (stems.has(root) || text.includes(word)) return true;
  for (const synonym of synonymsOf(root))
    if (stems.has(synonym) || (synonym.length > 1 && text.includes(synonym))) return true;
  return false;
}

/** The option that a text names; undefined when it names none. */
export function pickOption(options: readonly unknown[], text: string): unknown {
  const lower = text.toLowerCase();
  const stems = new Set(terms(text));
  const scored = options.map((option) => {
    if (typeof option === 'number') return holdsWord(lower, String(option)) ? 2 : 0;
    if (typeof option !== 'string' || option === '') return 0;
    const own = option.toLowerCase();
    const plain = words(spelledOut(option));
    const whole = holdsWord(lower, own);
    if (whole) return 10 + own.length;
    if (plain.length > 0 && plain.every((word) => word.length > 1 && mentions(stems, lower, word))) return 5;
    return 0;
  });
  const best = Math.max(0, ...scored);
  return best > 0 ? options[scored.indexOf(best)] : undefined;
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Whether a text holds a word by itself. A Korean particle may follow it, unless it is a single character. */
function holdsWord(text: string, word: string): boolean {
  const after = word.length > 1 ? /[a-z\d]/ : /[\p{L}\d]/u;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\d]/u.test(text.charAt(at - 1)) && !after.test(text.charAt(at + word.length))) return true;
  }
  return false;
}

/** "title: Report", "제목은 '보고'", "name=Kim", "named Kim". */
export function explicit(names: readonly string[], text: string): string | null {
  for (const name of names) {
    if (name.length < 2 || name.length > 80) continue;
    const pattern = new RegExp(
      `(?<![\\p{L}\\d])${escapeRegExp(name)}(?:은|는|이|가|을|를)?\\s{0,3}(?:[:：=]|(?<=[은는])|\\b(?:is|as|of|to|named|called)\\b)\\s{0,3}(?:"([^"\\n]{1,300})"|'([^'\\n]{1,300})'|“([^”\\n]{1,300})”|([^\\s,;，"'][^,;，\\n]{0,200}))`,
      'iu',
    );
    const m = pattern.exec(text);
    if (m)
      return (m[1] ?? m[2] ?? m[3] ?? m[4] ?? '')
        .replace(/\s+(?:and|그리고|with)\s.*$/is, '')
        .replace(/[.?!]+$/, '')
        .trim()
        .replace(/(?:으로|로|이고|이며|입니다|이야|야)$/, '');
  }
  return null;
}

/** The names a property goes by: its own, its description's nouns, and what means nearly the same. */
export function namesOf(name: string, schema: Schema): string[] {
  const own = spelledOut(name).toLowerCase();
  const parts = words(own).filter((word) => !isFunctionWord(word));
  const described = words(descriptionOf(schema))
    .filter((word) => !isFunctionWord(word) && word.length > 1)
    .slice(0, 12);
  return [
    ...new Set([
      name.toLowerCase(),
      own,
      ...parts.flatMap((word) => [word, ...synonymsOf(stem(word))]),
      ...described.map(stem),
    ]),
  ];
}

interface FoundNumber {
  readonly value: number;
  readonly index: number;
  readonly end: number;
}

/** Numbers of a text with where they stand. */
export function numbersIn(text: string): FoundNumber[] {
  const magnitudes: Readonly<Record<string, number>> = {
    천: 1e3,
    만: 1e4,
    억: 1e8,
    k: 1e3,
    thousand: 1e3,
    million: 1e6,
  };
  return [...text.matchAll(/(?<![\p{L}\d.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\d.])-?\d+(?:\.\d+)?/gu)]
    .slice(0, 50)
    .map((m) => {
      const end = m.index + m[0].length;
      const unit = /^\s?(천|만|억|k\b|thousand\b|million\b)/i.exec(text.slice(end, end + 10))?.[1]?.toLowerCase();
      return {
        value: Number(m[0].replaceAll(',', '')) * (unit === undefined ? 1 : (magnitudes[unit] ?? 1)),
        index: m.index,
        end,
      };
    });
}

/** Words after a number that tell what it counts. */
const counters: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^\s?(?:명|인|people|persons?|guests?|adults?)/i,
    /people|person|guest|party|adult|attendee|passenger|인원|명|사람/i,
  ],
  [/^\s?(?:박|nights?)/i, /night|stay|박/i],
  [/^\s?(?:일|days?)/i, /day|일수|기간|duration/i],
  [/^\s?(?:분|minutes?|mins?)/i, /minute|min\b|duration|분/i],
  [/^\s?(?:시간|hours?)/i, /hour|duration|시간/i],
  [/^\s?(?:초|seconds?|secs?)/i, /second|sec\b|초/i],
  [/^\s?(?:원|달러|유로|엔|dollars?|usd|krw|won|euros?|eur)/i, /amount|price|cost|budget|money|value|금액|가격|예산/i],
  [/^\s?(?:개|건|items?|results?|pieces?|copies)/i, /count|limit|quantity|number|top|max|size|amount|개수|수량|건수/i],
  [/^\s?(?:%|퍼센트|percent)/i, /percent|rate|ratio|volume|level|brightness|비율|율/i],
  [/^\s?(?:도|degrees?|°)/i, /temp|degree|온도/i],
  [/^\s?(?:km|킬로|kilomet|miles?|m\b|미터)/i, /distance|radius|거리|반경/i],
  [/^\s?(?:살|세|years? old)/i, /age|나이/i],
];

/** The number of a text that a property asks for, by its unit, by its name, or by being left. */
export function pickNumber(
  name: string,
  schema: Schema,
  text: string,
  dates: readonly { index: number; text: string }[],
  taken: Set<number>,
  optional: boolean,
  only: boolean,
): number | undefined {
  const about = `${spelledOut(name)} ${descriptionOf(schema)}`;
  const free = numbersIn(text).filter(
    (n) => !taken.has(n.index) && !dates.some((d) => n.index >= d.index && n.index < d.index + d.text.length),
  );
  const near = free.find((n) =>
    counters.some(([counter, wanted]) => counter.test(text.slice(n.end, n.end + 12)) && wanted.test(about)),
  );
  const stems = new Set(namesOf(name, schema).filter((word) => word.length > 1));
  const named = free.find(
    (n) =>
      terms(text.slice(Math.max(0, n.index - 24), n.index))
        .slice(-2)
        .some((word) => stems.has(word)) ||
      terms(text.slice(n.end, n.end + 16))
        .slice(0, 1)
        .some((word) => stems.has(word)),
  );
  // What another unit claims is not taken for a number without a name.
  const unclaimed =
    free.find((n) => !counters.some(([counter]) => counter.test(text.slice(n.end, n.end + 12)))) ?? free[0];
  const found = named ?? near ?? (!optional || only ? unclaimed : undefined);
  if (found === undefined) return undefined;
  taken.add(found.index);
  return found.value;
}

/** What a text says for a switch; undefined when it does not speak of it. */
export function pickBoolean(name: string, schema: Schema, text: string): boolean | undefined {
  const lower = text.toLowerCase();
  const own = words(spelledOut(name)).filter(
    (word) =>
      !isFunctionWord(word) && !['is', 'has', 'use', 'enable', 'enabled', 'include', 'on', 'state'].includes(word),
  );
  const stems = new Set(terms(text));
  const switches = /^(?:on|enabled?|state|power|status|is_?on)$/i.test(name);
  if (
    !switches &&
    !own.some((word) => mentions(stems, lower, word)) &&
    !terms(descriptionOf(schema))
      .slice(0, 6)
      .some((word) => word.length > (/[가-힣]/.test(word) ? 1 : 2) && stems.has(word))
  )
    return undefined;
  if (switches && !/켜|꺼|끄|turn|switch|enable|disable|\bon\b|\boff\b/i.test(text)) return undefined;
  return !/\b(?:no|not|don't|without|off|disable|false|exclude|never)\b|없이|말고|제외|빼고|꺼|끄|안 |하지 마|아니/i.test(
    lower,
  );
}
