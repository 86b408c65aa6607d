import type { AgentDefinition, AgentNodeForm, DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import { ancestorsOf, childrenOf, isContainer, nodeOf } from './graph.ts';
import { type Scope, referencesIn, resultsInScope } from './references.ts';

// Local validation, shown until the service has validated the definition. The service finds everything.

interface Field {
  /** Such as `cases.0.tests.1.left`. */
  readonly field: string;
  readonly names: readonly string[];
  readonly scope: Scope;
}

const field = (name: string, text: string, scope: Scope = 'before'): Field => ({
  field: name,
  names: referencesIn(text),
  scope,
});
const reference = (name: string, text: string): Field => ({
  field: name,
  names: text === '' ? [] : [text],
  scope: 'before',
});

const testFields = (
  path: string,
  tests: readonly { readonly left: string; readonly right: string }[],
  scope: Scope = 'before',
) =>
  tests.flatMap(({ left, right }, at) => [
    field(`${path}.${at}.left`, left, scope),
    field(`${path}.${at}.right`, right, scope),
  ]);

/** Fields of a node that name results of others. */
function fieldsOf(node: AgentNodeForm): readonly Field[] {
  switch (node.kind) {
    case 'input':
      return [];
    case 'retrieve':
      return [field('query', node.query)];
    case 'model':
      return [
        field('system', node.system),
        field('prompt', node.prompt),
        ...node.passages.map((one, at) => reference(`passages.${at}`, one)),
      ];
    case 'tool':
      return Object.entries(node.arguments).map(([name, text]) => field(`arguments.${name}`, text));
    case 'parse_document':
      return [reference('files', node.files)];
    case 'mask_pii':
    case 'answer':
      return [field('text', node.text)];
    case 'condition':
      return node.cases.flatMap(({ tests }, at) => testFields(`cases.${at}.tests`, tests));
    case 'parallel':
      return [reference('items', node.items), field('result', node.result, 'inside')];
    case 'loop':
      return [
        ...node.variables.flatMap(({ first, next }, at) => [
          field(`variables.${at}.first`, first),
          field(`variables.${at}.next`, next, 'inside'),
        ]),
        ...testFields('until.tests', node.until.tests, 'inside'),
      ];
    case 'agent':
      return [field('message', node.message)];
    case 'ask':
      return [field('question', node.question)];
  }
}

type Fault = Pick<DefinitionProblem, 'code' | 'field' | 'message'>;

function missingChoices(node: AgentNodeForm): readonly Fault[] {
  const fault = (code: DefinitionProblem['code'], name: string): Fault => ({ code, field: name, message: '' });
  if (node.kind === 'model' && node.model === '') return [fault('unknown_model', 'model')];
  if (node.kind === 'retrieve' && node.collections.length === 0) return [fault('unknown_collection', 'collections')];
  if (node.kind === 'agent' && node.agent === '') return [fault('unknown_agent', 'agent')];
  if (node.kind === 'parallel' && node.items === '') return [fault('bad_template', 'items')];
  if (node.kind === 'tool' && node.tool.kind === 'server' && node.tool.server === '')
    return [fault('unknown_server', 'tool.server')];
  return [];
}

/** Names of results that this node cannot know. */
function unresolvedReferences(definition: AgentDefinition, node: AgentNodeForm): readonly Fault[] {
  const known = new Map<Scope, ReadonlySet<string>>();
  const nodesKnown = (scope: Scope) => {
    const found = known.get(scope) ?? new Set(resultsInScope(definition, node.id, scope).map((result) => result.node));
    known.set(scope, found);
    return found;
  };
  return fieldsOf(node).flatMap(({ field: name, names, scope }) =>
    names.flatMap((one): Fault[] => {
      const [first = ''] = one.split('.');
      if (nodesKnown(scope).has(first)) return [];
      const code = nodeOf(definition, first) === undefined ? 'unknown_node' : 'not_before';
      return [{ code, field: name, message: one }];
    }),
  );
}

function placementFaults(definition: AgentDefinition, node: AgentNodeForm): readonly Fault[] {
  const fault = (code: DefinitionProblem['code']): Fault => ({ code, field: null, message: '' });
  if (isContainer(node) && childrenOf(definition, node.id).length === 0) return [fault('empty_container')];
  if (node.kind === 'input' || node.parent !== undefined) return [];
  const reached = ancestorsOf(definition, node.id).some((id) => nodeOf(definition, id)?.kind === 'input');
  return reached ? [] : [fault('unreachable')];
}

/** Problems that are found without the service. */
export function localProblems(definition: AgentDefinition): readonly DefinitionProblem[] {
  const whole = (code: DefinitionProblem['code']): DefinitionProblem => ({
    severity: 'error',
    code,
    message: '',
    node: null,
    field: null,
  });
  const kinds = new Set(definition.nodes.map(({ kind }) => kind));
  return [
    ...(kinds.has('input') ? [] : [whole('no_input')]),
    ...(kinds.has('answer') ? [] : [whole('no_answer')]),
    ...definition.nodes.flatMap((node) =>
      [...placementFaults(definition, node), ...missingChoices(node), ...unresolvedReferences(definition, node)].map(
        (fault): DefinitionProblem => ({ severity: 'error', node: node.id, ...fault }),
      ),
    ),
  ];
}

/** Problems of a field, or of a part of it. */
export const problemsAt = (
  problems: readonly DefinitionProblem[],
  node: string,
  name: string,
): readonly DefinitionProblem[] =>
  problems.filter(
    ({ node: one, field: at }) => one === node && at !== null && (at === name || at.startsWith(`${name}.`)),
  );
