import {
  type AgentDefinition,
  type AgentNodeForm,
  type AnswerPart,
  type ResultType,
  nodeResultTypes,
  resultNameLetters,
} from '@ai-studio/contract/agents/definition.ts';
import { ancestorsOf, containersOf, nodeOf, descendantsOf } from './graph.ts';

/** A result that a text may name. */
export interface Result {
  /** Of the node; `item` and `loop` inside of containers. */
  readonly node: string;
  /** As it stands between the braces. */
  readonly reference: string;
  readonly type: ResultType;
}

/** Whether a field is worked out before the nodes of its container run, or after a time of them. */
export type Scope = 'before' | 'inside';

const RESULT_NAME = new RegExp(`^[${resultNameLetters}]{1,100}$`);

/** Names of the parts of an object that a schema tells of. */
function schemaProperties(schema: Readonly<Record<string, unknown>> | undefined): readonly [string, ResultType][] {
  const properties = schema?.['properties'];
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties as Readonly<Record<string, { type?: unknown } | undefined>>)
    .filter(([name]) => RESULT_NAME.test(name))
    .map(([name, value]) => [name, typeOf(value?.type)]);
}

const typeOf = (type: unknown): ResultType => {
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return 'list';
  return type === 'object' ? 'json' : 'any';
};

/** What a node gives. */
export function resultsOfNode(node: AgentNodeForm): readonly Result[] {
  const own = Object.entries(nodeResultTypes[node.kind])
    // Without a schema a model gives no data.
    .filter(([name]) => node.kind !== 'model' || name !== 'json' || node.schema !== undefined)
    .map(([name, type]): [string, ResultType] => [name, type]);
  const more: [string, ResultType][] = [];
  if (node.kind === 'model')
    for (const [name, type] of schemaProperties(node.schema)) more.push([`json.${name}`, type]);
  if (node.kind === 'loop') for (const { name } of node.variables) more.push([name, 'text']);
  return [...own, ...more].map(([name, type]) => ({ node: node.id, reference: `${node.id}.${name}`, type }));
}

/** What nodes inside of a container have of it. */
function containerVariables(container: AgentNodeForm): readonly Result[] {
  const named = (node: string, results: readonly (readonly [string, ResultType])[]) =>
    results.map(([name, type]) => ({ node, reference: `${node}.${name}`, type }));
  if (container.kind === 'parallel')
    return named('item', [
      ['value', 'any'],
      ['index', 'number'],
    ]);
  if (container.kind === 'loop')
    return named('loop', [['index', 'number'], ...container.variables.map(({ name }) => [name, 'text'] as const)]);
  return [];
}

/** Results that a text of this node may name, the nearest first. */
export function resultsInScope(definition: AgentDefinition, id: string, scope: Scope = 'before'): readonly Result[] {
  const around = scope === 'inside' ? [id, ...containersOf(definition, id)] : containersOf(definition, id);
  const inside =
    scope === 'inside'
      ? [...descendantsOf(definition, new Set([id]))].filter((one) => isDirectChild(definition, one, id))
      : [];
  const before = [...new Set([id, ...around].flatMap((one) => ancestorsOf(definition, one)))];
  const own: Result[] = [];
  for (const kind of ['parallel', 'loop']) {
    const nearest = around.map((one) => nodeOf(definition, one)).find((node) => node?.kind === kind);
    if (nearest !== undefined) own.push(...containerVariables(nearest));
  }
  const resultsOfAll = (ids: readonly string[]) =>
    ids.flatMap((one) => {
      const node = nodeOf(definition, one);
      return node === undefined ? [] : resultsOfNode(node);
    });
  return [...resultsOfAll(inside), ...own, ...resultsOfAll(before)];
}

/** Whether a node is a direct child of a container: results of deeper nodes are not visible outside of theirs. */
const isDirectChild = (definition: AgentDefinition, id: string, container: string) =>
  nodeOf(definition, id)?.parent === container;

/** Whether a result fits where one of this type is wanted. */
export const isAssignable = ({ type }: Result, wanted: readonly ResultType[]): boolean =>
  type === 'any' || type === 'json' || wanted.includes('any') || wanted.includes(type);

/** What a text names between its braces. `\{{` is none. */
export const referencesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<!\\)\{\{\s*([^{}]*?)\s*\}\}/g)].map(([, reference = '']) => reference);

type Json = unknown;
function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one: Json) => mapTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]: [string, Json]) => [key, mapTexts(one, change)]));
}

/** A part of an answer whose references name results by new ids; its texts have them already. */
function withRenamedPart(part: AnswerPart, rename: (reference: string) => string): AnswerPart {
  if (part.kind === 'data') return { ...part, value: rename(part.value) };
  return part.kind === 'files' ? { ...part, files: rename(part.files) } : part;
}

/** A node whose texts name results by new ids. Ids that the map does not have stay. */
export function withRenamedReferences(node: AgentNodeForm, ids: ReadonlyMap<string, string>): AgentNodeForm {
  if (ids.size === 0) return node;
  const first = (reference: string) =>
    reference.replace(/^[a-z][a-z0-9_]*(?=\.)/, (name: string) => ids.get(name) ?? name);
  const inText = (text: string) =>
    text.replaceAll(/(?<!\\)(\{\{\s*)([^{}]*?)(\s*\}\})/g, (_whole, open: string, reference: string, close: string) => {
      return open + first(reference) + close;
    });
  const { id, name, position, ...fields } = node;
  const changed = { ...(mapTexts(fields, inText) as typeof fields), id, name, position };
  if (changed.kind === 'model')
    return {
      ...changed,
      passages: changed.passages.map(first),
      ...(changed.files === undefined ? {} : { files: changed.files.map(first) }),
    };
  if (changed.kind === 'answer' && changed.parts !== undefined)
    return { ...changed, parts: changed.parts.map((part) => withRenamedPart(part, first)) };
  if (changed.kind === 'parse_document') return { ...changed, files: first(changed.files) };
  return changed.kind === 'parallel' ? { ...changed, items: first(changed.items) } : changed;
}
