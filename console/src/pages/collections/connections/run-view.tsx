import type { ConnectorRun } from '@ai-studio/contract/retrieval/connector.ts';
import { Alert, Badge, Group, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useWhy } from './use-why.ts';

const stateColors = { running: 'blue', done: 'green', cancelled: 'gray', failed: 'red' } as const;
const changeColors = {
  added: 'green',
  changed: 'blue',
  readers: 'grape',
  removed: 'red',
  held_back: 'yellow',
} as const;

/** How many documents a run added, changed and removed, or would. */
function Counts({ run }: { readonly run: ConnectorRun }) {
  const { t } = useTranslation('connections');
  const { number } = useFormat();
  const { seen, added, changed, removed, failed, readers_changed: readers, dry } = run;
  return (
    <Text size="sm" c="dimmed">
      {t(dry ? 'counts_dry' : 'counts', {
        seen: number(seen),
        added: number(added),
        changed: number(changed),
        removed: number(removed),
      })}
      {readers > 0 ? ` · ${t('readers_changed', { documents: number(readers) })}` : ''}
      {failed > 0 ? ` · ${t('failed', { failed: number(failed) })}` : ''}
    </Text>
  );
}

interface ListProps {
  readonly label: string;
  readonly children: ReactNode;
}

const List = ({ label, children }: ListProps) => (
  <Table.ScrollContainer minWidth={320} maxHeight={320} type="native" tabIndex={0} role="group" aria-label={label}>
    <Table aria-label={label} withTableBorder>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);

/** Which documents a run added, changed and removed, or would, and which it could not take. */
export function RunDetails({ run }: { readonly run: ConnectorRun }) {
  const { t } = useTranslation('connections');
  const whyOf = useWhy();
  const { changes, problems, dry } = run;
  if (changes.length + problems.length === 0) return null;
  return (
    <Stack gap="sm">
      {changes.length === 0 ? null : (
        <List label={t(dry ? 'preview' : 'changes')}>
          {changes.map(({ name, change }, at) => (
            // Names may stand there twice: they are those of files, of any folder.
            // eslint-disable-next-line react/no-array-index-key
            <Table.Tr key={at}>
              <Table.Th scope="row" fw={400}>
                {name}
              </Table.Th>
              <Table.Td w="10rem">
                <Badge variant="light" tt="none" color={changeColors[change]}>
                  {t(dry ? `would.${change}` : `did.${change}`)}
                </Badge>
              </Table.Td>
            </Table.Tr>
          ))}
        </List>
      )}
      {problems.length === 0 ? null : (
        <List label={t('problems')}>
          {problems.map(({ name, ...problem }, at) => {
            const { title, english } = whyOf(problem);
            return (
              // eslint-disable-next-line react/no-array-index-key
              <Table.Tr key={at}>
                <Table.Th scope="row" fw={400}>
                  {name === '' ? t('whole') : name}
                </Table.Th>
                <Table.Td>
                  <Text size="sm">{title}</Text>
                  {english === null ? null : (
                    <Text size="xs" c="dimmed" lang="en">
                      {english}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </List>
      )}
    </Stack>
  );
}

/** How a run went, or how far it is. */
export function RunSummary({ run }: { readonly run: ConnectorRun }) {
  const { t } = useTranslation('connections');
  const whyOf = useWhy();
  const { state, dry, failure, ended_at: endedAt, created_at: begunAt } = run;
  const done = run.added + run.changed + run.removed + run.failed + run.held_back + run.readers_changed;
  const why = failure === null ? null : whyOf(failure);
  const isEmpty = state === 'done' && done === 0;
  return (
    <Stack gap="xs" role="status">
      <Group gap="sm">
        <Badge variant="light" tt="none" color={stateColors[state]}>
          {t(dry ? `tests.${state}` : `states.${state}`)}
        </Badge>
        <Text size="sm" c="dimmed">
          <RelativeTime at={endedAt ?? begunAt} />
        </Text>
        <Counts run={run} />
      </Group>
      {isEmpty ? <Text size="sm">{t('nothing')}</Text> : null}
      {why === null ? null : (
        <Alert color="red" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />} title={why.title}>
          {why.english === null ? null : (
            <Text size="sm" lang="en">
              {why.english}
            </Text>
          )}
        </Alert>
      )}
    </Stack>
  );
}
