import { expect, test } from 'vitest';
import { createI18n, switchLanguage } from './index.ts';
import { isLoaded, loadSpokenWords, loadWords } from './load-words.ts';

test('the words of a page come when it is opened, beside its title, and in the other language when that is chosen', async () => {
  const translator = await createI18n('ko');
  expect(translator.t('agents:title')).toBe('에이전트');
  expect(translator.exists('agents:new')).toBe(false);
  expect(isLoaded(translator, 'ko', 'agents')).toBe(false);
  await loadWords(translator, 'ko', ['agents']);
  expect(isLoaded(translator, 'ko', 'agents')).toBe(true);
  expect(translator.t('agents:new')).toBe('새 에이전트');
  expect(translator.t('agents:title')).toBe('에이전트');
  await switchLanguage(translator, 'en');
  expect(translator.t('agents:new')).toBe('New agent');
  expect(translator.t('agents:title')).toBe('Agents');
  expect(translator.exists('speech:title')).toBe(true);
});

test('a language is changed with all words that have been asked for, also those that are on their way', async () => {
  const translator = await createI18n('en');
  const asked = loadSpokenWords(translator, ['agents']);
  // As the hooks of React give it.
  await switchLanguage(new Proxy(translator, {}), 'ko');
  expect(translator.t('agents:new')).toBe('새 에이전트');
  await asked;
  await loadSpokenWords(translator, ['reviews']);
  expect(isLoaded(translator, 'ko', 'reviews')).toBe(true);
});

test('words that came in a language which is spoken no more are brought in the one that is', async () => {
  const translator = await createI18n('en');
  const switched = switchLanguage(translator, 'ko');
  await Promise.all([switched, loadSpokenWords(translator, ['speech'])]);
  expect(isLoaded(translator, 'ko', 'speech')).toBe(true);
});
