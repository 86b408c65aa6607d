import { describe, expect, test } from 'vitest';
import { answerTo, conversation } from './ask.fixture.ts';

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
    ['Tell me a joke', /built-in engine without a language model.*connect a model server or download a model/],
    ['봄에 대한 시를 써줘', /언어 모델이 없는 내장 엔진.*모델 서버를 연결하거나 모델을 내려받/],
    ['What is the capital of France?', /cannot answer/],
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

describe('does simple things with text', () => {
  test.each([
    ['Say exactly: pong', 'pong'],
    ['say exactly:  two  blanks', 'two  blanks'],
    ['Say exactly: "don\'t"', "don't"],
    ['Reply with the word OK', 'OK'],
    ['Repeat after me: one two three', 'one two three'],
    ['Repeat "go" three times', 'go go go'],
    ['다음을 그대로 출력하세요: 가나다\n라마바', '가나다\n라마바'],
    ['"테스트"라고 말해줘', '테스트'],
    ['convert "Hello" to uppercase', 'HELLO'],
    ['hello world를 대문자로 바꿔줘', 'HELLO WORLD'],
    ['lowercase this: ABC Def', 'abc def'],
    ['List the first 2 lines:\napple\nbanana\ncherry', 'apple\nbanana'],
    ['마지막 2개만 보여줘:\n사과\n배\n감', '배\n감'],
    ['how many words are in "a b c d"?', 'The text has 4 words.'],
    ['"안녕하세요 여러분"의 글자 수는?', '글자는 공백을 포함해 9자, 공백을 빼면 8자입니다.'],
    ['오늘 며칠이야?', '오늘은 2026년 3월 2일 월요일입니다(UTC 기준).'],
    ["What is today's date?", 'Today is Monday, March 2, 2026 (UTC).'],
    ['What time is it?', 'It is 10:00 (UTC).'],
  ])('%s', async (question, expected) => expect(await answerTo(question)).toBe(expected));

  test('sums up in sentences of the text, as many as asked', async () => {
    const text =
      '고양이는 따뜻한 매트를 좋아한다. 비가 왔다. 고양이는 매트 위에서 잔다. 매트는 고양이의 것이다. 개는 크게 짖는다.';
    const sentences = text.split(/(?<=\.) /);
    const two = (await answerTo(`다음 글을 두 문장으로 요약해줘:\n${text}`)).split(/(?<=\.) /);
    expect(two).toHaveLength(2);
    for (const sentence of two) expect(sentences).toContain(sentence);
    expect(two.join(' ')).not.toMatch(/개는|비가/);
  });
});

describe('remembers the conversation', () => {
  const told = ['My name is Alice.', 'Nice to meet you.'];
  test('a name', async () => {
    expect(await answerTo(conversation(null, ...told, 'What is my name?'))).toBe('Your name is Alice.');
    expect(await answerTo(conversation(null, '내 이름은 지수야. 부산에 살아.', '네.', '내 이름이 뭐야?'))).toBe(
      '이름은 지수입니다.',
    );
    expect(await answerTo('내 이름이 뭐야?')).toMatch(/말씀해 주지 않으셨/);
  });
  test('the latest name', async () => {
    expect(await answerTo(conversation(null, ...told, 'Sorry, my name is Bea.', 'ok', 'What is my name?'))).toBe(
      'Your name is Bea.',
    );
  });
  test('what either side said', async () => {
    expect(await answerTo(conversation(null, ...told, 'What did I just say?'))).toBe('You said: “My name is Alice.”');
    expect(await answerTo(conversation(null, '회의는 3시야', '네', '내가 뭐라고 했지?'))).toBe(
      '이렇게 말씀하셨습니다: “회의는 3시야”',
    );
    expect(await answerTo(conversation(null, ...told, 'What did you say?'))).toBe('I answered: “Nice to meet you.”');
  });
  test('facts', async () => {
    expect(
      await answerTo(conversation(null, 'My favourite colour is teal.', 'Noted.', 'What is my favourite colour?')),
    ).toContain('teal');
    expect(
      await answerTo(conversation(null, '내가 좋아하는 음식은 김치찌개야.', '네.', '내가 좋아하는 음식이 뭐야?')),
    ).toContain('김치찌개');
  });
});
