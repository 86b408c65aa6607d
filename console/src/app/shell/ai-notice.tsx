import type { Me } from '@ai-studio/contract/console/session.ts';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconSparkles } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { meQuery } from '../../api/session.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import classes from './shell.module.css';

type Notice = NonNullable<NonNullable<Me['ai']>['notice']>;

/** What the tenant tells people before they first use an AI. It stays until it was read. */
export function AiNotice({ notice }: { readonly notice: Notice }) {
  const { t, i18n } = useTranslation('answers');
  const loaded = useLazyNamespace('answers');
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.run('POST', '/me/ai-notice', { version: notice.version }),
    onSuccess: () =>
      queries.setQueryData(meQuery.queryKey, (me) =>
        me === undefined || me.ai === null ? me : { ...me, ai: { ...me.ai, notice: null } },
      ),
    // It says something else by now: that is shown.
    onError: (failure) =>
      failure instanceof ApiError && failure.status === 409 ? queries.invalidateQueries(meQuery) : undefined,
  });
  if (!loaded) return null;
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={
        <Group gap="xs" wrap="nowrap">
          <IconSparkles size={20} aria-hidden />
          {t('notice_title')}
        </Group>
      }
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack gap="lg">
        <Text className={classes['notice'] ?? ''}>{i18n.language === 'ko' ? notice.ko : notice.en}</Text>
        <FormAlert error={error} />
        <Button data-autofocus loading={isPending} onClick={() => mutate()}>
          {t('notice_read')}
        </Button>
      </Stack>
    </Modal>
  );
}
