import type {
  AgentDefinition,
  AgentEdge,
  AgentNodeForm,
  DefinitionProblem,
  ToolChoice,
} from '@ai-studio/contract/agents/definition.ts';
import type { AgentOptions } from '@ai-studio/contract/console/agents.ts';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { nodeOf } from './model/graph.ts';

const STRAIGHT = /\s+/g;
const short = (text: string) => text.replaceAll(STRAIGHT, ' ').trim().slice(0, 120);

/** Words about nodes in the language of the page. */
export function useNodeLabels(options: AgentOptions | null) {
  const { t } = useTranslation('agentBuilder');
  return useMemo(() => {
    const tool = (choice: ToolChoice): string => {
      if (choice.kind !== 'server') return t(`tools.${choice.kind}`);
      const server = options?.servers.find(({ id }) => id === choice.server);
      const name = server?.name ?? t('none_chosen');
      return choice.tools.length === 1 ? `${name}: ${choice.tools[0] ?? ''}` : name;
    };
    const collections = (ids: readonly string[]) =>
      ids.map((id) => options?.collections.find((one) => one.id === id)?.name ?? id.slice(0, 8)).join(', ') ||
      t('none_chosen');
    /** What a node does, in half a line. */
    const summary = (node: AgentNodeForm): string => {
      switch (node.kind) {
        case 'input':
          return node.files ? t('takes_files') : t('takes_text');
        case 'retrieve':
          return collections(node.collections);
        case 'model':
          return node.model || t('none_chosen');
        case 'tool':
          return tool(node.tool);
        case 'parse_document':
          return node.files;
        case 'mask_pii':
        case 'answer':
          return short(node.text) || t('empty');
        case 'condition':
          return t('cases_of', { count: node.cases.length });
        case 'parallel':
          return node.items === '' ? t('none_chosen') : t('each_of', { items: node.items });
        case 'loop':
          return t('at_most', { count: node.most });
        case 'agent':
          return options?.agents.find(({ slug }) => slug === node.agent)?.name ?? (node.agent || t('none_chosen'));
        case 'ask':
          return short(node.question) || t('empty');
      }
    };
    const name = (node: AgentNodeForm) => node.name || t(`kinds.${node.kind}`);
    const nameIn = (definition: AgentDefinition, id: string) => {
      const node = nodeOf(definition, id);
      return node === undefined ? id : name(node);
    };
    return {
      /** What it is called: the name that people gave it, else its kind. */
      name,
      /** What the node of an id is called; the id where there is none. */
      nameIn,
      edge(definition: AgentDefinition, { from, to, branch }: AgentEdge) {
        const ends = { from: nameIn(definition, from), to: nameIn(definition, to) };
        return branch === undefined ? t('edge_label', ends) : t('edge_label_branch', { ...ends, branch });
      },
      summary,
      tool,
      problem: ({ code }: Pick<DefinitionProblem, 'code'>) => t(`problems.${code}`),
    };
  }, [t, options]);
}
