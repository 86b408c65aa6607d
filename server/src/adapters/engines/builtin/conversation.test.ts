import { describe, expect, test } from 'vitest';
import { answerTo, conversation } from '../../../../test/support/ask-builtin-engine.ts';

describe('says what it is', () => {
  test.each([
    ['안녕하세요', /안녕하세요.*내장/],
    ['안녕!', /안녕하세요/],
    ['Hello there!', /^Hello!/],
    ['Good morning', /^Hello!/],
    ['감사합니다', /다행입니다/],
    ['Thank you so much', /welcome/],
    ['너는 누구야?', /언어 모델이 아니라/],
    ['Who are you?', /not a language model/],
    ['Are you ChatGPT?', /built-in engine/],
    ['뭘 할 수 있어?', /도구/],
    ['What can you do?', /call tools/],
    ['Hello! What can you do?', /call tools/],
    ['안녕하세요! 무엇을 할 수 있나요?', /도구/],
    ['계산해 줘:\n3+4*2', /= 11$/],
    ['Tell me a joke', /built-in engine without a language model.*connect a model server or download a model/],
    ['봄에 대한 시를 써줘', /언어 모델이 없는 내장 엔진.*모델 서버를 연결하거나 모델을 내려받/],
    ['What is the capital of France?', /cannot answer/],
    ['요약해 줘: 긴 글이 있다. 그리고 끝났다.', /이 요청에는 답할 수 없습니다/],
    ['Translate "good night" into Korean', /cannot translate/],
    ['이 문장을 영어로 번역해줘: 안녕', /번역할 수 없습니다/],
  ])('%s', async (question, expected) => expect(await answerTo(question)).toMatch(expected));

  test('a translation model says that it cannot translate', async () => {
    expect(await answerTo('좋은 아침입니다', { model: 'LLM42-Translate' })).toMatch(/번역할 수 없습니다/);
  });

  test('images are not seen', async () => {
    const content = [
      { type: 'text' as const, text: '이 그림에 무엇이 있나요?' },
      { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AA==' } },
    ];
    expect(await answerTo({ messages: [{ role: 'user', content }] })).toMatch(/이미지를 볼 수 없습니다/);
  });
});

describe('says exactly what it is asked to say', () => {
  test.each([
    ['Say exactly: pong', 'pong'],
    ['say exactly:  two  blanks', 'two  blanks'],
    ['다음을 그대로 출력하세요: 가나다\n라마바', '가나다\n라마바'],
  ])('%s', async (question, expected) => expect(await answerTo(question)).toBe(expected));
});

describe('remembers the conversation', () => {
  test('facts', async () => {
    expect(
      await answerTo(conversation(null, 'My favourite colour is teal.', 'Noted.', 'What is my favourite colour?')),
    ).toContain('teal');
    expect(
      await answerTo(conversation(null, '내가 좋아하는 음식은 김치찌개야.', '네.', '내가 좋아하는 음식이 뭐야?')),
    ).toContain('김치찌개');
  });
});
