import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { readDraft, writeDraft } from '../../parts/composer/drafts.ts';
import { useDraftOwner } from '../../parts/composer/use-draft.ts';
import { carryFiles } from './carried-files.ts';
import { draftPlace } from './conversations.ts';
import { agentDraftPlace, moveToAgent, moveToModel } from './move-draft.ts';
import { WhoChip } from './who-chip.tsx';

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
  const navigate = useNavigate();
  const models = useQuery(chatModelsQuery).data?.items ?? [];
  const here = agentDraftPlace(slug, sessionId);
  return (
    <WhoChip
      models={models}
      who={{ kind: 'agent', slug, name }}
      onModel={(model) => {
        moveToModel(localStorage, owner, here, model);
        carryFiles(draftPlace(null), files);
        void navigate({ to: '/chat' });
      }}
      onAgent={(other) => {
        const { text } = readDraft(localStorage, owner, here) ?? { text: '' };
        writeDraft(localStorage, owner, here, { text: '' });
        moveToAgent(localStorage, owner, other, text);
        carryFiles(agentDraftPlace(other, null), files);
        void navigate({ to: '/chat/agents/$slug', params: { slug: other } });
      }}
    />
  );
}
