import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { meQuery, useMe } from '../../api/session.ts';
import { focusAgain } from '../../parts/focus-again.ts';
import { useReauth } from '../../parts/reauth/use-reauth.ts';
import { useErrorMessage } from '../../parts/use-error-message.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { sessionsQuery } from './queries.ts';

/** What the service says of a field; null where it says nothing of it. */
function useFieldMessage(error: Error | null): (field: 'email' | 'password') => string | null {
  const { t } = useTranslation('profilePage');
  const { t: parts } = useTranslation('parts');
  const errorMessage = useErrorMessage();
  return (field) => {
    if (!(error instanceof ApiError) || error.param !== field) return null;
    if (error.reason === 'wrong_credentials') return parts('proof.wrong');
    return error.reason === 'invalid_field' ? t('email_change.wrong') : errorMessage(error);
  };
}

function EmailForm({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('profilePage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { user } = useMe();
  const { done } = useNotify();
  const withReauth = useReauth();
  const errorMessage = useErrorMessage();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const address = useRef<HTMLInputElement>(null);
  const proof = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      withReauth(() =>
        api.run('POST', '/me/email', { email: email.trim(), ...(user.has_password ? { password } : {}) }),
      ),
    async onSuccess() {
      onClose();
      done(t('email_change.changed'));
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (failure) =>
      focusAgain(failure instanceof ApiError && failure.param === 'password' ? proof.current : address.current),
  });
  const said = useFieldMessage(error);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('email_change.hint')}</Text>
        {error === null || said('email') !== null || said('password') !== null ? null : (
          <Alert color="red" variant="light" role="alert">
            {errorMessage(error)}
          </Alert>
        )}
        <TextInput
          ref={address}
          type="email"
          label={t('email_change.next')}
          autoComplete="off"
          maxLength={254}
          required
          withAsterisk={false}
          data-autofocus
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          error={said('email')}
        />
        {user.has_password ? (
          <PasswordInput
            ref={proof}
            label={t('password.current')}
            autoComplete="current-password"
            maxLength={200}
            required
            withAsterisk={false}
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
            error={said('password')}
          />
        ) : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {common('cancel')}
          </Button>
          <Button
            type="submit"
            loading={isPending}
            disabled={email.trim() === '' || (user.has_password && password === '')}
          >
            {t('email_change.change')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The address that the person signs in with, and another one in its place. */
export function Email() {
  const { t } = useTranslation('profilePage');
  const { user } = useMe();
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Group align="flex-end" gap="sm" wrap="nowrap">
      <TextInput
        label={t('email')}
        description={t('email_hint')}
        value={user.email}
        readOnly
        variant="filled"
        flex={1}
      />
      <Button variant="default" onClick={open}>
        {t('email_change.title')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('email_change.title')} size="sm" centered>
        <EmailForm onClose={close} />
      </Modal>
    </Group>
  );
}
