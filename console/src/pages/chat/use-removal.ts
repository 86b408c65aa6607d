import type { ConversationSummary } from '@ai-studio/contract/console/conversations.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { forEachConcurrently } from '../../api/for-each-concurrently.ts';
import { useRemovals } from '../../parts/undo/use-removals.tsx';
import { deleteConversation } from './conversations.ts';

/** Deletes conversations, which can be taken back for a moment; `isThere` says of each of a list whether it is still shown. */
export function useRemoval(openId: string | null) {
  const { t } = useTranslation('chat');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { waiting, remove } = useRemovals();
  return {
    isThere: ({ id }: ConversationSummary) => !waiting.has(id),
    remove(heads: readonly ConversationSummary[]) {
      const [first] = heads;
      if (first === undefined) return;
      const ids = heads.map(({ id }) => id);
      if (openId !== null && ids.includes(openId)) void navigate({ to: '/chat' });
      remove({
        ids,
        message:
          heads.length === 1
            ? t('removed', { title: first.title || t('untitled') })
            : t('removed_several', { count: heads.length }),
        async act() {
          try {
            await forEachConcurrently(ids, deleteConversation);
          } finally {
            await queries.invalidateQueries({ queryKey: ['conversations'] });
          }
        },
      });
    },
  };
}
