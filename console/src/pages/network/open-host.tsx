import { zodResolver } from '@hookform/resolvers/zod';
import { NewOpenedHost, OpenedHost } from '@ai-studio/contract/console/network.ts';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '../../api/client.ts';
import { FormRootAlert } from '../../parts/form-root-alert.tsx';
import { useFormFailure } from '../../parts/form.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { openedHostsQuery } from './queries.ts';

interface FormProps {
  readonly onClose: () => void;
}

function OpenHostForm({ onClose }: FormProps) {
  const { t } = useTranslation('network');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done } = useNotify();
  const form = useForm({ resolver: zodResolver(NewOpenedHost), defaultValues: { host: '', note: '' } });
  const { mutate, isPending } = useMutation({
    mutationFn: (body: z.output<typeof NewOpenedHost>) => api.post('/opened-hosts', body, OpenedHost),
    async onSuccess({ host }) {
      onClose();
      done(t('added', { host }));
      await queries.invalidateQueries({ queryKey: openedHostsQuery.queryKey });
    },
    onError: useFormFailure(form),
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit((body) => mutate(body))(event)}>
      <Stack gap="md">
        <FormRootAlert error={errors.root} />
        <TextInput
          required
          withAsterisk={false}
          label={t('host')}
          description={t('host_hint')}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          error={errors.host?.message}
          {...form.register('host')}
        />
        <TextInput
          label={t('note')}
          description={t('note_hint')}
          error={errors.note?.message}
          {...form.register('note')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Opens a private host for the requests of all tenants. */
export function OpenHostDialog({ opened, onClose }: FormProps & { readonly opened: boolean }) {
  const { t } = useTranslation('network');
  return (
    <Modal opened={opened} onClose={onClose} title={t('add')} centered>
      <OpenHostForm onClose={onClose} />
    </Modal>
  );
}
