import { ToolChoice } from '@ai-studio/contract/agents/definition.ts';
import { Citation } from '@ai-studio/contract/agents/run.ts';
import type { NamesById } from '@ai-studio/contract/console/agents.ts';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, createContext, use } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useLazyNamespace } from '../../../i18n/use-lazy-namespace.ts';
import { FoldedPassage } from '../../../parts/passage/folded-passage.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import classes from '../agents.module.css';
import { agentOptionsQuery } from '../queries.ts';

// Values that name something of the organisation, or that have a form of their own: shown as what they mean.

const Ids = z.array(z.string()).min(1);
const Choices = z.array(ToolChoice).min(1);
const Passages = z.array(Citation).min(1);
const Messages = z.array(z.object({ role: z.string(), content: z.string() }).strict()).min(1);

/** Letters of an id that are shown where its name is not known. */
const SHORT_ID_LENGTH = 8;

/** Names that came with what is shown. Without them, those of what the person may use. */
export const NamesContext = createContext<NamesById | undefined>(undefined);

/** Names of collections, tool servers and agents, each leading to its page. */
function useNameLinks() {
  const { t } = useTranslation('agents');
  const { data: options } = useQuery(agentOptionsQuery);
  const names = use(NamesContext);
  const unknown = (id: string) => (
    <Text size="sm" c="dimmed" span title={id}>
      {options === undefined ? id.slice(0, SHORT_ID_LENGTH) : t('values.unknown', { id: id.slice(0, SHORT_ID_LENGTH) })}
    </Text>
  );
  return {
    collection(collectionId: string): ReactNode {
      const name = names?.collections[collectionId] ?? options?.collections.find(({ id }) => id === collectionId)?.name;
      if (name === undefined) return unknown(collectionId);
      return (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/collections/$collectionId" params={{ collectionId }} search={{}} {...props} />
          )}
        >
          {name}
        </Anchor>
      );
    },
    server(serverId: string): ReactNode {
      const name = names?.servers[serverId] ?? options?.servers.find(({ id }) => id === serverId)?.name;
      if (name === undefined) return unknown(serverId);
      return (
        <Anchor size="sm" renderRoot={(props) => <Link to="/tools" {...props} />}>
          {name}
        </Anchor>
      );
    },
    agent(slug: string): ReactNode {
      const agent = options?.agents.find((one) => one.slug === slug);
      if (agent === undefined) {
        const name = names?.agents[slug];
        return name === undefined ? (
          unknown(slug)
        ) : (
          <Text size="sm" span>
            {name}
          </Text>
        );
      }
      return (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/agents/$agentId" params={{ agentId: agent.id }} search={{}} {...props} />}
        >
          {agent.name}
        </Anchor>
      );
    },
  };
}

function List({ items }: { readonly items: readonly { readonly key: string; readonly shown: ReactNode }[] }) {
  return (
    <ul className={classes['plain']}>
      {items.map(({ key, shown }) => (
        <li key={key}>{shown}</li>
      ))}
    </ul>
  );
}

const Collections = ({ ids }: { readonly ids: readonly string[] }) => {
  const named = useNameLinks();
  return <List items={ids.map((id) => ({ key: id, shown: named.collection(id) }))} />;
};

/** A tool that may be called, and with what. */
function Choice({ choice }: { readonly choice: ToolChoice }) {
  const { t } = useTranslation('agentBuilder');
  const messagesLoaded = useLazyNamespace('agentBuilder');
  const named = useNameLinks();
  if (choice.kind === 'server')
    return (
      <Group gap={6}>
        {named.server(choice.server)}
        {choice.tools.length === 0 ? null : (
          <Text size="sm" ff="monospace">
            {choice.tools.join(', ')}
          </Text>
        )}
      </Group>
    );
  return (
    <Group gap={6} align="baseline">
      <Text size="sm">{messagesLoaded ? t(`tools.${choice.kind}`) : choice.kind}</Text>
      {choice.kind === 'search_collection' ? <Collections ids={choice.collections} /> : null}
    </Group>
  );
}

/** Passages that were found, each leading to its document. */
function Found({ passages }: { readonly passages: readonly Citation[] }) {
  const { t } = useTranslation('agents');
  const { number: figure } = useFormat();
  return (
    <Stack gap="xs">
      {passages.map(({ number, collection_id: collectionId, document_id: documentId, ...passage }) => (
        <div key={`${number} ${passage.chunk_id}`}>
          <Group gap={6}>
            <Text size="sm">[{number}]</Text>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/collections/$collectionId/documents/$documentId"
                  params={{ collectionId, documentId }}
                  search={{}}
                  {...props}
                />
              )}
            >
              {passage.document_name}
            </Anchor>
            <Text size="xs" c="dimmed">
              {[
                passage.page === null ? null : t('values.page', { number: passage.page }),
                t('values.score', { score: figure(passage.score) }),
              ]
                .filter((part) => part !== null)
                .join(' · ')}
            </Text>
          </Group>
          <FoldedPassage text={passage.content} found={passage.matches} />
        </div>
      ))}
    </Stack>
  );
}

const MessageList = ({ messages }: { readonly messages: z.infer<typeof Messages> }) => (
  <Stack gap="xs">
    {messages.map(({ role, content }, place) => (
      // Messages are a list that never changes.
      // oxlint-disable-next-line react/no-array-index-key
      <div key={place}>
        <Text size="xs" c="dimmed" ff="monospace">
          {role}
        </Text>
        <Text size="xs" className={classes['wraps'] ?? ''} lang="">
          {content}
        </Text>
      </div>
    ))}
  </Stack>
);

function Named({ what, id }: { readonly what: 'agent' | 'server'; readonly id: string }) {
  return useNameLinks()[what](id);
}

/** How a value of this name is shown; null where it has no form of its own. */
export function knownValue(name: string, value: unknown): ReactNode {
  const field = name.split('.').at(-1);
  switch (field) {
    case 'collections': {
      const { data } = Ids.safeParse(value);
      return data === undefined ? null : <Collections ids={data} />;
    }
    case 'agent':
    case 'server':
      return typeof value === 'string' && value !== '' ? <Named what={field} id={value} /> : null;
    case 'tool': {
      const { data } = ToolChoice.safeParse(value);
      return data === undefined ? null : <Choice choice={data} />;
    }
    case 'tools': {
      const { data } = Choices.safeParse(value);
      if (data === undefined) return null;
      return (
        <List items={data.map((choice) => ({ key: JSON.stringify(choice), shown: <Choice choice={choice} /> }))} />
      );
    }
    case 'passages': {
      const { data } = Passages.safeParse(value);
      return data === undefined ? null : <Found passages={data} />;
    }
    case 'messages': {
      const { data } = Messages.safeParse(value);
      return data === undefined ? null : <MessageList messages={data} />;
    }
    default:
      return null;
  }
}
