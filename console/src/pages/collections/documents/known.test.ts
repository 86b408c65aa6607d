import { expect, test } from 'vitest';
import type { DroppedFile } from './dropped.ts';
import { filesAfter } from './known.ts';

const dropped = (name: string): DroppedFile => ({ file: new File(['x'], name), folder: null });
const [first, second] = [dropped('a.md'), dropped('b.md')];
const known = [{ dropped: second, by: 'name', documentId: 'd', documentName: 'b.md' }] as const;

test.each([
  ['both', [first, second]],
  ['skip', [first]],
  ['replace', [first, { ...second, replaces: 'd' }]],
] as const)('%s', (choice, files) => expect(filesAfter([first, second], known, choice)).toEqual(files));
