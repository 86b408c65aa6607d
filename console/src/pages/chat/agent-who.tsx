import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { type DraftOwner, readDraft, writeDraft } from '../../parts/composer/drafts.ts';
import type { Attachments } from '../../parts/agent-talk/attach.tsx';
import { agentDraftPlace, takeCarried } from './agents.ts';
import { moveToAgent, moveToModel } from './move-talk.ts';
import { WhoSelect } from './who-select.tsx';

interface AgentWhoProps {
  /** Whose drafts this browser keeps. */
  readonly owner: DraftOwner;
  readonly slug: string;
  readonly name: string;
  readonly sessionId: number | null;
  /** Of the message that is being written. */
  readonly attachments: Attachments;
}

/** Who answers, in a talk with an agent: another one begins a new talk, with what was written. */
export function AgentWho({ owner, slug, name, sessionId, attachments }: AgentWhoProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const models = useQuery(chatModelsQuery).data?.items ?? [];
  const here = agentDraftPlace(slug, sessionId);
  const takeAlong = useEffectEvent(() => attachments.add(takeCarried(here)));
  useEffect(() => {
    const timer = setTimeout(takeAlong);
    return () => clearTimeout(timer);
  }, []);
  const files = attachments.items.map(({ picked }) => picked);
  const take = () => {
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
