import { zodResolver } from '@hookform/resolvers/zod';
import { MadeTenant, NewTenant } from '@ai-studio/contract/console/people.ts';
import { Button, Fieldset, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '../../api/client.ts';
import { FormRootAlert } from '../../parts/form-root-alert.tsx';
import { useFormFailure } from '../../parts/form.ts';

/** What the service answers: the tenant and the link for its first administrator. */
export type Made = z.infer<typeof MadeTenant>;

interface FormProps {
  readonly onClose: () => void;
  readonly onMade: (made: Made) => void;
}

function NewTenantForm({ onClose, onMade }: FormProps) {
  const { t } = useTranslation('tenants');
  const { t: common } = useTranslation('common');
  const form = useForm({ resolver: zodResolver(NewTenant), defaultValues: { name: '', email: '', admin_name: '' } });
  const { mutate, isPending } = useMutation({
    mutationFn: (body: z.output<typeof NewTenant>) => api.post('/tenants', body, MadeTenant),
    onSuccess: onMade,
    onError: useFormFailure(form),
  });
  const { errors } = form.formState;
  const needed = { required: true, withAsterisk: false } as const;
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit((body) => mutate(body))(event)}>
      <Stack gap="md">
        <FormRootAlert error={errors.root} />
        <TextInput
          {...needed}
          label={t('name')}
          description={t('name_hint')}
          data-autofocus
          error={errors.name?.message}
          {...form.register('name')}
        />
        <Fieldset legend={t('first_administrator')}>
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {t('first_administrator_hint')}
            </Text>
            <TextInput
              {...needed}
              label={t('admin_name')}
              autoComplete="off"
              error={errors.admin_name?.message}
              {...form.register('admin_name')}
            />
            <TextInput
              {...needed}
              label={t('email')}
              type="email"
              autoComplete="off"
              error={errors.email?.message}
              {...form.register('email', { setValueAs: (text: string) => text.trim() })}
            />
          </Stack>
        </Fieldset>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {common('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface NewTenantDialogProps extends FormProps {
  readonly opened: boolean;
}

/** Makes a tenant and invites its first administrator; the answer holds a link to hand over. */
export function NewTenantDialog({ opened, ...rest }: NewTenantDialogProps) {
  const { t } = useTranslation('tenants');
  return (
    <Modal opened={opened} onClose={rest.onClose} title={t('new')} centered>
      <NewTenantForm {...rest} />
    </Modal>
  );
}
