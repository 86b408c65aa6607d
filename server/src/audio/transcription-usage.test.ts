import { expect, test } from 'vitest';
import { createTranscriptionUsage } from './transcription-usage.ts';

const here = { aborted: false };
const gone = { aborted: true };
const whole = { model: 'm', engine: 'e', text: '', language: null, seconds: 9.0004, segments: [], words: null };

test('what is whole counts as a whole', () => {
  const usage = createTranscriptionUsage();
  usage.watch.onEngine?.('e', 'm');
  usage.watch.onProgress?.({ seconds: 9, done: 4, segment: null });
  usage.finish(whole);
  for (const caller of [here, gone])
    expect(usage.read(caller)).toEqual({ model: 'm', engine: 'e', audioInMs: 9_000, outcome: 'ok' });
});

test('what breaks off counts as far as it came', () => {
  const usage = createTranscriptionUsage();
  usage.watch.onEngine?.('e', 'm');
  usage.watch.onProgress?.({ seconds: 9, done: 4, segment: null });
  expect(usage.read(gone)).toMatchObject({ audioInMs: 4_000, outcome: 'canceled' });
  expect(usage.read(here)).toMatchObject({ audioInMs: 4_000, outcome: 'error' });
});

test('a call that fails before anything is heard is no use of a model', () => {
  const usage = createTranscriptionUsage();
  expect(usage.read(gone)).toBeNull();
  usage.watch.onEngine?.('e', 'm');
  expect(usage.read(here)).toBeNull();
  expect(usage.read(gone)).toMatchObject({ audioInMs: 0, outcome: 'canceled' });
});
