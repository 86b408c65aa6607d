import fc from 'fast-check';
import { expect, it } from 'vitest';

import { times } from '../../../../../server/test/support/long.ts';
import {
  comment,
  equation,
  link,
  linkEnd,
  margin,
  note,
  paragraph,
  picture,
  sectionStart,
  simpleTable,
  textBox,
  writeCompound,
  writeHwp,
} from '../../../test/hwp-writer/index.ts';
import type { WrittenHwp } from '../../../test/hwp-writer/index.ts';
import { ParseError } from '../../parse-error.ts';
import { standardLimits } from '../../reader.ts';
import { readHwp } from './index.ts';

const sample: WrittenHwp = {
  info: {
    numberings: [
      [
        ['^1.', 0],
        ['^2.', 8],
      ],
    ],
    bullets: ['-'],
    paraShapes: [{}, { head: 'outline' }, { head: 'bullet', headId: 1 }],
    fills: [true],
    tracked: true,
  },
  sections: [
    [
      paragraph([sectionStart(), '제목'], { shape: 1, lines: [0] }),
      paragraph(
        ['본문 ', link('http://example.com'), '고리', linkEnd, note('fn  ', 1, '각주'), margin('head', '머리말')],
        { lines: [1600, 3200] },
      ),
      paragraph(
        [
          simpleTable([
            ['가', '나'],
            ['다', '라'],
          ]),
          equation('1 over 2'),
        ],
        { lines: [4800] },
      ),
      paragraph(
        [textBox([paragraph('글상자'), paragraph([simpleTable([['안']])])]), picture('그림'), comment('설명')],
        { lines: [0] },
      ),
      paragraph('항목', { shape: 2, deleted: [[0, 1]] }),
    ],
  ],
  title: '견본',
};
const files = [
  writeHwp(sample),
  writeHwp({ ...sample, compressed: false }),
  writeHwp({ ...sample, distributed: true }),
];
const limits = {
  ...standardLimits,
  inflatedBytes: 16 * 1024 * 1024,
  cells: 10_000,
  pages: 1000,
  characters: 1_000_000,
};

/** A document or a ParseError: nothing else may come of any bytes. */
const tryToRead = (bytes: Uint8Array): string => {
  try {
    // A copy that owns its memory: whoever reads past the end of it is found out.
    return JSON.stringify(readHwp(Uint8Array.from(bytes), { limits, pages: null, onPage: () => {} })).slice(0, 20);
  } catch (error) {
    if (error instanceof ParseError) return error.code;
    throw error;
  }
};

it('reads the files that are damaged below', () => {
  for (const file of files) expect(tryToRead(file)).toContain('format');
});

it('withstands files that are cut', () => {
  for (const file of files)
    for (let length = 0; length < file.length; length += Math.ceil(file.length / 200))
      tryToRead(file.subarray(0, length));
});

it('withstands bytes that are changed', () => {
  const change = fc.tuple(fc.nat(), fc.nat({ max: 255 }));
  fc.assert(
    fc.property(
      fc.nat({ max: files.length - 1 }),
      fc.array(change, { minLength: 1, maxLength: 30 }),
      (which, changes) => {
        const bytes = Buffer.from(files[which]!);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        tryToRead(bytes);
      },
    ),
    { numRuns: times(300, 600) },
  );
});

it('withstands numbers that are changed to the largest and the smallest', () => {
  const change = fc.tuple(fc.nat(), fc.constantFrom(0, 0xffffffff, 0x7fffffff, 0x80000000, 0xfffffffe, 1));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const bytes = Buffer.from(files[1]!);
      for (const [at, value] of changes) bytes.writeUInt32LE(value, (at * 4) % (bytes.length - 4));
      tryToRead(bytes);
    }),
    { numRuns: times(300, 600) },
  );
});

it('ends on chains and names that go in circles', () => {
  const bytes = writeCompound({ FileHeader: Buffer.alloc(256), 'BodyText/Section0': Buffer.alloc(20_000, 7) });
  const table = bytes.readUInt32LE(76);
  for (let at = (table + 1) * 512; at + 4 <= bytes.length; at += 4) bytes.writeUInt32LE(0, at);
  expect(tryToRead(bytes)).toBe('CORRUPTED');
  const named = Buffer.from(files[1]!);
  const directory = (named.readUInt32LE(48) + 1) * 512;
  for (let entry = 0; entry < 8; entry += 1)
    for (const field of [68, 72, 76]) named.writeUInt32LE(entry, directory + entry * 128 + field);
  tryToRead(named);
});
