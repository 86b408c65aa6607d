import type { DefinitionProblem, NodeKind } from '@ai-studio/contract/agents/definition.ts';
import { useTranslation } from 'react-i18next';
import { useLaterWords } from '../../i18n/use-later-words.ts';

/** Words about nodes in the language of the page; until they are here, what the service calls them. */
export function useKindWords() {
  const spoken = useLaterWords('agentBuilder');
  const { t } = useTranslation('agentBuilder');
  return {
    kind: (kind: string): string => (spoken ? t(`kinds.${kind as NodeKind}`) : kind),
    problem: ({ code, message }: Pick<DefinitionProblem, 'code' | 'message'>): string =>
      spoken ? t(`problems.${code}`) : message,
  };
}
