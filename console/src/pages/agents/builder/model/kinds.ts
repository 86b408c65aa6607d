import type { AgentNodeForm, NodeKind, NodeOf } from '@ai-studio/contract/agents/definition.ts';
import type { AgentOptions } from '@ai-studio/contract/console/agents.ts';

/** Kinds of nodes as the palette groups them. */
export const paletteGroups = [
  { group: 'talk', kinds: ['input', 'ask', 'answer'] },
  { group: 'think', kinds: ['model', 'agent', 'tool'] },
  { group: 'documents', kinds: ['retrieve', 'parse_document', 'mask_pii'] },
  { group: 'flow', kinds: ['condition', 'parallel', 'loop'] },
] as const satisfies readonly { readonly group: string; readonly kinds: readonly NodeKind[] }[];

/** Colours of the theme that tell groups of kinds apart. */
export const colorOf: Readonly<Record<NodeKind, string>> = {
  input: 'blue',
  ask: 'blue',
  answer: 'blue',
  model: 'grape',
  agent: 'grape',
  tool: 'grape',
  retrieve: 'teal',
  parse_document: 'teal',
  mask_pii: 'teal',
  condition: 'orange',
  parallel: 'orange',
  loop: 'orange',
};

/** What ids of new nodes begin with: short, for they stand in texts. */
const idBase: Readonly<Record<NodeKind, string>> = {
  input: 'input',
  retrieve: 'search',
  model: 'model',
  tool: 'tool',
  parse_document: 'document',
  mask_pii: 'mask',
  condition: 'condition',
  parallel: 'each',
  loop: 'repeat',
  agent: 'agent',
  ask: 'ask',
  answer: 'answer',
};

/** An id that no node has yet: `model`, `model_2` and so on. `item` and `loop` have a meaning of their own. */
export function freeId(taken: Iterable<string>, base: string): string {
  const used = new Set(taken);
  if (!used.has(base) && base !== 'item' && base !== 'loop') return base;
  const stem = base.replace(/_\d+$/, '').slice(0, 35);
  for (let number = 2; ; number += 1) if (!used.has(`${stem}_${number}`)) return `${stem}_${number}`;
}

/** A new node of a kind, with what there is to choose already chosen where there is one choice that suits. */
export function newNode(kind: NodeKind, taken: Iterable<string>, options: AgentOptions | null): AgentNodeForm {
  const head = { id: freeId(taken, idBase[kind]), name: '', position: { x: 0, y: 0 } };
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
