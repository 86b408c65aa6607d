import type { Extraction } from '@ai-studio/contract/retrieval/extraction.ts';
import { Alert, Badge, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDownload, IconTable, IconTrash, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { RelativeTime } from '../../../parts/relative-time.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { useNotify } from '../../../parts/use-notify.tsx';
import { extractionFile, extractionPath } from './queries.ts';
import { Results } from './results.tsx';

const colors = { running: 'blue', done: 'green', failed: 'red', cancelled: 'gray' } as const;

interface CardProps {
  readonly extraction: Extraction;
  readonly mayChange: boolean;
  /** Whether its table is open at first. */
  readonly opened: boolean;
}

interface ActsProps {
  readonly extraction: Extraction;
  readonly mayChange: boolean;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Acts({ extraction, mayChange, isOpen, onOpen }: ActsProps) {
  const { t } = useTranslation('collectionsPage');
  const queries = useQueryClient();
  const { failed } = useNotify();
  const { collection_id: id, extraction_id: extractionId } = extraction;
  const running = extraction.state === 'running';
  const path = extractionPath(id, extractionId);
  const { mutate: end, isPending } = useMutation({
    mutationFn: () => (running ? api.run('POST', `${path}/cancel`) : api.run('DELETE', path)),
    onError: failed,
    onSettled: () => queries.invalidateQueries({ queryKey: ['collection', id, 'extractions'] }),
  });
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTable size={14} aria-hidden />}
        aria-expanded={isOpen}
        onClick={onOpen}
      >
        {t('extraction.table')}
      </Button>
      <Button
        component="a"
        href={extractionFile(id, extractionId)}
        download
        size="compact-sm"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
      >
        {t('extraction.csv')}
      </Button>
      {mayChange ? (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          loading={isPending}
          leftSection={running ? <IconX size={14} aria-hidden /> : <IconTrash size={14} aria-hidden />}
          onClick={() => end()}
        >
          {t(running ? 'extraction.cancel' : 'extraction.remove')}
        </Button>
      ) : null}
    </Group>
  );
}

/** An extraction: how far it is, and what was found. */
export function ExtractionCard({ extraction, mayChange, opened }: CardProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const [isOpen, { toggle }] = useDisclosure(opened);
  const { state, done, failed, total, failure, by, created_at: at } = extraction;
  return (
    <Paper withBorder radius="md" p="md" component="li">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="sm">
            <Badge variant="light" tt="none" color={colors[state]}>
              {t(`extraction.states.${state}`)}
            </Badge>
            <Text size="sm" c="dimmed">
              <RelativeTime at={at} /> · {by} ·{' '}
              {t('extraction.progress', { done: number(done + failed), total: number(total) })}
              {failed > 0 ? ` · ${t('extraction.failed', { failed: number(failed) })}` : ''}
            </Text>
          </Group>
          <Acts extraction={extraction} mayChange={mayChange} isOpen={isOpen} onOpen={toggle} />
        </Group>
        {state === 'running' ? (
          <Progress value={(100 * (done + failed)) / Math.max(1, total)} aria-label={t('extraction.states.running')} />
        ) : null}
        {failure === null ? null : (
          <Alert color="red" variant="light">
            {t('extraction.failure', { reason: failure })}
          </Alert>
        )}
        {isOpen ? <Results extraction={extraction} /> : null}
      </Stack>
    </Paper>
  );
}
