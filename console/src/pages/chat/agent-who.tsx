import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { readDraft, writeDraft } from '../../parts/composer/drafts.ts';
import { useDraftOwner } from '../../parts/composer/use-draft.ts';
import { agentDraftPlace } from './agents.ts';
import { moveToAgent, moveToModel } from './move-talk.ts';
import { WhoSelect } from './who-select.tsx';

interface AgentWhoProps {
  readonly slug: string;
  readonly name: string;
  readonly sessionId: number | null;
  /** Of the message that is being written. */
  readonly files: readonly File[];
}

/** Who answers, in a talk with an agent: another one begins a new talk, with what was written. */
export function AgentWho({ slug, name, sessionId, files }: AgentWhoProps) {
  const owner = useDraftOwner();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const models = useQuery(chatModelsQuery).data?.items ?? [];
  const take = () => {
    const here = agentDraftPlace(slug, sessionId);
    const text = readDraft(localStorage, owner, here)?.text ?? '';
    writeDraft(localStorage, owner, here, { text: '' });
    return { storage: localStorage, owner, text };
  };
  return (
    <WhoSelect
      models={models}
      who={{ kind: 'agent', slug, name }}
      onModel={(model) => {
        moveToModel(take(), model, files);
        void navigate({ to: '/chat' });
      }}
      onAgent={(other) => {
        moveToAgent(take(), other, { queries, takeFiles: () => files });
        void navigate({ to: '/chat/agents/$slug', params: { slug: other } });
      }}
    />
  );
}
