import { ActionIcon, Button, CloseButton, Group, Progress, Stack, Text } from '@mantine/core';
import { IconRefresh, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../../../parts/use-error-message.ts';
import { useFormat } from '../../../parts/use-format.ts';
import classes from '../collections.module.css';
import type { FailedUpload, useUploads } from './uploads.ts';

/** Failures that are told one by one. */
const MAX_SHOWN = 20;

type Uploads = ReturnType<typeof useUploads>;

const nameOf = ({ dropped: { file, folder } }: FailedUpload) =>
  folder === null ? file.name : `${folder}/${file.name}`;

function Failed({ failed, retry, dismiss }: { failed: FailedUpload } & Pick<Uploads, 'retry' | 'dismiss'>) {
  const { t } = useTranslation('collectionsPage');
  const errorMessage = useErrorMessage();
  const name = nameOf(failed);
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="sm">
      <div>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="xs" c="var(--mantine-color-error)">
          {errorMessage(failed.error)}
        </Text>
      </div>
      <Group gap={2} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('upload.retry', { name })}
          onClick={() => retry([failed])}
        >
          <IconRefresh size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('upload.dismiss', { name })}
          onClick={() => dismiss(failed)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}

/** How far files are that are on their way, and which did not arrive. */
export function UploadPanel({ uploads }: { readonly uploads: Uploads }) {
  const { t } = useTranslation('collectionsPage');
  const { number, duration } = useFormat();
  const { state, retry, dismiss, stop, close } = uploads;
  const { total, done, inProgress, open, failed, waitingMs } = state;
  if (total === 0 && failed.length === 0) return null;
  const arrived = Math.max(0, done - failed.length);
  return (
    <section className={classes['panel']} aria-label={t('upload.title')}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={600} role="status">
            {open
              ? waitingMs === null
                ? t('upload.going', { done: number(done), total: number(total) })
                : t('upload.waiting', { seconds: duration(waitingMs) })
              : t('upload.done', { count: arrived })}
          </Text>
          {open ? (
            <Button size="compact-sm" variant="default" onClick={stop}>
              {t('upload.stop')}
            </Button>
          ) : (
            <CloseButton size="sm" aria-label={t('upload.close')} onClick={close} />
          )}
        </Group>
        {open ? (
          <Progress value={total === 0 ? 100 : (100 * (done + inProgress)) / total} aria-label={t('upload.title')} />
        ) : null}
        {failed.length === 0 ? null : (
          <>
            <Group justify="space-between">
              <Text size="sm" c="var(--mantine-color-error)">
                {t('upload.failed', { count: failed.length })}
              </Text>
              <Button size="compact-sm" variant="subtle" onClick={() => retry(failed)}>
                {t('upload.retry_all')}
              </Button>
            </Group>
            <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
              {failed.slice(0, MAX_SHOWN).map((one) => (
                <Failed key={one.id} failed={one} retry={retry} dismiss={dismiss} />
              ))}
            </Stack>
            {failed.length > MAX_SHOWN ? (
              <Text size="xs" c="dimmed">
                {t('upload.more', { count: failed.length - MAX_SHOWN })}
              </Text>
            ) : null}
          </>
        )}
      </Stack>
    </section>
  );
}
