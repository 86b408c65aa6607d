import type { ManyInvited } from '@ai-studio/contract/console/people.ts';
import { Alert, Badge, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconDownload, IconLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { toCsv } from '../../../parts/csv.ts';
import { saveText } from '../../../parts/save-text.ts';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { useErrorMessage } from '../../../parts/use-error-message.ts';
import { useFormat } from '../../../parts/use-format.ts';
import type { InviteRun } from './use-invite-people.ts';

const outcomeOf = ({ outcome, mailed }: ManyInvited) =>
  outcome === 'already_member' ? outcome : mailed ? 'mailed' : 'link';
const colors = { mailed: 'green', link: 'blue', already_member: 'gray' } as const;

function useColumns(): Column<ManyInvited>[] {
  const { t } = useTranslation('invitePeople');
  const { t: users } = useTranslation('users');
  return [
    {
      key: 'email',
      header: users('email'),
      sort: ({ email }) => email,
      cell: ({ email, name }) => (
        <>
          <Text size="sm">{name}</Text>
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        </>
      ),
    },
    {
      key: 'outcome',
      header: t('result'),
      sort: outcomeOf,
      cell: (person) => (
        <Badge variant="light" tt="none" color={colors[outcomeOf(person)]}>
          {t(`outcomes.${outcomeOf(person)}`)}
        </Badge>
      ),
    },
  ];
}

function Links({ people }: { readonly people: readonly ManyInvited[] }) {
  const { t } = useTranslation('invitePeople');
  const { t: users } = useTranslation('users');
  const linked = people.flatMap(({ email, name, role, link }) => (link === null ? [] : [{ email, name, role, link }]));
  if (linked.length === 0) return null;
  const heading = [users('email'), users('name'), users('role'), t('link_column'), t('expires_column')];
  const rows = linked.map(({ email, name, role, link }) => [email, name, role, link.url, link.expires_at]);
  return (
    <Alert variant="light" icon={<IconLink size={18} aria-hidden />}>
      <Stack gap="sm">
        <Text size="sm">{t('links_once')}</Text>
        <Group gap="sm">
          <CopyButton
            value={linked.map(({ email, link }) => `${email}\t${link.url}`).join('\n')}
            label={t('copy_links')}
            withText
          />
          <Button
            size="xs"
            variant="light"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => saveText('invitations.csv', toCsv([heading, ...rows]), 'text/csv')}
          >
            {t('save_links')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

interface OutcomeProps {
  readonly run: InviteRun;
  readonly onStop: () => void;
  readonly onClose: () => void;
}

/** What came of the invitations, with the links to hand over where no mail took them. */
export function Outcome({ run: { total, invited, running, error }, onStop, onClose }: OutcomeProps) {
  const { t } = useTranslation('invitePeople');
  const { number } = useFormat();
  const errorMessage = useErrorMessage();
  const columns = useColumns();
  const count = invited.filter(({ outcome }) => outcome === 'invited').length;
  if (running)
    return (
      <Stack gap="md">
        <Text role="status">{t('progress', { done: number(invited.length), total: number(total) })}</Text>
        <Progress value={(invited.length / total) * 100} aria-label={t('title')} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onStop}>
            {t('stop')}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <Stack gap="md">
      <Text role="status" fw={600}>
        {t('done', { count })}
      </Text>
      {error === null ? null : (
        <Alert color="red" variant="light" role="alert">
          {t('failed', { count: total - invited.length, why: errorMessage(error) })}
        </Alert>
      )}
      <Links people={invited} />
      <DataTable
        label={t('result')}
        columns={columns}
        rows={invited}
        rowKey={({ email }) => email}
        pageSize={10}
        minWidth={280}
      />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('close')}</Button>
      </Group>
    </Stack>
  );
}
