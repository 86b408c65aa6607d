import { InvitedPerson, NewPerson } from '@ai-studio/contract/console/people.ts';
import { roles } from '@ai-studio/contract/console/roles.ts';
import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '../../api/client.ts';
import { FormRootAlert } from '../../parts/form-root-alert.tsx';
import { useFormFailure } from '../../parts/form.ts';

interface InviteProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onInvited: (invited: z.infer<typeof InvitedPerson>) => void;
}

function InviteForm({ onClose, onInvited }: Omit<InviteProps, 'opened'>) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const form = useForm({
    resolver: zodResolver(NewPerson),
    defaultValues: { email: '', name: '', role: 'user' as const },
  });
  const fail = useFormFailure(form);
  const { mutate, isPending } = useMutation({
    mutationFn: (body: z.infer<typeof NewPerson>) => api.post('/users', body, InvitedPerson),
    async onSuccess(invited) {
      onClose();
      onInvited(invited);
      await queries.invalidateQueries({ queryKey: ['users'] });
    },
    onError: fail,
  });
  const { errors } = form.formState;
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit((body) => mutate(body))(event)}>
      <Stack gap="md">
        <FormRootAlert error={errors.root} />
        <TextInput
          label={t('email')}
          type="email"
          required
          data-autofocus
          error={
            errors.email
              ? errors.email.type === 'custom' || !errors.email.type
                ? errors.email.message
                : t('email_needed')
              : undefined
          }
          {...form.register('email', { setValueAs: (text: string) => text.trim() })}
        />
        <TextInput
          label={t('name')}
          required
          error={errors.name ? t('name_needed') : undefined}
          {...form.register('name')}
        />
        <Controller
          control={form.control}
          name="role"
          render={({ field: { value, onChange } }) => (
            <Radio.Group label={t('role')} value={value} onChange={onChange}>
              <Stack gap="xs" mt="xs">
                {roles.map((role) => (
                  <Radio key={role} value={role} label={common(`role.${role}`)} description={t(`role_hint.${role}`)} />
                ))}
              </Stack>
            </Radio.Group>
          )}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('invite')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Invites a person to the tenant; the answer is a link to hand over. */
export function Invite({ opened, ...rest }: InviteProps) {
  const { t } = useTranslation('users');
  return (
    <Modal opened={opened} onClose={rest.onClose} title={t('invite')} size="md">
      <InviteForm {...rest} />
    </Modal>
  );
}
