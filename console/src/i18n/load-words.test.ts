import { expect, test } from 'vitest';
import { createI18n, switchLanguage } from './index.ts';
import { isLoaded, loadWords } from './load-words.ts';

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
