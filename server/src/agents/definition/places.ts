import type { AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';

/** What a field of a node takes. */
export type Use = 'text' | 'value' | 'files' | 'items' | 'passages';

/** A field of a node that names results of others. */
export interface PlaceField {
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

const of = (field: string, text: string, use: Use = 'text', inside = false): PlaceField => ({
  field,
  text,
  use,
  inside,
});

/** Comparisons that have no right side. */
const ONE_SIDED = new Set(['empty', 'not_empty']);

const ofTests = (path: string, tests: readonly Comparison[], inside = false): PlaceField[] =>
  tests.flatMap(({ left, op, right }, index) => [
    of(`${path}.${index}.left`, left, 'value', inside),
    ...(ONE_SIDED.has(op) ? [] : [of(`${path}.${index}.right`, right, 'value', inside)]),
  ]);

/** All fields of a node in which results of other nodes are named. */
export function placeFields(node: AgentNodeForm): PlaceField[] {
  switch (node.kind) {
    case 'input':
      return [];
    case 'retrieve':
      return [of('query', node.query)];
    case 'model':
      return [
        of('system', node.system),
        of('prompt', node.prompt),
        ...node.passages.map((reference, index) => of(`passages.${index}`, reference, 'passages')),
      ];
    case 'tool':
      return Object.entries(node.arguments).map(([name, text]) => of(`arguments.${name}`, text, 'value'));
    case 'parse_document':
      return [of('files', node.files, 'files')];
    case 'mask_pii':
    case 'answer':
      return [of('text', node.text)];
    case 'condition':
      return node.cases.flatMap(({ tests }, index) => ofTests(`cases.${index}.tests`, tests));
    case 'parallel':
      return [of('items', node.items, 'items'), of('result', node.result, 'value', true)];
    case 'loop':
      return [
        ...node.variables.flatMap(({ first, next }, index) => [
          of(`variables.${index}.first`, first, 'value'),
          of(`variables.${index}.next`, next, 'value', true),
        ]),
        ...ofTests('until.tests', node.until.tests, true),
      ];
    case 'agent':
      return [of('message', node.message)];
    case 'ask':
      return [of('question', node.question)];
  }
}
