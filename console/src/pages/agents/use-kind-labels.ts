import type { DefinitionProblem, NodeKind } from '@ai-studio/contract/agents/definition.ts';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';

/** Fields that are called otherwise in the words of the builder; by kind where kinds differ. */
const fieldWords: Readonly<Record<string, string>> = {
  'answer.text': 'answer_text',
  'mask_pii.text': 'mask_text',
  'parse_document.files': 'parse_files',
  'model.files': 'model_files',
  'loop.most': 'most_times',
  'parallel.most': 'most_items',
};

/** Words about nodes in the language of the page; until they are here, what the service calls them. */
export function useKindLabels() {
  const messagesLoaded = useLazyNamespace('agentBuilder');
  const { t, i18n } = useTranslation('agentBuilder');
  return {
    kind: (kind: string): string => (messagesLoaded ? t(`kinds.${kind as NodeKind}`) : kind),
    /** What a field of a node is called, given as its path; the path where it has no word. */
    field(kind: string | null, path: string): string {
      const [first = path, ...rest] = path.split('.');
      const key = fieldWords[`${kind ?? ''}.${first}`] ?? first;
      if (first === 'name') return messagesLoaded ? t('node_name') : path;
      if (!messagesLoaded || !i18n.exists(`agentBuilder:fields.${key}`)) return path;
      return [t(`fields.${key as 'files'}`), ...rest].join(' · ');
    },
    problem: ({ code, message }: Pick<DefinitionProblem, 'code' | 'message'>): string =>
      messagesLoaded ? t(`problems.${code}`) : message,
  };
}
