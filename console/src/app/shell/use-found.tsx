import { DeployedAgents } from '@ai-studio/contract/console/agent-talks.ts';
import { AgentPage } from '@ai-studio/contract/console/agents.ts';
import { ConversationPage } from '@ai-studio/contract/console/conversations.ts';
import { ConsoleCollections, NamedDocuments } from '@ai-studio/contract/console/retrieval.ts';
import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { type Icon, IconBooks, IconFileText, IconMessages, IconRobot } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { hasPermission, useMe } from '../../api/session.ts';

/** What is found of each kind. */
const FEW = 5;
const TYPING_MS = 150;

interface Found {
  readonly id: string;
  readonly label: string;
  readonly beside?: string;
  readonly open: () => void;
}

/** Things of the person by their names: collections, agents, documents, conversations. */
export function useFound(typed: string): SpotlightActionGroupData[] {
  const { t } = useTranslation('shell');
  const me = useMe();
  const navigate = useNavigate();
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const builds = hasPermission(me, ['agents.build']);
  const asks = (allowed: boolean) => ({ enabled: allowed && text !== '', placeholderData: keepPreviousData });
  const collections = useQuery({
    queryKey: ['found', 'collections', text],
    queryFn: ({ signal }) => api.get('/collections', ConsoleCollections, { signal, query: { name: text, size: FEW } }),
    ...asks(hasPermission(me, ['collections.search', 'collections.manage'])),
  });
  const documents = useQuery({
    queryKey: ['found', 'documents', text],
    queryFn: ({ signal }) => api.get('/documents', NamedDocuments, { signal, query: { name: text } }),
    ...asks(hasPermission(me, ['collections.manage'])),
  });
  const agents = useQuery({
    queryKey: ['found', 'agents', text],
    queryFn: ({ signal }) => api.get('/agents', AgentPage, { signal, query: { text, size: FEW } }),
    ...asks(builds),
  });
  const deployed = useQuery({
    queryKey: ['deployed-agents'],
    queryFn: ({ signal }) => api.get('/deployed-agents', DeployedAgents, { signal }),
    enabled: hasPermission(me, ['agents.use']) && !builds && text !== '',
  });
  const conversations = useQuery({
    queryKey: ['found', 'conversations', text],
    queryFn: ({ signal }) => api.get('/conversations', ConversationPage, { signal, query: { text, size: FEW } }),
    ...asks(hasPermission(me, ['chat'])),
  });
  if (text === '' || typed.trim() === '') return [];

  const group = (name: string, Picture: Icon, found: readonly Found[]): SpotlightActionGroupData[] => {
    const picture: ReactNode = <Picture size={20} stroke={1.6} aria-hidden />;
    const actions = found.map(({ id, label, beside, open }): SpotlightActionData => ({
      id: `${name} ${id}`,
      label,
      // It was found already, also where the words stand in what it holds.
      keywords: [typed],
      leftSection: picture,
      onClick: open,
      ...(beside === undefined ? {} : { description: beside }),
    }));
    return actions.length === 0 ? [] : [{ group: name, actions }];
  };
  const named = (name: string) => name.toLowerCase().includes(text.toLowerCase());
  return [
    ...group(
      t('found.agents'),
      IconRobot,
      builds
        ? (agents.data?.items ?? []).map(({ id: agentId, name }) => ({
            id: agentId,
            label: name,
            open: () => void navigate({ to: '/agents/$agentId', params: { agentId }, search: {} }),
          }))
        : (deployed.data?.items ?? [])
            .filter(({ name }) => named(name))
            .slice(0, FEW)
            .map(({ slug, name }) => ({
              id: slug,
              label: name,
              open: () => void navigate({ to: '/chat/agents/$slug', params: { slug } }),
            })),
    ),
    ...group(
      t('found.collections'),
      IconBooks,
      (collections.data?.items ?? []).map(({ collection_id: collectionId, collection_name: label }) => ({
        id: collectionId,
        label,
        open: () => void navigate({ to: '/collections/$collectionId', params: { collectionId }, search: {} }),
      })),
    ),
    ...group(
      t('found.documents'),
      IconFileText,
      (documents.data?.items ?? []).map((one) => ({
        id: one.document_id,
        label: one.document_name,
        beside: one.collection_name,
        open: () =>
          void navigate({
            to: '/collections/$collectionId/documents/$documentId',
            params: { collectionId: one.collection_id, documentId: one.document_id },
            search: {},
          }),
      })),
    ),
    ...group(
      t('found.conversations'),
      IconMessages,
      (conversations.data?.items ?? []).map(({ id: conversationId, title }) => ({
        id: conversationId,
        label: title,
        open: () => void navigate({ to: '/chat/$conversationId', params: { conversationId } }),
      })),
    ),
  ];
}
