import type { AgentNodeForm, AnswerPart } from '@ai-studio/contract/agents/definition.ts';

/** What a field of a node takes. */
export type Use = 'text' | 'value' | 'data' | 'files' | 'items' | 'passages';

/** A field of a node that names results of others. */
export interface TemplateField {
  /** Such as `cases.0.tests.1.left`. */
  readonly field: string;
  readonly text: string;
  /** `text` and `value` are templates, the others single references. */
  readonly use: Use;
  /** Whether it is filled within the container that the node is, after the nodes in it. */
  readonly inside: boolean;
}

interface Comparison {
  readonly left: string;
  readonly op: string;
  readonly right: string;
}

const templateField = (field: string, text: string, use: Use = 'text', inside = false): TemplateField => ({
  field,
  text,
  use,
  inside,
});

/** Comparisons that have no right side. */
const ONE_SIDED = new Set(['empty', 'not_empty']);

const testFields = (path: string, tests: readonly Comparison[], inside = false): TemplateField[] =>
  tests.flatMap(({ left, op, right }, index) => [
    templateField(`${path}.${index}.left`, left, 'value', inside),
    ...(ONE_SIDED.has(op) ? [] : [templateField(`${path}.${index}.right`, right, 'value', inside)]),
  ]);

function partFields(part: AnswerPart, index: number): TemplateField[] {
  switch (part.kind) {
    case 'data':
      return [templateField(`parts.${index}.value`, part.value, 'data')];
    case 'files':
      return [templateField(`parts.${index}.files`, part.files, 'files')];
    case 'document':
      return [
        templateField(`parts.${index}.name`, part.name),
        templateField(`parts.${index}.content`, part.content, 'value'),
      ];
  }
}

/** All fields of a node in which results of other nodes are named. */
export function templateFields(node: AgentNodeForm): TemplateField[] {
  switch (node.kind) {
    case 'input':
      return [];
    case 'retrieve':
      return [templateField('query', node.query)];
    case 'model':
      return [
        templateField('system', node.system),
        templateField('prompt', node.prompt),
        ...node.passages.map((reference, index) => templateField(`passages.${index}`, reference, 'passages')),
        ...(node.files ?? []).map((reference, index) => templateField(`files.${index}`, reference, 'files')),
      ];
    case 'tool':
      return Object.entries(node.arguments).map(([name, text]) => templateField(`arguments.${name}`, text, 'value'));
    case 'parse_document':
      return [templateField('files', node.files, 'files')];
    case 'mask_pii':
      return [templateField('text', node.text)];
    case 'answer':
      return [templateField('text', node.text), ...(node.parts ?? []).flatMap(partFields)];
    case 'condition':
      return node.cases.flatMap(({ tests }, index) => testFields(`cases.${index}.tests`, tests));
    case 'parallel':
      return [templateField('items', node.items, 'items'), templateField('result', node.result, 'value', true)];
    case 'loop':
      return [
        ...node.variables.flatMap(({ first, next }, index) => [
          templateField(`variables.${index}.first`, first, 'value'),
          templateField(`variables.${index}.next`, next, 'value', true),
        ]),
        ...testFields('until.tests', node.until.tests, true),
      ];
    case 'agent':
      return [templateField('message', node.message)];
    case 'ask':
      return [templateField('question', node.question)];
  }
}
