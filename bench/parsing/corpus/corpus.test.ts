import { expect, test } from 'vitest';
import { readDocument } from '@ai-studio/documents/readers';
import { standardLimits } from '@ai-studio/documents';
import type { PieceKind } from '../facts.ts';
import { factsOf } from '../facts.ts';
import { f1, tableCells, textOrder, textRecall } from '../metrics.ts';
import { writeCorpus } from './index.ts';

const kinds = new Set<PieceKind>(['running', 'note', 'margin']);

test.each(writeCorpus())('$file is read in its format with all its text, in order, its tables whole', async (one) => {
  const options = { limits: standardLimits, pages: null, onPage: () => undefined };
  const document = await readDocument(one.bytes, one.file, options);
  const [truth, found] = [factsOf(one), factsOf(document)];
  expect(document.format).toBe(one.format);
  expect(textRecall(truth, found, kinds)).toBe(1);
  expect(textOrder(truth, found) ?? 1).toBe(1);
  expect(f1(tableCells(truth, found)) ?? 1).toBe(1);
});
