import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import type { PersonLine } from './people-file.ts';
import type { NewMember } from './use-invite-people.ts';

const isSkipped = ({ problem }: PersonLine) => problem === 'twice' || problem === 'member';

function useColumns(): Column<PersonLine>[] {
  const { t } = useTranslation('invitePeople');
  const { t: users } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const { number } = useFormat();
  return [
    {
      key: 'line',
      header: t('line'),
      align: 'end',
      width: 72,
      sort: ({ line }) => line,
      cell: ({ line }) => number(line),
    },
    { key: 'email', header: users('email'), sort: ({ email }) => email, cell: ({ email }) => email },
    { key: 'name', header: users('name'), from: 'sm', sort: ({ name }) => name, cell: ({ name }) => name },
    {
      key: 'role',
      header: users('role'),
      from: 'sm',
      cell: ({ role, roleText }) => (role === null ? roleText : common(`role.${role}`)),
    },
    {
      key: 'result',
      header: t('result'),
      sort: ({ problem }) => problem ?? '',
      cell: (row) =>
        row.problem === null ? (
          <Text size="sm" c="dimmed">
            {t('ready')}
          </Text>
        ) : (
          <Text size="sm" {...(isSkipped(row) ? { c: 'dimmed' } : { c: 'var(--mantine-color-error)' })}>
            {t(`problems.${row.problem}`, { role: row.roleText })}
          </Text>
        ),
    },
  ];
}

interface PreviewProps {
  readonly people: readonly PersonLine[];
  /** Whether links are mailed. */
  readonly mails: boolean;
  readonly onBack: () => void;
  readonly onInvite: (people: readonly NewMember[]) => void;
}

/** Who would be invited, and what is wrong with which line, before anything is done. */
export function Preview({ people, mails, onBack, onInvite }: PreviewProps) {
  const { t } = useTranslation('invitePeople');
  const { number } = useFormat();
  const columns = useColumns();
  const ready = people.flatMap(({ email, name, role, problem }) =>
    problem === null && role !== null ? [{ email, name, role }] : [],
  );
  const skipped = people.filter(isSkipped).length;
  const wrong = people.length - ready.length - skipped;
  // What is wrong comes first: it is what people look for in a long list.
  const ordered = people.toSorted((a, b) => Number(a.problem === null) - Number(b.problem === null) || a.line - b.line);
  return (
    <Stack gap="md">
      <Text role="status" fw={600}>
        {t('summary', { ready: number(ready.length), skipped: number(skipped), wrong: number(wrong) })}
      </Text>
      {wrong === 0 ? null : (
        <Alert color="orange" variant="light">
          {t('wrong_left_out')}
        </Alert>
      )}
      <DataTable
        label={t('preview')}
        columns={columns}
        rows={ordered}
        rowKey={({ line }) => String(line)}
        pageSize={10}
        minWidth={300}
      />
      <Text size="sm" c="dimmed">
        {t(mails ? 'mails' : 'no_mails')}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button disabled={ready.length === 0} onClick={() => onInvite(ready)}>
          {t('invite', { count: ready.length })}
        </Button>
      </Group>
    </Stack>
  );
}
