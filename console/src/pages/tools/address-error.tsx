import { OpenedHost } from '@ai-studio/contract/console/network.ts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useMe } from '../../api/session.ts';
import { useErrorMessage } from '../../parts/use-error-message.ts';

/** Whether a failure is about the address of the server, and is told at its field. */
export const isAddressError = (error: unknown): error is ApiError => error instanceof ApiError && error.param === 'url';

interface AddressErrorProps {
  readonly error: ApiError;
  /** Sends the form again. */
  readonly onOpened: () => void;
}

/** Why an address was not taken, and what can be done about it: open its host where the person may, else whom to ask. */
export function AddressError({ error, onOpened }: AddressErrorProps) {
  const { t } = useTranslation('toolsPage');
  const errorMessage = useErrorMessage();
  const mayOpen = useMe().actions.includes('network.manage');
  const host = String(error.values['host'] ?? '').replace(/^\[|\]$/g, '');
  const closed = error.reason === 'tool_address_closed' || error.reason === 'tool_address_https';
  const open = useMutation({
    mutationFn: () => api.post('/opened-hosts', { host, note: t('open_note') }, OpenedHost),
    onSuccess: onOpened,
  });
  if (!closed) return errorMessage(error);
  return (
    <Stack gap={6} component="span" display="flex">
      <span>{errorMessage(error)}</span>
      {mayOpen ? (
        <Group gap="xs" component="span">
          <Button size="xs" variant="light" loading={open.isPending} onClick={() => open.mutate()}>
            {t('open_host', { host })}
          </Button>
          <Text size="xs" component="span" c="dimmed">
            {t('open_host_hint')}
          </Text>
        </Group>
      ) : (
        <span>{t('ask_operator')}</span>
      )}
      {open.error === null ? null : <span>{errorMessage(open.error)}</span>}
    </Stack>
  );
}
