import type { Language } from '@ai-studio/contract/console/session.ts';

/** What the sample is called, and what it can be asked. */
interface SampleWords {
  readonly collection: string;
  readonly collectionHint: string;
  readonly agent: string;
  readonly agentHint: string;
  readonly greeting: string;
  readonly examples: readonly string[];
}

export const sampleWords: Readonly<Record<Language, SampleWords>> = {
  ko: {
    collection: '예시 자료',
    collectionHint: '시험해 보려고 만든 짧은 한국어·영어 문서입니다.',
    agent: '예시 안내 도우미',
    agentHint: '예시 자료에서 찾아 답하고 출처를 보여 줍니다.',
    greeting: '휴가, 출장 여비, 새 직원 안내에 대해 물어보세요.',
    examples: [
      '본인이 결혼하면 휴가가 며칠인가요?',
      '서울 출장의 숙박비 상한은 얼마인가요?',
      '병가는 1년에 며칠까지 쓸 수 있나요?',
    ],
  },
  en: {
    collection: 'Sample documents',
    collectionHint: 'Short documents in Korean and English, made to try things with.',
    agent: 'Sample guide',
    agentHint: 'Answers from the sample documents, with sources.',
    greeting: 'Ask about leave, travel expenses, or how new colleagues begin.',
    examples: [
      'How many days a week may I work from home?',
      'How soon must a lost laptop be reported?',
      'How much is there a year for courses?',
    ],
  },
};
