import { describe, expect, test } from 'vitest';
import { answerTo, ask, conversation } from '../../../../../test/support/ask-builtin-engine.ts';
import { documents, numbered, questions, unanswerable } from '../../../../../test/support/knowledge.ts';

const MISSING = /찾을 수 없습니다|do not contain/;

/** Forms in which documents reach a model. */
const forms = {
  'numbered, in the user message': (question: string) =>
    `Answer from the passages and cite them.\n\n${numbered}\n\nQuestion: ${question}`,
  'numbered, in the system message': (question: string) =>
    conversation(`다음 자료만 사용하여 답하고 출처를 [번호]로 표시하세요.\n\n${numbered}`, question),
  'as tagged documents': (question: string) =>
    `<documents>\n${documents.map((text, i) => `<document index="${i + 1}">\n<source>doc${i + 1}.hwp</source>\n<document_content>\n${text}\n</document_content>\n</document>`).join('\n')}\n</documents>\n\n${question}`,
  'after the question': (question: string) => `${question}\n\n참고 자료:\n${numbered}`,
  'under headings': (question: string) =>
    `### 문서\n${documents.map((text, i) => `문서 ${i + 1}:\n${text}`).join('\n---\n')}\n\n### 질문\n${question}\n\n### 답변`,
};

describe.each(Object.entries(forms))('thirty documents %s', (_name, form) => {
  test.each(questions)('%s', async (question, expected, document) => {
    const answer = await answerTo(form(question));
    expect(answer).toMatch(expected);
    expect(answer).toContain(`[${document}]`);
    // Brief: not the whole context again.
    expect(answer.length).toBeLessThan(300);
  });
  test.each(unanswerable)('says that nothing answers: %s', async (question) => {
    expect(await answerTo(form(question))).toMatch(MISSING);
  });
});

describe('an answer', () => {
  test('names an hour in words', async () => {
    const asked = conversation(
      'Context:\n[1] The office opens at nine. It has a garden.',
      'When does the office open?',
    );
    expect(await answerTo(asked)).toContain('opens at nine');
  });

  test('comes in the language of the question, around the words of the document', async () => {
    expect(await answerTo(conversation(`Context:\n${numbered}`, '화성의 기온은?'))).toMatch(/찾을 수 없습니다/);
    expect(await answerTo(conversation(`문서:\n${numbered}`, 'How hot is Mars?'))).toMatch(/do not contain/);
  });

  test('is the same wherever the document stands among much other text', async () => {
    const filler = Array.from({ length: 400 }, (_, i) => `제${i}호 안내: 이 글은 다른 내용을 다루며 순번은 ${i}이다.`);
    for (const at of [0, 200, 399]) {
      const texts = filler.toSpliced(at, 0, '사내 헬스장은 별관 4층에 있다.');
      expect(await answerTo(`${texts.join('\n')}\n\n질문: 헬스장은 어디에 있나요?`)).toMatch(/별관 4층/);
    }
  });

  test('is not taken from the rules of the system message', async () => {
    const system = 'You are a helpful assistant who answers questions about capital cities. Answer briefly.';
    expect(await answerTo(conversation(system, 'What is the capital of France?'))).toMatch(/cannot answer/);
  });

  test('follows a question that leans on the one before it', async () => {
    const followed = conversation(
      null,
      forms['after the question']('국내 출장 식비는 얼마야?'),
      '30,000원입니다.',
      '그럼 숙박비는?',
    );
    expect(await answerTo(followed)).toMatch(/숙박비는 서울 100,000원/);
    const english = conversation(
      numbered,
      'Who is the manager of the Lisbon office?',
      'Maria Costa.',
      'And when did it open?',
    );
    expect(await answerTo(english)).toMatch(/2015/);
  });

  test('gives the cells of a table that are asked for', async () => {
    expect(await answerTo(conversation(numbered, '대리의 기본급은 얼마인가요?'))).toBe('대리, 기본급: 3,900만 원 [26]');
  });

  test('tells a list whole', async () => {
    expect(await answerTo(conversation(numbered, '어떤 서류를 내야 하나요?'))).toBe(
      '다음 서류를 내야 한다:\n- 신청서 1부\n- 신분증 사본\n- 통장 사본 [29]',
    );
  });

  test('of one line before the question needs no marks at all', async () => {
    expect(await answerTo('Alice has a red car. Bob has a blue car. What kind of car does Bob have?')).toBe(
      'Bob has a blue car.',
    );
  });

  test('is traced to the passages that were weighed', async () => {
    const { choices } = await ask(conversation(numbered, '퇴직금은 언제 지급되나요?'), { thinking: true });
    expect(choices[0]?.reasoning).toMatch(/핵심어: 퇴직금, 지급[^]*\[12\] 점수 \d\.\d\d: 퇴직금은 퇴직일로부터/);
    expect(choices[0]?.content).toMatch(/14일/);
  });
});

describe('documents between tags', () => {
  const passages = (...texts: string[]) =>
    `<passages>\n${texts.map((text, at) => `[${at + 1}] ${text}`).join('\n\n')}\n</passages>`;
  const rule = '2등급.hwp, p. 2\n## 제2장 복구\n복구 목표 시간은 4시간이다.\n문의: 전산팀 한서윤 대리(내선 2207)';
  const table =
    '급여.xlsx\n| 직급 | 기본급 | 인원 |\n|---|---|---|\n| 사원 | 2,850,000 | 64 |\n| 주임 | 3,120,000 | 31 |';

  test('hold no question, whatever their lines begin with', async () => {
    expect(await answerTo(`${passages(rule)}\n\n복구 목표 시간은 얼마입니까?`)).toBe('복구 목표 시간은 4시간이다. [1]');
    expect(await answerTo(`${passages(rule)}\n\n문의는 누구에게 하나요?`)).toMatch(/한서윤.*\[1\]/);
  });

  test('are searched by rules that would else work with the text: numbers, words, names', async () => {
    const guide = passages('guide.html\nArticles have between 600 and 900 words.\nCall 1599-0120 for help.');
    expect(await answerTo(`${guide}\n\nHow many words should an article have?`)).toMatch(/600 and 900/);
    expect(await answerTo(`${passages('a.md\n새 제품의 이름은 이음이다.')}\n\n새 제품의 이름이 뭐예요?`)).toMatch(
      /이음이다/,
    );
  });

  test('tell a row by its first cell, and only a row that is meant', async () => {
    expect(await answerTo(`${passages(table)}\n\n주임의 기본급은 얼마입니까?`)).toBe('주임, 기본급: 3,120,000 [1]');
    expect(await answerTo(`${passages(table)}\n\n과장의 기본급은 얼마입니까?`)).toMatch(MISSING);
  });

  test('do not answer for a thing of another name or number', async () => {
    const plans = passages('plans.md\nThe Gold membership costs 59 dollars a month.');
    expect(await answerTo(`${plans}\n\nHow much does the Gold membership cost?`)).toMatch(/59 dollars/);
    expect(await answerTo(`${plans}\n\nHow much does the Platinum membership cost?`)).toMatch(MISSING);
    const lines = passages('노선.md\n204번 버스의 첫차는 6시이다.');
    expect(await answerTo(`${lines}\n\n204번 버스의 첫차는 몇 시인가요?`)).toMatch(/6시/);
    expect(await answerTo(`${lines}\n\n303번 버스의 첫차는 몇 시인가요?`)).toMatch(MISSING);
  });

  test('do not answer with a thing of another kind', async () => {
    const harbour = passages('harbour.md\nThe harbour master of Oban is Ada Lindqvist.');
    expect(await answerTo(`${harbour}\n\nWho is the harbour master of Oban?`)).toMatch(/Ada Lindqvist/);
    expect(await answerTo(`${harbour}\n\nWhen was the harbour of Oban built?`)).toMatch(MISSING);
  });

  test('are read without what Markdown escapes', async () => {
    const escaped = passages('29.hwp\n다음 서류를 내야 한다:\n\n\\- 신청서 1부\n\n\\- 통장 사본');
    expect(await answerTo(`${escaped}\n\n어떤 서류를 내야 하나요?`)).toBe(
      '다음 서류를 내야 한다:\n- 신청서 1부\n- 통장 사본 [1]',
    );
  });

  test('answer a short question whatever was asked before it', async () => {
    const room = passages('14.hwpx\n회의실 예약은 포털에서 한다. 대회의실은 50명까지 들어간다.');
    const question = '대회의실에는 몇 명이 들어갈 수 있나요?';
    const asked = conversation(
      null,
      '외부 교육비 지원 한도는 얼마인가요?',
      '연 100만 원입니다.',
      `${room}\n\n${question}`,
    );
    expect(await answerTo(asked)).toBe('대회의실은 50명까지 들어간다. [1]');
  });

  test('tell cells of HTML tables, and text that only stands in a frame', async () => {
    const table = passages(
      [
        '재정.hwp, p. 1',
        '# 재정 통계(2010.11월 누계)',
        '',
        '<table><thead><tr><th colspan="2"><strong>구   분</strong></th><th>일반</th><th><p>비금융성</p><p>기금</p></th></tr></thead>' +
          '<tbody><tr><td>수입</td><td><p>경상수입<sup>1)</sup></p><aside>1) <p>조세 등</p></aside></td><td>167,642</td><td>68,263</td></tr>' +
          '</tbody></table>',
        '',
        '<table><tbody><tr><td><p>신청서</p><p>군필자는 만기일 이내에 신고를 하기 바람.</p></td></tr></tbody></table>',
      ].join('\n'),
    );
    expect(await answerTo(`${table}\n\n2010년 경상수입 기금은 얼마입니까?`)).toBe(
      '수입, 경상수입, 비금융성 기금: 68,263 [1]',
    );
    expect(await answerTo(`${table}\n\n군필자는 무엇을 해야 하나요?`)).toBe(
      '군필자는 만기일 이내에 신고를 하기 바람. [1]',
    );
  });
});
