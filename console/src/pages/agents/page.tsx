import { agentOrders, agentStates, type AgentSummary, type AgentState } from '@ai-studio/contract/console/agents.ts';
import { Anchor, Button, Group, Select, Text } from '@mantine/core';
import { IconFileImport, IconPlus, IconRobot, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { LoadingTable } from '../../parts/loading.tsx';
import { remoteRows } from '../../parts/table/remote-rows.ts';
import { RichTable } from '../../parts/table/rich-table.tsx';
import type { Column } from '../../parts/table/table-row.tsx';
import { useTableQuery } from '../../parts/table/use-table-address.ts';
import { useRemovals } from '../../parts/undo/use-removals.tsx';
import classes from './agents.module.css';
import { BulkActions } from './bulk-actions.tsx';
import { agentsQuery } from './queries.ts';
import { StateBadge } from './state-badge.tsx';

const NewAgent = lazy(async () => ({ default: (await import('./new-agent.tsx')).NewAgentDialog }));
const ImportAgent = lazy(async () => ({ default: (await import('./import-agent.tsx')).ImportAgentDialog }));

function useColumns(): Column<AgentSummary>[] {
  const { t } = useTranslation('agents');
  return [
    {
      key: 'name',
      header: t('name'),
      sort: ({ name }) => name,
      cell: ({ id: agentId, name, description }) => (
        <>
          <Link to="/agents/$agentId" params={{ agentId }} search={{}} className={classes['link']}>
            {name}
          </Link>
          {description === '' ? null : (
            <Text size="xs" c="dimmed" lineClamp={1}>
              {description}
            </Text>
          )}
        </>
      ),
    },
    { key: 'state', header: t('state'), cell: (agent) => <StateBadge agent={agent} /> },
    {
      key: 'id',
      header: t('id'),
      from: 'sm',
      cell: ({ slug, name }) => (
        <Group gap={4} wrap="nowrap">
          <Text size="xs" ff="monospace" className={classes['id'] ?? ''}>
            {slug}
          </Text>
          <CopyButton value={slug} label={t('copy_id', { name })} />
        </Group>
      ),
    },
    { key: 'by', header: t('by'), from: 'lg', cell: ({ by }) => <Text size="sm">{by}</Text> },
    {
      key: 'updated',
      header: t('updated'),
      from: 'md',
      sort: ({ updated_at: at }) => at,
      cell: ({ updated_at: at }) => <RelativeTime at={at} size="sm" />,
    },
  ];
}

/** Which state agents are listed of, kept in the address. */
function StateFilter({ state }: { readonly state: AgentState | null }) {
  const { t } = useTranslation('agents');
  const navigate = useNavigate();
  return (
    <Select
      size="xs"
      aria-label={t('state')}
      placeholder={t('all_states')}
      clearable
      w={{ base: '100%', xs: '11rem' }}
      data={agentStates.map((one) => ({ value: one, label: t(`states.${one}`) }))}
      value={state}
      onChange={(chosen) =>
        void navigate({
          to: '.',
          search: (before) => ({ ...before, state: agentStates.find((one) => one === chosen) }),
          replace: true,
        })
      }
    />
  );
}

/** Where no agent is shown there may be archived ones: the way to them. */
function ShowArchived() {
  const { t } = useTranslation('agents');
  const { data } = useInfiniteQuery(agentsQuery({ text: '', state: 'archived', sort: undefined }));
  if ((data?.pages[0]?.total ?? 0) === 0) return null;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/agents" search={{ state: 'archived' }} {...props} />}>
      {t('show_archived')}
    </Anchor>
  );
}

const idOf = ({ id }: AgentSummary) => id;
const nameOf = ({ name }: AgentSummary) => name;
const lastChangedFirst = { column: 'updated', descending: true } as const;

type Dialog = 'new' | 'import';

/** The agents of the tenant, for those who build. */
export function Page() {
  const { t } = useTranslation('agents');
  const navigate = useNavigate();
  const columns = useColumns();
  const { state = null } = useSearch({ strict: false }) as { state?: AgentState | undefined };
  const { q, sort } = useTableQuery(agentOrders);
  const { waiting } = useRemovals();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [wanted, setWanted] = useState<ReadonlySet<Dialog>>(new Set());
  const open = (which: Dialog) => {
    setWanted((before) => new Set([...before, which]));
    setDialog(which);
  };
  const close = () => setDialog(null);
  const query = useInfiniteQuery(agentsQuery({ text: q, state, sort }));
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => open('new')}>
      {t('new')}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconFileImport size={18} aria-hidden />}
              onClick={() => open('import')}
            >
              {t('import')}
            </Button>
            {add}
          </>
        }
      />
      <Loaded query={query} loading={<LoadingTable />}>
        {({ pages }) =>
          pages[0]?.total === 0 && q === '' && state === null ? (
            <EmptyState
              icon={IconRobot}
              title={t('none')}
              hint={t('none_hint')}
              action={
                <>
                  {add}
                  <ShowArchived />
                </>
              }
            />
          ) : (
            <RichTable
              name="agents"
              label={t('title')}
              columns={columns}
              rows={pages.flatMap(({ items }) => items).filter(({ id }) => !waiting.has(id))}
              rowKey={idOf}
              textOf={nameOf}
              minWidth={300}
              initialOrder={lastChangedFirst}
              filters={{ fields: <StateFilter state={state} />, count: state === null ? 0 : 1 }}
              remote={remoteRows(query, pages[0]?.total ?? 0)}
              none={<EmptyState icon={IconSearch} title={t('none_found')} />}
              onOpen={({ id: agentId }) => void navigate({ to: '/agents/$agentId', params: { agentId }, search: {} })}
              selection={{
                nameOf,
                renderActions: (chosen, clear) => <BulkActions chosen={chosen} onDone={clear} />,
              }}
            />
          )
        }
      </Loaded>
      <Suspense>{wanted.has('new') ? <NewAgent opened={dialog === 'new'} onClose={close} /> : null}</Suspense>
      <Suspense>{wanted.has('import') ? <ImportAgent opened={dialog === 'import'} onClose={close} /> : null}</Suspense>
    </>
  );
}
