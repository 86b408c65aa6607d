import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ChangeDraft, useDraftOwner } from '../../parts/composer/use-draft.ts';
import { deployedAgentsQuery } from './agents.ts';
import { carryFiles } from './carried-files.ts';
import { agentDraftPlace, moveToAgent } from './move-draft.ts';

/** Goes on with an agent: words that were written to a model go along, and files where the agent takes some. */
export function useToAgent(onDraft: ChangeDraft, takeFiles: () => readonly File[]) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const owner = useDraftOwner();
  return (slug: string, text: string) => {
    const agent = queries.getQueryData(deployedAgentsQuery.queryKey)?.items.find((one) => one.slug === slug);
    if (agent?.files === true) carryFiles(agentDraftPlace(slug, null), takeFiles());
    moveToAgent(localStorage, owner, slug, text);
    onDraft((old) => ({ ...old, text: '' }));
    void navigate({ to: '/chat/agents/$slug', params: { slug } });
  };
}
