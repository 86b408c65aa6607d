import { expect, test } from 'vitest';
import { createTranscriptionUsage } from './transcription-usage.ts';

const here = { aborted: false };
const gone = { aborted: true };
const whole = { model: 'm', engine: 'e', text: '', language: null, seconds: 9.0004, segments: [], words: null };

test('what is whole counts as a whole', () => {
  const heard = createTranscriptionUsage();
  heard.watch.onEngine?.('e', 'm');
  heard.watch.onProgress?.({ seconds: 9, done: 4, segment: null });
  heard.finish(whole);
  for (const caller of [here, gone])
    expect(heard.read(caller)).toEqual({ model: 'm', engine: 'e', audioInMs: 9_000, outcome: 'ok' });
});

test('what breaks off counts as far as it came', () => {
  const heard = createTranscriptionUsage();
  heard.watch.onEngine?.('e', 'm');
  heard.watch.onProgress?.({ seconds: 9, done: 4, segment: null });
  expect(heard.read(gone)).toMatchObject({ audioInMs: 4_000, outcome: 'canceled' });
  expect(heard.read(here)).toMatchObject({ audioInMs: 4_000, outcome: 'error' });
});

test('a call that fails before anything is heard is no use of a model', () => {
  const heard = createTranscriptionUsage();
  expect(heard.read(gone)).toBeNull();
  heard.watch.onEngine?.('e', 'm');
  expect(heard.read(here)).toBeNull();
  expect(heard.read(gone)).toMatchObject({ audioInMs: 0, outcome: 'canceled' });
});
