import {
  type AgentNodeForm,
  type DefinitionProblem,
  type ResultType,
  nodeResultTypes,
} from '@ai-studio/contract/agents/definition.ts';
import type { Graph } from '../graph.ts';
import { type TemplateField, templateFields, type Use } from '../template-fields.ts';
import { parseReference, parseTemplate, type Placeholder } from '../template-text.ts';
import { problem, type ProblemCode } from './problem.ts';

/** Types that have parts. */
const OPEN_TYPES: ReadonlySet<ResultType> = new Set(['json', 'list', 'any', 'files', 'passages']);

/** What each use takes. Everything but files goes into a text. */
const acceptedTypes: Readonly<Record<Use, ReadonlySet<ResultType>>> = {
  text: new Set(['text', 'number', 'boolean', 'json', 'list', 'passages', 'any']),
  value: new Set(['text', 'number', 'boolean', 'json', 'list', 'files', 'passages', 'any']),
  data: new Set(['text', 'number', 'boolean', 'json', 'list', 'passages', 'any']),
  files: new Set(['files', 'list', 'any']),
  items: new Set(['json', 'list', 'files', 'passages', 'any']),
  passages: new Set(['passages', 'any']),
};
const needed: Readonly<Record<Use, string>> = {
  text: 'text',
  value: 'a value',
  data: 'data',
  files: 'files',
  items: 'a list',
  passages: 'passages',
};

/** A type, or why there is none. */
type Found = { readonly type: ResultType } | { readonly code: ProblemCode; readonly message: string };

/** As many of one field as anybody reads. */
const MAX_OF_FIELD = 10;

/** Whether each name of a result is one of a node that runs before, and of a type that goes there. */
export function* referenceProblems(graph: Graph): Generator<DefinitionProblem> {
  for (const node of graph.nodes.values()) {
    const before = graph.before(node.id);
    for (const field of templateFields(node)) yield* fieldProblems(graph, node, field, before);
  }
}

function* fieldProblems(
  graph: Graph,
  node: AgentNodeForm,
  field: TemplateField,
  before: ReadonlySet<string>,
): Generator<DefinitionProblem> {
  const at = { node: node.id, field: field.field };
  const placeholders = placeholdersIn(field);
  if (typeof placeholders === 'string') return yield problem('bad_template', placeholders, at);
  const use = useOf(field, placeholders);
  let reported = 0;
  for (const placeholder of placeholders) {
    const found = typeOf(graph, node, field, placeholder, before);
    if ('type' in found && acceptedTypes[use].has(found.type)) continue;
    yield 'type' in found
      ? problem('wrong_type', wrongType(placeholder, found.type, use), at)
      : problem(found.code, found.message, at);
    reported += 1;
    if (reported === MAX_OF_FIELD) return;
  }
}

const wrongType = ({ reference }: Placeholder, type: ResultType, use: Use) =>
  `${reference} gives ${type === 'number' || type === 'boolean' ? `a ${type}` : type}, where ${needed[use]} is needed`;

/** Its placeholders, or what is wrong with the template. */
function placeholdersIn({ text, use }: TemplateField): readonly Placeholder[] | string {
  if (use === 'text' || use === 'value') {
    const { placeholders, problem: wrong } = parseTemplate(text);
    return wrong?.message ?? placeholders;
  }
  const placeholder = parseReference(text);
  return placeholder === null ? 'Name a result of a node before this one' : [placeholder];
}

/** Where a value has text beside it, it becomes a part of that text. */
const useOf = ({ use, text }: TemplateField, placeholders: readonly Placeholder[]): Use =>
  use === 'value' && !(placeholders.length === 1 && /^\s*\{\{[^{}]*\}\}\s*$/.test(text)) ? 'text' : use;

function typeOf(
  graph: Graph,
  node: AgentNodeForm,
  { inside }: TemplateField,
  placeholder: Placeholder,
  before: ReadonlySet<string>,
): Found {
  const { node: name, reference } = placeholder;
  if (name === 'item' || name === 'loop') return insideOf(graph, node, inside, placeholder);
  const source = graph.nodes.get(name);
  if (source === undefined)
    return { code: 'unknown_node', message: `${reference} names a node that is not there: ${name}` };
  const parent = source.parent ?? null;
  const known = before.has(name) || (inside && parent === node.id);
  if (!known) return { code: 'not_before', message: `${reference} names a node that does not run before this one` };
  const results: Readonly<Record<string, ResultType>> =
    source.kind === 'loop' ? { ...variablesOf(source), ...nodeResultTypes.loop } : nodeResultTypes[source.kind];
  return partOf(results, placeholder);
}

const variablesOf = ({ variables }: Extract<AgentNodeForm, { kind: 'loop' }>): Record<string, ResultType> =>
  Object.fromEntries(variables.map(({ name }) => [name, 'any']));

/** `item` and `loop`: of the nearest container of their kind. */
function insideOf(graph: Graph, node: AgentNodeForm, inside: boolean, placeholder: Placeholder): Found {
  const kind = placeholder.node === 'item' ? 'parallel' : 'loop';
  const id = inside && node.kind === kind ? node.id : graph.nearest(node.id, kind);
  const container = id === null ? undefined : graph.nodes.get(id);
  if (container?.kind === 'parallel')
    return partOf({ value: itemType(graph, container.items), index: 'number' }, placeholder);
  if (container?.kind === 'loop') return partOf({ ...variablesOf(container), index: 'number' }, placeholder);
  return { code: 'unknown_node', message: `${placeholder.reference} is known only inside of a ${kind} node` };
}

/** Of the items of a list. */
function itemType(graph: Graph, reference: string): ResultType {
  const placeholder = parseReference(reference);
  const source = placeholder === null ? undefined : graph.nodes.get(placeholder.node);
  if (placeholder === null || source === undefined || placeholder.keys.length > 1) return 'any';
  const results: Readonly<Record<string, ResultType>> = nodeResultTypes[source.kind];
  return results[placeholder.keys[0] ?? ''] === 'files' ? 'files' : 'any';
}

function partOf(results: Readonly<Record<string, ResultType>>, { keys, reference }: Placeholder): Found {
  const [first = '', ...deeper] = keys;
  const type = Object.hasOwn(results, first) ? results[first] : undefined;
  if (type === undefined) {
    const names = Object.keys(results).join(', ');
    return { code: 'unknown_result', message: `${reference} is no result; there are ${names}` };
  }
  if (deeper.length === 0) return { type };
  if (OPEN_TYPES.has(type)) return { type: 'any' };
  return { code: 'unknown_result', message: `${reference} goes into a ${type}, which has no parts` };
}
