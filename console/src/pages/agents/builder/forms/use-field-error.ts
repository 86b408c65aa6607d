import type { AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';
import { problemsAt } from '../model/problems.ts';
import { useNodeLabels } from '../use-node-labels.ts';

/** What is wrong with a field of a node, in words; undefined where nothing is. */
export function useFieldError(node: AgentNodeForm): (field: string) => string | undefined {
  const { i18n } = useTranslation();
  const { problems, options } = useBuilder();
  const words = useNodeLabels(options);
  return (field) => {
    const found = problemsAt(problems, node.id, field);
    if (found.length === 0) return undefined;
    return [
      ...new Set(
        // The service says in English just what is wrong.
        found.map((one) => (i18n.language === 'en' && one.message !== '' ? one.message : words.problem(one))),
      ),
    ].join(' ');
  };
}
