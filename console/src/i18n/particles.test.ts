import { expect, test } from 'vitest';
import { createI18n } from './index.ts';
import { loadWords } from './load-words.ts';
import { withParticles } from './particles.ts';

test.each([
  ['버전 1과(와) 비교', '버전 1과 비교'],
  ['버전 2과(와) 비교', '버전 2와 비교'],
  ['버전 13과(와) 비교', '버전 13과 비교'],
  ['시작에서 검색(으)로', '시작에서 검색으로'],
  ['시작에서 모델(으)로', '시작에서 모델로'],
  ['시작에서 답변2(으)로', '시작에서 답변2로'],
  ['gpu1.internal이(가) 제때', 'gpu1.internal이 제때'],
  ['“휴가”을(를) 지웁니다', '“휴가”를 지웁니다'],
  ['CORE-GOV은(는)', 'CORE-GOV는'],
  ['⚙은(는)', '⚙은(는)'],
  ['받침 없는 글', '받침 없는 글'],
])('%s: %s', (text, written) => expect(withParticles(text)).toBe(written));

test('texts of the console have the particles of their values', async () => {
  const translator = await createI18n('ko');
  await loadWords(translator, 'ko', ['agents']);
  const { t } = translator;
  expect(t('agents:difference.beside_now', { number: 1 })).toContain('버전 1과 비교');
  expect(t('agents:difference.beside_now', { number: 2 })).toContain('버전 2와 비교');
});
