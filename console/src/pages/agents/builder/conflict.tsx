import { Alert, Button, Group, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useErrorMessage } from '../../../parts/use-error-message.ts';

interface ConflictProps {
  /** Who did; null where that is not known. */
  readonly by: string | null;
  readonly onKeep: () => Promise<void>;
  readonly onTake: () => Promise<void>;
}

/** Somebody else saved the draft: whose shall it be? */
export function Conflict({ by, onKeep, onTake }: ConflictProps) {
  const { t } = useTranslation('agentBuilder');
  const errorMessage = useErrorMessage();
  const keep = useMutation({ mutationFn: onKeep });
  const take = useMutation({ mutationFn: onTake });
  const error = keep.error ?? take.error;
  const busy = keep.isPending || take.isPending;
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      radius={0}
      icon={<IconUsers size={18} aria-hidden />}
      title={by === null ? t('conflict.title') : t('conflict.title_by', { name: by })}
    >
      <Text size="sm">{t('conflict.hint')}</Text>
      {error === null ? null : (
        <Text size="sm" c="red">
          {errorMessage(error)}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" disabled={busy} loading={take.isPending} onClick={() => take.mutate()}>
          {t('conflict.take')}
        </Button>
        <Button size="xs" variant="default" disabled={busy} loading={keep.isPending} onClick={() => keep.mutate()}>
          {t('conflict.keep')}
        </Button>
      </Group>
    </Alert>
  );
}
