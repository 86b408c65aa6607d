import type { PiiType } from '@ai-studio/contract/utilities/privacy.ts';
import { type Random, createRandom } from '../random.ts';
import type { Labelled } from '../sentences.ts';
import { englishDocuments } from './documents-english.ts';
import { koreanDocuments } from './documents-korean.ts';
import { type Values, values } from './documents-values.ts';

const numbers = new Set<PiiType>([
  'RRN',
  'FRR',
  'PHONE',
  'CREDIT_CARD',
  'BANK_ACCOUNT',
  'BUSINESS_NUMBER',
  'CORPORATE_NUMBER',
  'DRIVER_LICENSE',
]);
const wide = (text: string) => text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));

/** One value in twelve as phones, word processors and scans write it. */
function dressed(random: Random, value: string, type: PiiType): string {
  if (!numbers.has(type) || !random.chance(0.08)) return value;
  return random.pick([
    () => value.replace(/\d/g, wide),
    () => wide(value),
    () => value.replaceAll('-', random.pick(['–', '‐', '‑', '−', '－', 'ㅡ', '—', '‒'])),
    () => value.replaceAll('-', ' - '),
    () => value.replaceAll('-', '-\u200b'),
    () => value.replaceAll('-', '\u00ad-'),
  ])();
}

/** A text of a template, with values in place of the words in braces. */
export function fill(random: Random, template: string, makes: Values = values): Labelled {
  const entities: { type: PiiType; start: number; end: number }[] = [];
  let text = '';
  let done = 0;
  for (const { 0: slot, 1: name = '', index } of template.matchAll(/\{([A-Z]+)\}/g)) {
    const made = makes[name];
    if (!made) throw new Error(`no value is called ${name}`);
    const [type, make] = made;
    text += template.slice(done, index);
    done = index + slot.length;
    const value = dressed(random, make(random), type);
    entities.push({ type, start: text.length, end: text.length + value.length });
    text += value;
  }
  return { text: text + template.slice(done), entities };
}

/** So many texts of each template: forms, letters, calls, chats, lists, records, logs, code. */
export function documents(seed: number, ofEach: number): Labelled[] {
  const random = createRandom(seed);
  return [...koreanDocuments, ...englishDocuments].flatMap((template) =>
    Array.from({ length: ofEach }, () => fill(random, template)),
  );
}
