import { agentStates, type AgentSummary, type AgentState } from '@ai-studio/contract/console/agents.ts';
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFileImport, IconPlus, IconRobot, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, lazy, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { Pager } from '../../parts/table/pager.tsx';
import classes from './agents.module.css';
import { agentsQuery, PAGE_SIZE } from './queries.ts';
import { StateBadge } from './state-badge.tsx';

const NewAgent = lazy(async () => ({ default: (await import('./new-agent.tsx')).NewAgentDialog }));
const ImportAgent = lazy(async () => ({ default: (await import('./import-agent.tsx')).ImportAgentDialog }));

function useColumns(): Column<AgentSummary>[] {
  const { t } = useTranslation('agents');
  return [
    {
      key: 'name',
      header: t('name'),
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
      cell: ({ updated_at: at }) => <RelativeTime at={at} size="sm" />,
    },
  ];
}

interface FilterProps {
  readonly text: string;
  readonly state: AgentState | null;
  readonly onText: (text: string) => void;
  readonly onState: (state: AgentState | null) => void;
}

function Filters({ text, state, onText, onState }: FilterProps) {
  const { t } = useTranslation('agents');
  return (
    <Group gap="sm">
      <TextInput
        aria-label={t('find')}
        placeholder={t('find')}
        leftSection={<IconSearch size={16} aria-hidden />}
        flex={1}
        maw="24rem"
        miw="12rem"
        maxLength={200}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
      <Select
        aria-label={t('state')}
        placeholder={t('all_states')}
        clearable
        w="11rem"
        data={agentStates.map((one) => ({ value: one, label: t(`states.${one}`) }))}
        value={state}
        onChange={(chosen) => onState(agentStates.find((one) => one === chosen) ?? null)}
      />
    </Group>
  );
}

type Dialog = 'new' | 'import';

/** The agents of the tenant, for those who build. */
export function Page() {
  const { t } = useTranslation('agents');
  const navigate = useNavigate();
  const columns = useColumns();
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), 250);
  const [state, setState] = useState<AgentState | null>(null);
  const [page, setPage] = useState(1);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [wanted, setWanted] = useState<ReadonlySet<Dialog>>(new Set());
  const open = (which: Dialog) => {
    setWanted((before) => new Set([...before, which]));
    setDialog(which);
  };
  const close = () => setDialog(null);
  const query = useQuery(agentsQuery({ text, state, page }));
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
      <Loaded query={query}>
        {({ items, total }) =>
          total === 0 && text === '' && state === null ? (
            <EmptyState icon={IconRobot} title={t('none')} hint={t('none_hint')} action={add} />
          ) : (
            <Stack gap="md">
              <Filters
                text={typed}
                state={state}
                onText={(now) => {
                  setTyped(now);
                  setPage(1);
                }}
                onState={(now) => {
                  setState(now);
                  setPage(1);
                }}
              />
              <DataTable
                label={t('title')}
                columns={columns}
                rows={items}
                rowKey={({ id }) => id}
                minWidth={300}
                empty={<EmptyState icon={IconSearch} title={t('none_found')} />}
                onOpen={({ id: agentId }) => void navigate({ to: '/agents/$agentId', params: { agentId }, search: {} })}
              />
              <Pager label={t('title')} page={page} pages={Math.ceil(total / PAGE_SIZE)} onPage={setPage} />
            </Stack>
          )
        }
      </Loaded>
      <Suspense>{wanted.has('new') ? <NewAgent opened={dialog === 'new'} onClose={close} /> : null}</Suspense>
      <Suspense>{wanted.has('import') ? <ImportAgent opened={dialog === 'import'} onClose={close} /> : null}</Suspense>
    </>
  );
}
