import type { AgentNodeForm, NodeKind, NodeOf } from '@ai-studio/contract/agents/definition.ts';
import type { AgentOptions } from '@ai-studio/contract/console/agents.ts';

/** Groups of kinds in the palette, with the colours of the theme that tell them apart. */
const groupColors = { talk: 'blue', think: 'grape', documents: 'teal', flow: 'orange' } as const;
type KindGroup = keyof typeof groupColors;

/** Of each kind, in the order of the palette: its group, and what ids of new nodes begin with (short, for they stand in texts). */
const kindTable: Readonly<Record<NodeKind, { readonly group: KindGroup; readonly idBase: string }>> = {
  input: { group: 'talk', idBase: 'input' },
  ask: { group: 'talk', idBase: 'ask' },
  answer: { group: 'talk', idBase: 'answer' },
  model: { group: 'think', idBase: 'model' },
  agent: { group: 'think', idBase: 'agent' },
  tool: { group: 'think', idBase: 'tool' },
  retrieve: { group: 'documents', idBase: 'search' },
  parse_document: { group: 'documents', idBase: 'document' },
  mask_pii: { group: 'documents', idBase: 'mask' },
  condition: { group: 'flow', idBase: 'condition' },
  parallel: { group: 'flow', idBase: 'each' },
  loop: { group: 'flow', idBase: 'repeat' },
};
const kinds = Object.keys(kindTable) as readonly NodeKind[];

/** Whether a text names a kind of node. */
export const isNodeKind = (text: string): text is NodeKind => Object.hasOwn(kindTable, text);

/** Colour of a kind. */
export const colorOf = (kind: NodeKind): string => groupColors[kindTable[kind].group];

/** Kinds of nodes as the palette groups them. */
export const paletteGroups = (Object.keys(groupColors) as readonly KindGroup[]).map((group) => ({
  group,
  kinds: kinds.filter((kind) => kindTable[kind].group === group),
}));

/** An id that no node has yet: `model`, `model_2` and so on. `item` and `loop` have a meaning of their own. */
export function freeId(taken: Iterable<string>, base: string): string {
  const used = new Set(taken);
  if (!used.has(base) && base !== 'item' && base !== 'loop') return base;
  const stem = base.replace(/_\d+$/, '').slice(0, 35);
  for (let number = 2; ; number += 1) if (!used.has(`${stem}_${number}`)) return `${stem}_${number}`;
}

/** A new node of a kind, with what there is to choose already chosen where there is one choice that suits. */
export function newNode(kind: NodeKind, taken: Iterable<string>, options: AgentOptions | null): AgentNodeForm {
  const head = { id: freeId(taken, kindTable[kind].idBase), name: '', position: { x: 0, y: 0 } };
  const collections = options?.collections.slice(0, 1).map(({ id }) => id) ?? [];
  switch (kind) {
    case 'input':
      return { ...head, kind, files: false, greeting: '', examples: [] };
    case 'retrieve':
      return { ...head, kind, query: '{{input.text}}', collections, top_k: 5 };
    case 'model':
      return newModel(head, options?.models[0]?.id ?? '');
    case 'tool':
      return { ...head, kind, tool: { kind: 'current_time' }, arguments: {} };
    case 'parse_document':
      return { ...head, kind, files: 'input.files' };
    case 'mask_pii':
      return { ...head, kind, text: '{{input.text}}' };
    case 'condition':
      return { ...head, kind, cases: [{ branch: 'yes', match: 'all', tests: [newTest()] }] };
    case 'parallel':
      return { ...head, kind, items: '', result: '', at_once: 4, most: 20 };
    case 'loop':
      return { ...head, kind, most: 5, variables: [], until: { match: 'all', tests: [] } };
    case 'agent':
      return { ...head, kind, agent: options?.agents[0]?.slug ?? '', message: '{{input.text}}' };
    case 'ask':
      return { ...head, kind, question: '' };
    case 'answer':
      return { ...head, kind, text: '', citations: true };
  }
}

const newModel = (head: Pick<AgentNodeForm, 'id' | 'name' | 'position'>, model: string): NodeOf<'model'> => ({
  ...head,
  kind: 'model',
  model,
  system: '',
  prompt: '{{input.text}}',
  history_turns: 10,
  passages: [],
  reasoning: 'default',
  tools: [],
  max_steps: 8,
});

/** A test that people fill in. */
export const newTest = () => ({ left: '{{input.text}}', op: 'contains', right: '' }) as const;
