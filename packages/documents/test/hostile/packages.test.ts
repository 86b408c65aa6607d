import { type Parts, writeZip } from '../zip.ts';
import { many, tryAll } from './attempt.ts';

const lying: Parts = [['word/document.xml', '<a/>', { size: 0xffff_fff0 }]];
tryAll('a.zip', [
  ['sizes that lie', () => writeZip(lying), ['read', 'CORRUPTED']],
  [
    'names that lead out',
    () =>
      writeZip([
        ['../../word/document.xml', '<a/>'],
        ['word/x', ''],
      ]),
    ['CORRUPTED'],
  ],
  [
    'more parts than may be',
    () => writeZip(many(20_001, (nth) => [`word/${nth}`, '', { stored: true }] as const)),
    ['TOO_LARGE'],
  ],
  ['an archive', () => writeZip([['a.txt', 'a']]), ['UNSUPPORTED']],
]);
