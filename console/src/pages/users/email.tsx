import { Person, PersonEmail } from '@ai-studio/contract/console/people.ts';
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '../../api/client.ts';
import { FormRootAlert } from '../../parts/form-root-alert.tsx';
import { useFormFailure } from '../../parts/form.ts';
import { useNotify } from '../../parts/use-notify.tsx';

interface ChangeEmailProps {
  /** Null while the dialog is closed. */
  readonly person: Person | null;
  readonly onClose: () => void;
}

function EmailForm({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done } = useNotify();
  const form = useForm({ resolver: zodResolver(PersonEmail), defaultValues: { email: person.email } });
  const fail = useFormFailure(form);
  const { mutate, isPending } = useMutation({
    mutationFn: (body: z.infer<typeof PersonEmail>) => api.post(`/users/${person.id}/email`, body, Person),
    async onSuccess() {
      onClose();
      done(t('changed'));
      await queries.invalidateQueries({ queryKey: ['users'] });
    },
    onError: fail,
  });
  const { errors } = form.formState;
  const typed = errors.email?.type === 'custom' || !errors.email?.type;
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit((body) => mutate(body))(event)}>
      <Stack gap="md">
        <Text size="sm">{t('email_hint', { name: person.name })}</Text>
        <FormRootAlert error={errors.root} />
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="off"
          required
          data-autofocus
          error={errors.email ? (typed ? errors.email.message : t('email_needed')) : undefined}
          {...form.register('email', { setValueAs: (text: string) => text.trim() })}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {common('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Another address for somebody to sign in with. */
export function ChangeEmail({ person, onClose }: ChangeEmailProps) {
  const { t } = useTranslation('users');
  return (
    <Modal opened={person !== null} onClose={onClose} title={t('change_email')} size="sm" centered>
      {person === null ? null : <EmailForm person={person} onClose={onClose} />}
    </Modal>
  );
}
