import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { forEachConcurrently } from '../../api/for-each-concurrently.ts';
import { useRemovals } from '../../parts/undo/use-removals.tsx';
import { readTalksAgain, removeTalk } from './talk-calls.ts';
import { isWithAgent, type Talk, talkKey } from './talks.ts';

/**
 * Deletes conversations and talks with agents, which can be taken back for a moment; `isThere` says of each of a list whether it
 * is still shown.
 */
export function useRemoval(openId: string | null) {
  const { t } = useTranslation('chat');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { waiting, remove } = useRemovals();
  return {
    isThere: (talk: Talk) => !waiting.has(talkKey(talk)),
    remove(talks: readonly Talk[]) {
      const [first] = talks;
      if (first === undefined) return;
      const open = talks.find((talk) => talkKey(talk) === openId);
      if (open !== undefined)
        void (isWithAgent(open) && open.deployed
          ? navigate({ to: '/chat/agents/$slug', params: { slug: open.slug } })
          : navigate({ to: '/chat' }));
      remove({
        ids: talks.map(talkKey),
        message:
          talks.length === 1
            ? t('removed', { title: first.title || t('untitled') })
            : t('removed_several', { count: talks.length }),
        async act() {
          try {
            await forEachConcurrently(talks, removeTalk);
          } finally {
            await readTalksAgain(queries);
          }
        },
      });
    },
  };
}
