import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useMe } from '../../api/session.ts';
import { focusAgain } from '../focus-again.ts';
import { FormAlert } from '../form-alert.tsx';

interface ReauthFormProps {
  readonly onReauthenticated: () => void;
  readonly onClose: () => void;
}

/** Asks for the password once more. */
export function ReauthForm({ onReauthenticated, onClose }: ReauthFormProps) {
  const { t } = useTranslation('parts');
  const { t: common } = useTranslation('common');
  const { user } = useMe();
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.run('POST', '/me/reauthenticate', { password }),
    onSuccess: onReauthenticated,
    onError: () => focusAgain(field.current),
  });
  const wrong = error instanceof ApiError && error.reason === 'wrong_credentials';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // In React's tree the dialog is inside the form that started the action: the submit must not bubble there.
        event.stopPropagation();
        mutate();
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('proof.hint')}</Text>
        <FormAlert error={wrong ? null : error} />
        {/* Tells password managers whose password it is. */}
        <input type="text" name="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordInput
          ref={field}
          label={t('proof.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          error={wrong ? t('proof.wrong') : undefined}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={password === ''}>
            {t('proof.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
