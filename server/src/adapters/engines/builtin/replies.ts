import type { Language } from './words.ts';

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
const marked = (mark: string, rest: string) => (mark === '' ? `- ${rest}` : `- ${mark} ${rest}`);

/** What the engine says of itself and around what it finds, in Korean. */
const ko = {
  greeting: '안녕하세요! AI Studio에 내장된 기본 엔진입니다. 무엇을 도와드릴까요?',
  thanks: '도움이 되었다니 다행입니다. 더 필요한 것이 있으면 말씀해 주세요.',
  identity:
    '저는 AI Studio의 내장 엔진(builtin)입니다. 언어 모델이 아니라, 가중치 없이 규칙으로 움직이는 작은 엔진입니다. 모델을 연결하기 전에도 서비스를 써 볼 수 있도록 들어 있습니다.',
  abilities:
    '저는 언어 모델이 없는 내장 엔진이지만 다음 일은 할 수 있습니다.\n- 함께 주신 문서에서 질문의 답을 찾아 출처와 함께 알려 드리기\n- 계산\n- 도구(function) 호출과 그 결과 전달\n- 간단한 JSON 스키마 채우기\n자유로운 대화나 글쓰기, 요약, 번역은 모델을 연결하면 할 수 있습니다.',
  unable:
    '저는 언어 모델이 없는 내장 엔진이라 이 요청에는 답할 수 없습니다. 답이 들어 있는 글을 함께 주시면 그 안에서 찾아 드립니다. 일반적인 답을 받으려면 운영자가 모델 서버를 연결하거나 모델을 내려받아야 합니다.',
  missing: '주어진 문서에서 이 질문에 대한 답을 찾을 수 없습니다.',
  images: '내장 엔진은 이미지를 볼 수 없습니다. 이미지를 이해하는 모델을 연결해 주세요.',
  translate: '내장 엔진은 번역할 수 없습니다. 번역하려면 번역 모델을 연결해 주세요.',
  result: (label: string) => (label === '' ? '도구의 결과입니다:' : `${label}의 결과입니다:`),
  toolFailed: (label: string) => (label === '' ? '도구가 오류를 알렸습니다:' : `${label} 도구가 오류를 알렸습니다:`),
  emptyResult: '도구가 아무 결과도 주지 않았습니다.',
  youSaid: (text: string) => `이렇게 말씀하셨습니다: “${text}”`,
  divisionByZero: (expression: string) => `${expression}: 0으로 나눌 수 없습니다.`,
  tooLarge: (expression: string) => `${expression}: 결과가 너무 커서 나타낼 수 없습니다.`,
  /** What it tells of its way to an answer, when it is to think. */
  trace: {
    asked: (text: string) => `사용자의 말: “${text}”`,
    language: '한국어로 답한다.',
    arithmetic: (expression: string) => `계산 문제이다. ${expression}을(를) 차례로 계산한다.`,
    searching: (count: number, concepts: string) => `주어진 글 ${count}개 구절에서 찾는다. 핵심어: ${concepts}`,
    candidate: (mark: string, score: string, text: string) => marked(mark, `점수 ${score}: ${text}`),
    enough: '가장 높은 구절이 질문의 핵심어를 충분히 담고 있으므로 그것으로 답한다.',
    notEnough: '질문의 핵심어를 충분히 담은 구절이 없다. 없는 답을 지어내지 않는다.',
    tool: (names: string) => `이 일에 맞는 도구를 부른다: ${names}`,
    results: (count: number) => `결과 ${count}건을 읽고 답한다.`,
    rule: '규칙으로 답할 수 있는 말이다.',
    unable: '규칙으로 할 수 있는 일이 아니고 참고할 글도 없다. 그렇게 밝힌다.',
    schema: '요청한 JSON 형식에 맞춰 답을 채운다.',
  },
};

/** The sentences of the engine in one language. */
export type Replies = typeof ko;

/** The same in English. */
const en: Replies = {
  greeting: 'Hello! I am the engine built into AI Studio. How can I help?',
  thanks: 'You are welcome. Tell me if there is anything else.',
  identity:
    "I am AI Studio's built-in engine (builtin). I am not a language model but a small engine of rules, without weights. I am here so that the service can be tried before a model is connected.",
  abilities:
    'I am the built-in engine without a language model, but these things I can do:\n- find the answer to a question in documents that you give me, with its source\n- calculate\n- call tools (functions) and pass on their results\n- fill in JSON by a simple schema\nFree conversation, writing, summaries and translation need a model to be connected.',
  unable:
    'I am the built-in engine without a language model, so I cannot answer this. Give me a text that holds the answer and I will find it there. For general answers an operator has to connect a model server or download a model.',
  missing: 'The given documents do not contain an answer to this question.',
  images: 'The built-in engine cannot see images. Connect a model that understands images.',
  translate: 'The built-in engine cannot translate. Connect a translation model for that.',
  result: (label) => (label === '' ? 'The tool answered:' : `The result of ${label}:`),
  toolFailed: (label) => (label === '' ? 'The tool reported an error:' : `The tool ${label} reported an error:`),
  emptyResult: 'The tool gave no result.',
  youSaid: (text) => `You said: “${text}”`,
  divisionByZero: (expression) => `${expression}: a division by zero has no result.`,
  tooLarge: (expression) => `${expression}: the result is too large to be shown.`,
  trace: {
    asked: (text) => `The user says: “${text}”`,
    language: 'I answer in English.',
    arithmetic: (expression) => `This is arithmetic. I calculate ${expression} step by step.`,
    searching: (count, concepts) => `I search ${counted(count, 'passage')} of the given text. Key words: ${concepts}`,
    candidate: (mark, score, text) => marked(mark, `score ${score}: ${text}`),
    enough: 'The best passage holds enough of what the question asks about, so I answer with it.',
    notEnough: 'No passage holds enough of what the question asks about. I do not make up an answer.',
    tool: (names) => `Tools that fit this: ${names}`,
    results: (count) => `I read ${counted(count, 'result')} and answer from there.`,
    rule: 'A rule answers this.',
    unable: 'No rule covers this and there is no text to search. I say so.',
    schema: 'I fill in the JSON that was asked for.',
  },
};

/** The sentences of the engine in each language. */
export const replies: Readonly<Record<Language, Replies>> = { ko, en };
