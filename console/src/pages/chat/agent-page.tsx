import type { DeployedAgent } from '@ai-studio/contract/console/agent-talks.ts';
import { ActionIcon, Alert, Group, Text, Title, Tooltip } from '@mantine/core';
import { IconDownload, IconInfoCircle, IconMessageOff, IconMessagePlus, IconRobotOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/error.ts';
import { sessionExportAddress } from '../../api/export-session.ts';
import { TalkView } from '../../parts/agent-talk/talk-view.tsx';
import { useDraftOwner } from '../../parts/composer/use-draft.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { late } from '../../parts/late.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { LoadingPage } from '../../parts/loading.tsx';
import { agentSessionQuery, deployedAgentQuery, deployedPath } from './agents.ts';
import classes from './chat.module.css';
import { ListButton } from './list-button.tsx';

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Fetched beside the page: people write before they choose somebody else. */
const AgentWho = late(
  async () => (await import('./agent-who.tsx')).AgentWho,
  () => null,
);

interface HeadProps {
  readonly title: string;
  readonly hint: string;
  /** What can be done with the talk. */
  readonly children?: ReactNode;
}

function Head({ title, hint, children }: HeadProps) {
  return (
    <Group className={classes['head'] ?? ''} wrap="nowrap" gap="xs">
      <ListButton />
      <div className={classes['titles']}>
        <Title order={1} size="h5" lineClamp={1}>
          {title}
        </Title>
        {hint === '' ? null : (
          <Text size="xs" c="dimmed" lineClamp={1}>
            {hint}
          </Text>
        )}
      </div>
      {children}
    </Group>
  );
}

interface TalkProps {
  readonly slug: string;
}

/** A new session: it is made with its first message. */
function NewTalk({ agent }: { readonly agent: DeployedAgent }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { slug, name, description } = agent;
  const owner = useDraftOwner();
  const first = useLocation({ select: ({ state }) => state.question });
  return (
    <section className={classes['agent']} aria-label={name}>
      <Head title={name} hint={description} />
      <TalkView
        root={deployedPath(slug)}
        initial={[]}
        sessionId={null}
        welcome={agent}
        {...(first === undefined ? {} : { first })}
        renderTrailing={(attachments) => (
          <AgentWho owner={owner} slug={slug} name={name} sessionId={null} attachments={attachments} />
        )}
        onSession={(session) => {
          void queries.invalidateQueries({ queryKey: ['agent-chats'] });
          void navigate({
            to: '/chat/agents/$slug/$sessionId',
            params: { slug, sessionId: String(session) },
            replace: true,
          });
        }}
      />
    </section>
  );
}

function NewTalkPage({ slug }: TalkProps) {
  const { t } = useTranslation('chat');
  const query = useQuery(deployedAgentQuery(slug));
  if (isNotFound(query.error))
    return <EmptyState level={1} icon={IconRobotOff} title={t('agent_gone')} hint={t('agent_gone_hint')} />;
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {(agent) => <NewTalk key={agent.slug} agent={agent} />}
    </Loaded>
  );
}

/** A session that was begun before. It is read also when the agent takes no messages any more. */
function ExistingTalk({ slug, sessionId }: TalkProps & { readonly sessionId: string }) {
  const { t, i18n } = useTranslation('chat');
  const owner = useDraftOwner();
  const agent = useQuery(deployedAgentQuery(slug));
  const query = useQuery(agentSessionQuery(slug, sessionId));
  if (isNotFound(query.error))
    return <EmptyState level={1} icon={IconMessageOff} title={t('gone')} hint={t('gone_hint')} />;
  const undeployed = isNotFound(agent.error);
  if (agent.isPending) return <LoadingPage />;
  return (
    <Loaded query={query} loading={<LoadingPage />}>
      {({ items, session }) => (
        <section className={classes['agent']} aria-label={session.title || t('untitled')}>
          <Head title={session.title || t('untitled')} hint={agent.data?.name ?? slug}>
            {agent.data === undefined ? null : (
              <Tooltip label={t('new_with', { name: agent.data.name })}>
                <ActionIcon
                  renderRoot={(props) => <Link to="/chat/agents/$slug" params={{ slug }} {...props} />}
                  variant="subtle"
                  color="gray"
                  ml="auto"
                  aria-label={t('new_with', { name: agent.data.name })}
                >
                  <IconMessagePlus size={18} stroke={1.6} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
            <Tooltip label={t('export_talk')}>
              <ActionIcon
                component="a"
                href={sessionExportAddress(deployedPath(slug), session.id, i18n.language)}
                download
                variant="subtle"
                color="gray"
                ml={agent.data === undefined ? 'auto' : 0}
                aria-label={t('export_talk')}
              >
                <IconDownload size={18} stroke={1.6} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </Head>
          {undeployed ? (
            <Alert variant="light" color="gray" radius={0} icon={<IconInfoCircle size={18} aria-hidden />}>
              {t('agent_away')}
            </Alert>
          ) : null}
          <TalkView
            root={deployedPath(slug)}
            initial={items}
            sessionId={session.id}
            writes={!undeployed}
            welcome={agent.data ?? { greeting: '', examples: [], files: false }}
            renderTrailing={(attachments) => (
              <AgentWho
                owner={owner}
                slug={slug}
                name={agent.data?.name ?? slug}
                sessionId={session.id}
                attachments={attachments}
              />
            )}
          />
        </section>
      )}
    </Loaded>
  );
}

/** Talks with agents as they are deployed. */
export function Page() {
  const { slug = '', sessionId = null } = useParams({ strict: false });
  return sessionId === null ? (
    <NewTalkPage key={slug} slug={slug} />
  ) : (
    <ExistingTalk key={`${slug} ${sessionId}`} slug={slug} sessionId={sessionId} />
  );
}
