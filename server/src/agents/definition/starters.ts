import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import type { AgentTemplate } from '@ai-studio/contract/console/agents.ts';
import type { z } from 'zod';

// What people begin from. Models answer in the language of the question, whatever language these texts have.

/** What a starter is made with. */
export interface StarterChoice {
  readonly model: string;
  readonly collections: readonly string[];
}

type DefinitionInput = z.input<typeof AgentDefinition>;
type Node = DefinitionInput['nodes'][number];

const LANGUAGE = 'Answer in the language of the question.';

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

const plainAssistant = ({ model }: StarterChoice): DefinitionInput => ({
  schema: 1,
  nodes: [
    input(),
    {
      kind: 'model',
      id: 'write',
      model,
      system: `You are a helpful assistant. Answer briefly and exactly, and say so when you do not know. ${LANGUAGE}`,
      position: at(1),
    },
    answer('{{write.text}}', 2),
  ],
  edges: line('input', 'write', 'answer'),
});

const knowledgeAnswer = ({ model, collections }: StarterChoice): DefinitionInput => ({
  schema: 1,
  nodes: [
    input(),
    { kind: 'retrieve', id: 'search', collections: [...collections], position: at(1) },
    {
      kind: 'model',
      id: 'write',
      model,
      system: `You answer questions from the passages that you are given, and from nothing else. When they do not hold the answer, say so. ${LANGUAGE}`,
      passages: ['search.passages'],
      position: at(2),
    },
    answer('{{write.text}}', 3),
  ],
  edges: line('input', 'search', 'write', 'answer'),
});

const documentProcessing = ({ model }: StarterChoice): DefinitionInput => ({
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
      system: `You work with documents. Do what you are asked with the document below; without a question, summarise it: what it is, what it says, and what is to be done. ${LANGUAGE}`,
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

const multiStep = ({ model, collections }: StarterChoice): DefinitionInput => ({
  schema: 1,
  nodes: [
    input(),
    {
      kind: 'model',
      id: 'plan',
      model,
      system: 'Split the request into one to four questions that can be looked up one by one. Keep its language.',
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
      system: `You answer one question from the passages that you are given, in a few sentences, and from nothing else. ${LANGUAGE}`,
      prompt: '{{item.value}}',
      history_turns: 0,
      passages: ['search.passages'],
      position: { x: 320, y: 60 },
    },
    {
      kind: 'model',
      id: 'write',
      model,
      system: `You write one answer to the request from the notes that you are given. Keep their numbers in brackets, such as [1]. ${LANGUAGE}`,
      prompt: '{{input.text}}\n\n<notes>\n{{each.results}}\n</notes>',
      position: at(AFTER_EACH),
    },
    answer('{{write.text}}', AFTER_EACH + 1),
  ],
  edges: [...line('input', 'plan', 'each', 'write', 'answer'), ...line('search', 'note')],
});

const starters: Readonly<Record<AgentTemplate, (choice: StarterChoice) => DefinitionInput>> = {
  plain_assistant: plainAssistant,
  knowledge_answer: knowledgeAnswer,
  document_processing: documentProcessing,
  multi_step: multiStep,
};

/** A definition to begin from. Without a model or collections it is left to be chosen. */
export const starter = (template: AgentTemplate, choice: StarterChoice): AgentDefinition =>
  AgentDefinition.parse(starters[template](choice));
