import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useMe } from '../../api/session.ts';
import { focusAgain } from '../focus-again.ts';
import { useErrorMessage } from '../use-error-message.ts';
import { ReauthContext, type WithReauth } from './use-reauth.ts';

/** Above the dialog that started the action. */
const ABOVE_DIALOGS = 300;

interface ReauthFormProps {
  readonly onReauthenticated: () => void;
  readonly onClose: () => void;
}

function ReauthForm({ onReauthenticated, onClose }: ReauthFormProps) {
  const { t } = useTranslation('parts');
  const { t: common } = useTranslation('common');
  const errorMessage = useErrorMessage();
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
        {error === null || wrong ? null : (
          <Alert color="red" variant="light" role="alert">
            {errorMessage(error)}
          </Alert>
        )}
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

/** Nothing to type: what proves who they are is the sign-in itself. */
function NoPassword({ onClose }: Pick<ReauthFormProps, 'onClose'>) {
  const { t } = useTranslation('parts');
  const { t: common } = useTranslation('common');
  return (
    <Stack gap="md">
      <Text size="sm">{t('proof.no_password')}</Text>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {common('close')}
        </Button>
      </Group>
    </Stack>
  );
}

interface PendingReauth {
  readonly proven: () => void;
  readonly refused: () => void;
}

/** Provides {@link useReauth} to its children: asks for the password in a dialog, then retries the refused call. */
export function ReauthProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('parts');
  const { has_password: hasPassword } = useMe().user;
  const [pending, setPending] = useState<PendingReauth | null>(null);
  const withReauth = useCallback<WithReauth>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'reauthentication_needed') throw error;
      await new Promise<void>((resolve, reject) => setPending({ proven: resolve, refused: () => reject(error) }));
      return work();
    }
  }, []);
  const close = () => {
    pending?.refused();
    setPending(null);
  };
  const go = () => {
    pending?.proven();
    setPending(null);
  };
  return (
    <ReauthContext value={withReauth}>
      {children}
      <Modal
        opened={pending !== null}
        onClose={close}
        title={t('proof.title')}
        size="sm"
        centered
        zIndex={ABOVE_DIALOGS}
      >
        {hasPassword ? <ReauthForm onReauthenticated={go} onClose={close} /> : <NoPassword onClose={close} />}
      </Modal>
    </ReauthContext>
  );
}
