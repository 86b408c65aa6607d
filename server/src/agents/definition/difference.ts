import type { AgentDefinition, AgentEdge } from '@ai-studio/contract/agents/definition.ts';
import type { DefinitionDifference } from '@ai-studio/contract/console/agents.ts';
import { edgeKey } from './graph.ts';
import { canonicalJson, withoutPositions } from './hash.ts';

type Change = DefinitionDifference['changes'][number];
type Fields = Readonly<Record<string, unknown>>;

const same = (one: unknown, other: unknown) => canonicalJson(one ?? null) === canonicalJson(other ?? null);
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is other in `after`, field by field: nodes in the order of the newer definition, then edges, then limits. */
export function difference(before: AgentDefinition, after: AgentDefinition): DefinitionDifference {
  const [old, now] = [withoutPositions(before), withoutPositions(after)];
  return {
    changes: [
      ...nodeChanges(old.nodes, now.nodes),
      ...edgeChanges(old.edges, now.edges),
      ...fieldChanges(old.limits, now.limits).map((change): Change => ({
        what: 'limits',
        change: 'changed',
        name: 'limits',
        kind: null,
        ...change,
      })),
    ],
  };
}

interface Node extends Fields {
  readonly id: string;
  readonly kind: string;
}

function* nodeChanges(before: readonly Node[], after: readonly Node[]): Generator<Change> {
  // A node of another kind is another node, whatever its id.
  const key = ({ id, kind }: Node) => `${id} ${kind}`;
  const old = new Map(before.map((node) => [key(node), node]));
  const now = new Map(after.map((node) => [key(node), node]));
  for (const node of before)
    if (!now.has(key(node))) yield { ...whole('node', node.id, node.kind), change: 'removed', before: node };
  for (const node of after) {
    const was = old.get(key(node));
    if (was === undefined) yield { ...whole('node', node.id, node.kind), change: 'added', after: node };
    else
      for (const change of fieldChanges(was, node))
        yield { what: 'node', change: 'changed', name: node.id, kind: node.kind, ...change };
  }
}

const whole = (what: Change['what'], name: string, kind: string | null) => ({
  what,
  name,
  kind,
  path: null,
  before: null as unknown,
  after: null as unknown,
});

function* edgeChanges(before: readonly AgentEdge[], after: readonly AgentEdge[]): Generator<Change> {
  const old = new Set(before.map(edgeKey));
  const now = new Set(after.map(edgeKey));
  const name = ({ from, to }: AgentEdge) => `${from} → ${to}`;
  for (const edge of before)
    if (!now.has(edgeKey(edge))) yield { ...whole('edge', name(edge), null), change: 'removed', before: edge };
  for (const edge of after)
    if (!old.has(edgeKey(edge))) yield { ...whole('edge', name(edge), null), change: 'added', after: edge };
}

/** Fields that differ, also within objects; a list is one field. What is not there is null. */
function fieldChanges(before: Fields, after: Fields, path = ''): Pick<Change, 'path' | 'before' | 'after'>[] {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...names].flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (same(was, is)) return [];
    const field = path === '' ? name : `${path}.${name}`;
    if (isFields(was) && isFields(is)) return fieldChanges(was, is, field);
    return [{ path: field, before: was ?? null, after: is ?? null }];
  });
}
