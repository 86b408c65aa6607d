import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ChangeDraft, useDraftOwner } from '../../parts/composer/use-draft.ts';

/** Goes on with an agent: words that were written to a model go along, and files where the agent takes some. */
export function useToAgent(onDraft: ChangeDraft, takeFiles: () => readonly File[]) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const owner = useDraftOwner();
  return async (slug: string, text: string) => {
    const { moveToAgent } = await import('./move-talk.ts');
    moveToAgent({ storage: localStorage, owner, text }, slug, { queries, takeFiles });
    onDraft((old) => ({ ...old, text: '' }));
    await navigate({ to: '/chat/agents/$slug', params: { slug } });
  };
}
