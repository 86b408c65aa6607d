import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { AgentTemplate } from '@ai-studio/contract/console/agents.ts';
import type { Language } from '@ai-studio/contract/console/session.ts';
import type { z } from 'zod';

// What people begin from, in their language. Models answer in that of the question.

/** What a starter is made with. */
export interface StarterChoice {
  readonly language: Language;
  readonly model: string;
  readonly collections: readonly string[];
}

type DefinitionInput = z.input<typeof AgentDefinition>;
type Node = DefinitionInput['nodes'][number];

/** What models are told. */
interface Texts {
  readonly assistant: string;
  readonly fromPassages: string;
  readonly document: string;
  readonly plan: string;
  readonly note: string;
  readonly report: string;
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    assistant:
      'You are a helpful assistant. Answer briefly and exactly, and say so when you do not know. Answer in the language of the question.',
    fromPassages:
      'You answer questions from the passages that you are given, and from nothing else. When they do not hold the answer, say so. Answer in the language of the question.',
    document:
      'You work with documents. Do what you are asked with the document below; without a question, summarise it: what it is, what it says, and what is to be done. Answer in the language of the question.',
    plan: 'Split the request into one to four questions that can be looked up one by one. Keep its language.',
    note: 'You answer one question from the passages that you are given, in a few sentences, and from nothing else. Answer in the language of the question.',
    report:
      'You write one answer to the request from the notes that you are given. Keep their numbers in brackets, such as [1]. Answer in the language of the question.',
  },
  ko: {
    assistant:
      '당신은 업무를 돕는 도우미입니다. 짧고 정확하게 답하고, 모르는 것은 모른다고 말하세요. 질문과 같은 언어로 답하세요.',
    fromPassages:
      '주어진 구절만 근거로 질문에 답하세요. 구절에 답이 없으면 없다고 말하세요. 질문과 같은 언어로 답하세요.',
    document:
      '문서를 다루는 도우미입니다. 아래 문서로 요청받은 일을 하세요. 질문이 없으면 어떤 문서인지, 무슨 내용인지, 무엇을 해야 하는지 요약하세요. 질문과 같은 언어로 답하세요.',
    plan: '요청을 하나씩 찾아볼 수 있는 질문 1개에서 4개로 나누세요. 요청과 같은 언어로 쓰세요.',
    note: '주어진 구절만 근거로 질문 하나에 몇 문장으로 답하세요. 질문과 같은 언어로 답하세요.',
    report:
      '주어진 메모를 바탕으로 요청에 대한 답 하나를 쓰세요. [1]처럼 괄호 안에 있는 번호는 그대로 두세요. 질문과 같은 언어로 답하세요.',
  },
};

/** A column's place in the picture. */
const at = (column: number, row = 0) => ({ x: 40 + Math.round(column * 300), y: 120 + row * 180 });
/** Edges along a line of nodes. */
const line = (...ids: string[]) => ids.slice(1).map((to, index) => ({ from: ids[index] ?? '', to }));

const input = (more: object = {}): Node => ({ kind: 'input', id: 'input', position: at(0), ...more });
const answer = (text: string, column: number, row = 0, id = 'answer'): Node => ({
  kind: 'answer',
  id,
  text,
  position: at(column, row),
});

const blank = (): DefinitionInput => ({
  schema: 1,
  nodes: [input(), answer('{{input.text}}', 1)],
  edges: line('input', 'answer'),
});

const plainAssistant = ({ model, language }: StarterChoice): DefinitionInput => ({
  schema: 1,
  nodes: [
    input(),
    {
      kind: 'model',
      id: 'write',
      model,
      system: texts[language].assistant,
      position: at(1),
    },
    answer('{{write.text}}', 2),
  ],
  edges: line('input', 'write', 'answer'),
});

const knowledgeAnswer = ({ model, collections, language }: StarterChoice): DefinitionInput => ({
  schema: 1,
  nodes: [
    input(),
    { kind: 'retrieve', id: 'search', collections: [...collections], position: at(1) },
    {
      kind: 'model',
      id: 'write',
      model,
      system: texts[language].fromPassages,
      passages: ['search.passages'],
      position: at(2),
    },
    answer('{{write.text}}', 3),
  ],
  edges: line('input', 'search', 'write', 'answer'),
});

const documentProcessing = ({ model, language }: StarterChoice): DefinitionInput => ({
  schema: 1,
  nodes: [
    input({ files: true }),
    { kind: 'parse_document', id: 'read', position: at(1) },
    {
      kind: 'condition',
      id: 'check',
      cases: [{ branch: 'found', tests: [{ left: '{{read.count}}', op: 'greater', right: '0' }] }],
      position: at(2),
    },
    {
      kind: 'model',
      id: 'write',
      model,
      system: texts[language].document,
      prompt: '{{input.text}}\n\n<document>\n{{read.text}}\n</document>',
      position: at(3),
    },
    answer('{{write.text}}', 4),
    answer('문서를 첨부해 주세요. Please attach a document.', 3, 1, 'missing'),
  ],
  edges: [
    ...line('input', 'read', 'check'),
    { from: 'check', to: 'write', branch: 'found' },
    { from: 'check', to: 'missing', branch: 'else' },
    ...line('write', 'answer'),
  ],
});

/** What the first step of `multi_step` gives. */
const questions = {
  type: 'object',
  properties: { questions: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 4 } },
  required: ['questions'],
  additionalProperties: false,
};

/** Column of what comes after `each`, which is nearly two columns wide. */
const AFTER_EACH = 4.15;

const multiStep = ({ model, collections, language }: StarterChoice): DefinitionInput => ({
  schema: 1,
  nodes: [
    input(),
    {
      kind: 'model',
      id: 'plan',
      model,
      system: texts[language].plan,
      schema: questions,
      position: at(1),
    },
    {
      kind: 'parallel',
      id: 'each',
      items: 'plan.json.questions',
      result: '{{item.value}}\n{{note.text}}',
      most: 4,
      position: at(2),
    },
    {
      kind: 'retrieve',
      id: 'search',
      parent: 'each',
      query: '{{item.value}}',
      collections: [...collections],
      position: { x: 20, y: 60 },
    },
    {
      kind: 'model',
      id: 'note',
      parent: 'each',
      model,
      system: texts[language].note,
      prompt: '{{item.value}}',
      history_turns: 0,
      passages: ['search.passages'],
      position: { x: 320, y: 60 },
    },
    {
      kind: 'model',
      id: 'write',
      model,
      system: texts[language].report,
      prompt: '{{input.text}}\n\n<notes>\n{{each.results}}\n</notes>',
      position: at(AFTER_EACH),
    },
    answer('{{write.text}}', AFTER_EACH + 1),
  ],
  edges: [...line('input', 'plan', 'each', 'write', 'answer'), ...line('search', 'note')],
});

const starters: Readonly<Record<AgentTemplate, (choice: StarterChoice) => DefinitionInput>> = {
  blank,
  plain_assistant: plainAssistant,
  knowledge_answer: knowledgeAnswer,
  document_processing: documentProcessing,
  multi_step: multiStep,
};

/** A definition to begin from. Without a model or collections it is left to be chosen. */
export const starter = (template: AgentTemplate, choice: StarterChoice): AgentDefinition =>
  AgentDefinition.parse(starters[template](choice));
