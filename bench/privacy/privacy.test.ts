import { piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { expect, test } from 'vitest';
import { findPii, maskText } from '../../server/src/privacy/index.ts';
import { covers } from '../../server/test/requirements.ts';
import { hostileTexts } from './hostile.ts';
import { ordinarySentences } from './ordinary.ts';
import { precision, recall, scoreTexts } from './score.ts';
import { labelledSentences } from './sentences.ts';
import { documents } from './unseen/documents.ts';
import { documentsOrdinary } from './unseen/documents-ordinary.ts';
import { lines } from './unseen/lines.ts';
import { unseenSentences } from './unseen/labelled.ts';
import { unseenOrdinary } from './unseen/ordinary.ts';
import { times } from '../../server/test/support/long.ts';

test('generated sentences keep to the goals', () => {
  const { scores } = scoreTexts(labelledSentences(7, 60));
  for (const score of scores) {
    expect(recall(score), `recall of ${score.type}`).toBeGreaterThanOrEqual(0.95);
    expect(precision(score), `precision of ${score.type}`).toBeGreaterThanOrEqual(0.95);
  }
});

test('ordinary sentences have next to no findings', () => {
  const wrong = ordinarySentences(7, 1_000).flatMap((text) => findPii(text, { types: piiTypes }));
  expect(wrong.length).toBeLessThanOrEqual(1);
});

test('sentences of the set that was written apart keep to the goals', () => {
  covers('pii.unseen');
  const { scores } = scoreTexts(unseenSentences(7, 25));
  for (const score of scores) {
    const hard = score.type === 'PERSON';
    expect(recall(score), `recall of ${score.type}`).toBeGreaterThanOrEqual(hard ? 0.9 : 0.99);
    expect(precision(score), `precision of ${score.type}`).toBeGreaterThanOrEqual(0.98);
  }
  const wrong = unseenOrdinary(7, 5_000).flatMap((text) => findPii(text, { types: piiTypes }));
  expect(wrong.length).toBeLessThanOrEqual(5);
});

test('documents and talks keep to the goals', () => {
  covers('pii.unseen');
  const { scores } = scoreTexts([...documents(7, 4), ...lines(7, 8)]);
  for (const score of scores) {
    const hard = score.type === 'PERSON';
    expect(recall(score), `recall of ${score.type}`).toBeGreaterThanOrEqual(hard ? 0.9 : 0.97);
    expect(precision(score), `precision of ${score.type}`).toBeGreaterThanOrEqual(0.98);
  }
  const wrong = documentsOrdinary(7, 5_000).flatMap((text) => findPii(text, { types: piiTypes }));
  expect(wrong.length).toBeLessThanOrEqual(5);
});

test('no text makes it slow', () => {
  covers('pii.linear');
  // Where time grew with the square of a text, this would take minutes in the long run.
  for (const [, text] of hostileTexts(times(30_000, 100_000))) maskText(text, { types: piiTypes });
});
