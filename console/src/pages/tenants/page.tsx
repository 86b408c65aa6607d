import { type OneTimeLink, Tenant, TenantList } from '@ai-studio/contract/console/people.ts';
import { ActionIcon, Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLogin2, IconPencil, IconPlus } from '@tabler/icons-react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { meQuery, useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { NameDialog } from '../../parts/name-dialog.tsx';
import { OneTimeLinkDialog } from '../../parts/one-time-link.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import type { Made } from './new-tenant.tsx';

/** Fetched when it is opened. */
const NewTenantDialog = lazy(async () => ({ default: (await import('./new-tenant.tsx')).NewTenantDialog }));

const tenantsQuery = queryOptions({
  queryKey: ['tenants'],
  queryFn: ({ signal }) => api.get('/tenants', TenantList, { signal }),
});

/** The dialog that is open, and its tenant. */
interface OpenDialog {
  readonly what: 'enter' | 'rename';
  readonly tenant: Tenant;
}

function RowActions({ tenant, onAsk }: { readonly tenant: Tenant; readonly onAsk: (openDialog: OpenDialog) => void }) {
  const { t } = useTranslation('tenants');
  const { t: common } = useTranslation('common');
  const { name } = tenant;
  const here = useMe().tenant?.id === tenant.id;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Tooltip label={common('rename')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('rename_one', { name })}
          onClick={() => onAsk({ what: 'rename', tenant })}
        >
          <IconPencil size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {here ? null : (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconLogin2 size={14} aria-hidden />}
          aria-label={t('enter_one', { name })}
          onClick={() => onAsk({ what: 'enter', tenant })}
        >
          {t('enter')}
        </Button>
      )}
    </Group>
  );
}

/** The name; on a phone with what the columns that are left out there would say. */
function Name({ tenant }: { readonly tenant: Tenant }) {
  const { t } = useTranslation('tenants');
  const { number } = useFormat();
  const here = useMe().tenant?.id === tenant.id;
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {tenant.name}
        </Text>
        {here ? (
          <Badge variant="light" size="sm" tt="none">
            {t('here')}
          </Badge>
        ) : null}
      </Group>
      <Text size="xs" c="dimmed" hiddenFrom="xs">
        {t('users')} {number(tenant.users)} · {t('keys')} {number(tenant.keys)}
      </Text>
    </>
  );
}

function useColumns(onAsk: (openDialog: OpenDialog) => void): Column<Tenant>[] {
  const { t } = useTranslation('tenants');
  const { number, date } = useFormat();
  return [
    {
      key: 'name',
      header: t('name'),
      sort: ({ name }) => name,
      cell: (tenant) => <Name tenant={tenant} />,
    },
    {
      key: 'users',
      header: t('users'),
      align: 'end',
      from: 'xs',
      sort: ({ users }) => users,
      cell: ({ users }) => number(users),
    },
    {
      key: 'keys',
      header: t('keys'),
      align: 'end',
      from: 'xs',
      sort: ({ keys }) => keys,
      cell: ({ keys }) => number(keys),
    },
    {
      key: 'created',
      header: t('made_at'),
      from: 'sm',
      sort: ({ created_at: at }) => at,
      cell: ({ created_at: at }) => date(at),
    },
    {
      key: 'actions',
      header: t('actions'),
      hiddenHeader: true,
      align: 'end',
      cell: (tenant) => <RowActions tenant={tenant} onAsk={onAsk} />,
    },
  ];
}

interface DialogProps {
  readonly openDialog: OpenDialog | null;
  readonly onClose: () => void;
}

function RenameDialog({ openDialog, onClose }: DialogProps) {
  const { t } = useTranslation('tenants');
  const queries = useQueryClient();
  const { done } = useNotify();
  return (
    <NameDialog
      opened={openDialog?.what === 'rename'}
      title={t('rename')}
      label={t('name')}
      name={openDialog?.tenant.name ?? ''}
      onClose={onClose}
      onSave={async (name) => {
        await api.patch(`/tenants/${openDialog?.tenant.id ?? ''}`, { name }, Tenant);
        done(t('renamed'));
        await Promise.all([
          queries.invalidateQueries({ queryKey: tenantsQuery.queryKey }),
          queries.invalidateQueries({ queryKey: meQuery.queryKey }),
        ]);
      }}
    />
  );
}

function EnterDialog({ openDialog, onClose }: DialogProps) {
  const { t } = useTranslation('tenants');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { done } = useNotify();
  const member = useMe().memberships.some(({ tenant_id: id }) => id === openDialog?.tenant.id);
  const name = openDialog?.tenant.name ?? '';
  return (
    <ConfirmDialog
      opened={openDialog?.what === 'enter'}
      title={t('enter_one', { name })}
      confirmLabel={t('enter')}
      danger={false}
      onClose={onClose}
      onConfirm={async () => {
        await api.run('POST', `/tenants/${openDialog?.tenant.id ?? ''}/enter`);
        done(t('entered', { name }));
        // Who is no member there has no other page that is about the tenant.
        if (member) await navigate({ to: '/' });
        // Nothing of the other tenant may stay on the page.
        await queries.resetQueries();
      }}
    >
      {t('enter_hint', { name })}
    </ConfirmDialog>
  );
}

function Tenants({ tenants }: { readonly tenants: readonly Tenant[] }) {
  const { t } = useTranslation('tenants');
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const columns = useColumns(setOpenDialog);
  const close = () => setOpenDialog(null);
  return (
    <>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={tenants}
        rowKey={({ id }) => id}
        pageSize={25}
        minWidth={320}
        initialOrder={{ column: 'name', descending: false }}
      />
      <RenameDialog openDialog={openDialog} onClose={close} />
      <EnterDialog openDialog={openDialog} onClose={close} />
    </>
  );
}

/** Tenants of the installation, for its operator. */
export function Page() {
  const { t } = useTranslation('tenants');
  const queries = useQueryClient();
  const query = useQuery(tenantsQuery);
  const [opened, { open, close }] = useDisclosure(false);
  const [made, setMade] = useState<{ readonly name: string; readonly link: OneTimeLink } | null>(null);
  const show = ({ tenant, link }: Made) => {
    close();
    setMade({ name: tenant.name, link });
    void queries.invalidateQueries({ queryKey: tenantsQuery.queryKey });
    // Some of what the operator may do is theirs only while there is one tenant.
    void queries.invalidateQueries({ queryKey: meQuery.queryKey });
  };
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            {t('new')}
          </Button>
        }
      />
      <Loaded query={query}>{({ items }) => <Tenants tenants={items} />}</Loaded>
      <Suspense>{opened ? <NewTenantDialog opened onClose={close} onMade={show} /> : null}</Suspense>
      <OneTimeLinkDialog
        link={made?.link ?? null}
        title={t('created')}
        hint={t('link_hint', { tenant: made?.name ?? '' })}
        onClose={() => setMade(null)}
      />
    </>
  );
}
