/** What this engine says of itself and of what it cannot do, in both languages. */
export const replies = {
  ko: {
    greeting: '안녕하세요! AI Studio에 내장된 기본 엔진입니다. 무엇을 도와드릴까요?',
    thanks: '도움이 되었다니 다행입니다.',
    identity:
      '저는 AI Studio의 내장 엔진(builtin)입니다. 언어 모델이 아니라 작은 규칙 기반 엔진이며, 주어진 문서에서 답 찾기, 계산, 도구 호출 인자 채우기, 간단한 텍스트 처리를 할 수 있습니다.',
    unable:
      '저는 언어 모델이 없는 내장 엔진이라 이 질문에는 답할 수 없습니다. 문서를 함께 주시면 그 안에서 답을 찾아 드립니다. 제대로 된 답을 받으려면 운영자가 모델 서버를 연결하거나 모델을 내려받아야 합니다.',
    missing: '주어진 문서에서 질문에 대한 답을 찾을 수 없습니다.',
    images: '내장 엔진은 이미지를 볼 수 없습니다. 이미지를 이해하는 모델을 연결해 주세요.',
    translate: '내장 엔진은 번역할 수 없습니다. 번역 모델을 연결해 주세요.',
    result: '결과는 다음과 같습니다.',
    said: '이렇게 말씀하셨습니다:',
    thinking: { asked: '질문을 살펴봅니다:', context: '주어진 글에서 관련된 문장을 찾습니다.', found: '찾은 문장', none: '관련된 문장이 없습니다.', compute: '계산합니다:', tool: '도구를 사용합니다:', answer: '이제 답합니다.' },
  },
  en: {
    greeting: 'Hello! I am the engine built into AI Studio. How can I help?',
    thanks: 'You are welcome.',
    identity:
      "I am AI Studio's built-in engine (builtin). I am not a language model but a small engine of rules: I find answers in documents that I am given, calculate, fill in tool calls and do simple things with text.",
    unable:
      'I am the built-in engine without a language model, so I cannot answer this. Give me a document and I will look for the answer in it. For real answers an operator has to connect a model server or download a model.',
    missing: 'The documents that I was given do not hold an answer to this question.',
    images: 'The built-in engine cannot see images. Connect a model that can.',
    translate: 'The built-in engine cannot translate. Connect a translation model.',
    result: 'Here is the result.',
    said: 'You said:',
    thinking: { asked: 'Looking at the question:', context: 'Searching the given text for sentences about it.', found: 'Found', none: 'No sentence is about it.', compute: 'Calculating:', tool: 'Using a tool:', answer: 'Now the answer.' },
  },
} as const;
export type Language = keyof typeof replies;
