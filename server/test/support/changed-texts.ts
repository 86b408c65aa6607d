import { everyday } from '../../../bench/privacy/everyday.ts';
import { forms } from '../../../bench/privacy/forms.ts';
import { hostileTexts } from '../../../bench/privacy/hostile.ts';
import { ordinarySentences } from '../../../bench/privacy/ordinary.ts';
import type { Random } from '../../../bench/privacy/random.ts';
import { labelledSentences } from '../../../bench/privacy/sentences.ts';
import { documents } from '../../../bench/privacy/unseen/documents.ts';
import { unseenSentences } from '../../../bench/privacy/unseen/labelled.ts';
import { lines } from '../../../bench/privacy/unseen/lines.ts';

const parts = [
  ...Array.from(' -.:@[(/%\\_\n'),
  '1',
  '12',
  '900101',
  'A',
  'kr',
  '김',
  '가',
  '１',
  '\u200b',
  '::',
  '://a:',
  '1:2:3',
  '여권',
];

/** A text in which characters are lost, doubled and exchanged by chance. */
export function mutate(text: string, random: Random): string {
  let changed = text;
  for (let change = random.int(4); change > 0; change--) {
    const at = random.int(changed.length + 1);
    const removed = random.chance(0.5) ? random.int(4) : 0;
    const added = random.chance(0.6) ? random.pick(parts) : '';
    changed = changed.slice(0, at) + added + changed.slice(at + removed);
  }
  return changed;
}

const corpus = [
  ...labelledSentences(3, 12),
  ...forms(3, 40),
  ...everyday(3, 4),
  ...unseenSentences(3, 6),
  ...documents(3, 1),
  ...lines(3, 3),
].map(({ text }) => text);
/** Texts with values of all types, and without any. */
export const texts = [...corpus, ...ordinarySentences(3, 300), ...hostileTexts(300).map(([, text]) => text)];
