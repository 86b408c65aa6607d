import { OneTimeLink, Person, PersonList, type PersonChange } from '@ai-studio/contract/console/people.ts';
import { type Role, roles } from '@ai-studio/contract/console/roles.ts';
import { Badge, Button, Menu, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconLink,
  IconMail,
  IconPlus,
  IconShieldCheck,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  IconUsersPlus,
} from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '../../api/client.ts';
import { forEachConcurrently } from '../../api/for-each-concurrently.ts';
import { useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { OneTimeLinkDialog } from '../../parts/one-time-link.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { RichTable } from '../../parts/table/rich-table.tsx';
import type { Column } from '../../parts/table/table-row.tsx';
import { useNotify } from '../../parts/use-notify.tsx';

const ChangeEmail = lazy(async () => ({ default: (await import('./email.tsx')).ChangeEmail }));
const Invite = lazy(async () => ({ default: (await import('./invite.tsx')).Invite }));
const BulkInvite = lazy(async () => ({ default: (await import('./bulk/bulk-invite.tsx')).BulkInvite }));

const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => api.get('/users', PersonList, { signal }),
});

type Change = z.infer<typeof PersonChange>;

function useChange() {
  const { t } = useTranslation('users');
  const queries = useQueryClient();
  const { done, failed } = useNotify();
  return useMutation({
    mutationFn: ({ id, change }: { readonly id: string; readonly change: Change }) =>
      api.patch(`/users/${id}`, change, Person),
    onSuccess: () => done(t('changed')),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['users'] }),
  });
}

interface PersonMenuProps {
  readonly person: Person;
  readonly onLink: (person: Person) => void;
  readonly onEmail: (person: Person) => void;
  readonly onDisable: (person: Person) => void;
  readonly onRemove: (person: Person) => void;
}

function PersonMenu({ person, onLink, onEmail, onDisable, onRemove }: PersonMenuProps) {
  const { t } = useTranslation('users');
  const { mutate } = useChange();
  const own = person.id === useMe().user.id;
  if (own) return null;
  return (
    <RowMenu label={t('more', { name: person.name })}>
      <Menu.Item
        leftSection={<IconLink size={16} aria-hidden />}
        disabled={person.state === 'active' && !person.resettable}
        onClick={() => onLink(person)}
      >
        {t(person.state === 'invited' ? 'new_invite' : 'reset')}
      </Menu.Item>
      {person.state === 'invited' ? null : (
        <Menu.Item
          leftSection={<IconMail size={16} aria-hidden />}
          disabled={person.state === 'active' && !person.resettable}
          onClick={() => onEmail(person)}
        >
          {t('change_email')}
        </Menu.Item>
      )}
      {person.state === 'disabled' ? (
        <Menu.Item
          leftSection={<IconUserCheck size={16} aria-hidden />}
          onClick={() => mutate({ id: person.id, change: { state: 'active' } })}
        >
          {t('enable')}
        </Menu.Item>
      ) : null}
      {person.state === 'active' ? (
        <Menu.Item leftSection={<IconUserOff size={16} aria-hidden />} onClick={() => onDisable(person)}>
          {t('disable')}
        </Menu.Item>
      ) : null}
      <Menu.Divider />
      <Menu.Item
        color="var(--mantine-color-error)"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => onRemove(person)}
      >
        {t('remove')}
      </Menu.Item>
    </RowMenu>
  );
}

function RoleChoice({ person }: { readonly person: Person }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const { mutate, isPending } = useChange();
  if (person.id === useMe().user.id) return <Text size="sm">{common(`role.${person.role}`)}</Text>;
  return (
    <Select
      size="xs"
      w={{ base: 104, sm: 140 }}
      allowDeselect={false}
      aria-label={t('role_of', { name: person.name })}
      disabled={isPending}
      data={roles.map((role) => ({ value: role, label: common(`role.${role}`) }))}
      value={person.role}
      onChange={(role) => mutate({ id: person.id, change: { role: role as Role } })}
    />
  );
}

const colors = { active: 'green', invited: 'blue', disabled: 'gray' } as const;

function useColumns(menu: Omit<PersonMenuProps, 'person'>): Column<Person>[] {
  const { t } = useTranslation('users');
  return [
    {
      key: 'name',
      header: t('name'),
      sort: ({ name }) => name,
      cell: ({ name, email, state }) => (
        <Stack gap={0} align="flex-start">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            {email}
          </Text>
          {state === 'active' ? null : (
            <Badge variant="light" color={colors[state]} tt="none" mt={4} hiddenFrom="sm">
              {t(`states.${state}`)}
            </Badge>
          )}
        </Stack>
      ),
    },
    {
      key: 'role',
      header: t('role'),
      sort: ({ role }) => roles.indexOf(role),
      cell: (person) => <RoleChoice person={person} />,
    },
    {
      key: 'state',
      header: t('state'),
      from: 'sm',
      sort: ({ state }) => state,
      cell: ({ state }) => (
        <Badge variant="light" color={colors[state]} tt="none">
          {t(`states.${state}`)}
        </Badge>
      ),
    },
    {
      key: 'second_factor',
      header: t('second_factor'),
      from: 'md',
      cell: ({ second_factor: on }) =>
        on ? (
          <>
            <IconShieldCheck size={18} aria-hidden /> {t('has_second_factor')}
          </>
        ) : (
          t('no_second_factor')
        ),
    },
    {
      key: 'seen',
      header: t('seen'),
      from: 'sm',
      sort: ({ last_seen_at: at }) => at,
      cell: ({ last_seen_at: at }) => <RelativeTime at={at} />,
    },
    {
      key: 'menu',
      header: t('actions'),
      hiddenHeader: true,
      align: 'end',
      width: 48,
      cell: (person) => <PersonMenu person={person} {...menu} />,
    },
  ];
}

const idOf = ({ id }: Person) => id;
const textOf = ({ name, email }: Person) => `${name} ${email}`;
const byName = { column: 'name', descending: false };

interface ManyActionsProps {
  readonly chosen: readonly Person[];
  readonly onAct: (what: 'disable' | 'remove', people: readonly Person[]) => void;
}

/** What is done with several people at once. */
function ManyActions({ chosen, onAct }: ManyActionsProps) {
  const { t } = useTranslation('users');
  const active = chosen.filter(({ state }) => state === 'active');
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={active.length === 0}
        leftSection={<IconUserOff size={14} aria-hidden />}
        onClick={() => onAct('disable', active)}
      >
        {t('disable')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => onAct('remove', chosen)}
      >
        {t('remove')}
      </Button>
    </>
  );
}

interface UsersProps {
  readonly people: readonly Person[];
  readonly onLink: (link: OneTimeLink, person: Person) => void;
}

function Users({ people, onLink }: UsersProps) {
  const { t } = useTranslation('users');
  const queries = useQueryClient();
  const { done, failed } = useNotify();
  const [openDialog, setOpenDialog] = useState<{
    readonly what: 'disable' | 'remove';
    readonly people: readonly Person[];
  } | null>(null);
  const ownId = useMe().user.id;
  const link = useMutation({
    mutationFn: (person: Person) => api.post(`/users/${person.id}/link`, {}, OneTimeLink),
    onSuccess: (made, person) => onLink(made, person),
    onError: failed,
  });
  const [renamed, setRenamed] = useState<Person | null>(null);
  const columns = useColumns({
    onLink: (person) => link.mutate(person),
    onEmail: setRenamed,
    onDisable: (person) => setOpenDialog({ what: 'disable', people: [person] }),
    onRemove: (person) => setOpenDialog({ what: 'remove', people: [person] }),
  });
  const what = openDialog?.what ?? 'remove';
  const asked = openDialog?.people ?? [];
  return (
    <>
      <RichTable
        name="users"
        label={t('title')}
        columns={columns}
        rows={people}
        rowKey={idOf}
        textOf={textOf}
        minWidth={340}
        initialOrder={byName}
        selection={{
          nameOf: ({ name }) => name,
          canSelect: ({ id }) => id !== ownId,
          renderActions: (chosen) => (
            <ManyActions chosen={chosen} onAct={(what, some) => setOpenDialog({ what, people: some })} />
          ),
        }}
      />
      <Suspense>{renamed === null ? null : <ChangeEmail person={renamed} onClose={() => setRenamed(null)} />}</Suspense>
      <ConfirmDialog
        opened={openDialog !== null}
        title={t(what)}
        confirmLabel={t(what)}
        onClose={() => setOpenDialog(null)}
        onConfirm={async () => {
          if (openDialog === null) return;
          const { what: act, people: some } = openDialog;
          try {
            await forEachConcurrently(some, ({ id }) =>
              act === 'remove'
                ? api.run('DELETE', `/users/${id}`)
                : api.patch(`/users/${id}`, { state: 'disabled' }, Person),
            );
          } finally {
            await queries.invalidateQueries({ queryKey: ['users'] });
          }
          done(t('changed'));
        }}
      >
        {asked.length > 1
          ? t(`${what}_many_hint`, { count: asked.length, names: asked.map(({ name }) => name).join(', ') })
          : t(`${what}_hint`, { name: asked[0]?.name ?? '' })}
      </ConfirmDialog>
    </>
  );
}

/** A link that was made. */
interface Shown {
  readonly link: OneTimeLink;
  readonly invite: boolean;
  /** Address that the link was mailed to. */
  readonly mailedTo: string | null;
}

/** People of the tenant and their roles. */
export function Page() {
  const { t } = useTranslation('users');
  const [opened, { open, close }] = useDisclosure(false);
  const [shown, setShown] = useState<Shown | null>(null);
  const [manyOpened, many] = useDisclosure(false);
  const query = useQuery(usersQuery);
  const { data } = query;
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <Button variant="default" leftSection={<IconUsersPlus size={16} aria-hidden />} onClick={many.open}>
              {t('invite_many')}
            </Button>
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
              {t('invite')}
            </Button>
          </>
        }
      />
      <Loaded query={query}>
        {({ items }) => (
          <Users
            people={items}
            onLink={(link, { state }) => setShown({ link, invite: state === 'invited', mailedTo: null })}
          />
        )}
      </Loaded>
      <Suspense>
        {manyOpened && data !== undefined ? (
          <BulkInvite people={data.items} mails={data.mails} onClose={many.close} />
        ) : null}
      </Suspense>
      <Suspense>
        {opened ? (
          <Invite
            opened
            onClose={close}
            onInvited={({ link, user, mailed }) =>
              setShown({ link, invite: true, mailedTo: mailed ? user.email : null })
            }
          />
        ) : null}
      </Suspense>
      <OneTimeLinkDialog
        link={shown?.link ?? null}
        title={t(shown?.invite ? 'invite_link' : 'reset_link')}
        hint={
          shown?.mailedTo != null
            ? t('invite_mailed', { email: shown.mailedTo })
            : t(shown?.invite ? 'invite_link_hint' : 'reset_link_hint')
        }
        onClose={() => setShown(null)}
      />
    </>
  );
}
