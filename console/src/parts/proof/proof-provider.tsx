import { Alert, Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { useMe } from '../../api/session.ts';
import { focusAgain } from '../focus-again.ts';
import { useErrorWords } from '../use-error-words.ts';
import { ProofContext, type WithProof } from './use-proof.ts';

/** Above the dialog that asked for something. */
const ABOVE_DIALOGS = 300;

interface ProofFormProps {
  readonly onProven: () => void;
  readonly onClose: () => void;
}

function ProofForm({ onProven, onClose }: ProofFormProps) {
  const { t } = useTranslation('parts');
  const { t: common } = useTranslation('common');
  const words = useErrorWords();
  const { user } = useMe();
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.run('POST', '/me/reauthenticate', { password }),
    onSuccess: onProven,
    onError: () => focusAgain(field.current),
  });
  const wrong = error instanceof ApiError && error.reason === 'wrong_credentials';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // The dialog is a part of the form that asked, as React sees it.
        event.stopPropagation();
        mutate();
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('proof.hint')}</Text>
        {error === null || wrong ? null : (
          <Alert color="red" variant="light" role="alert">
            {words(error)}
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
function NoPassword({ onClose }: Pick<ProofFormProps, 'onClose'>) {
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

interface Asked {
  readonly proven: () => void;
  readonly refused: () => void;
}

/** Gives what is below it {@link useProof}: the dialog for the password, and the repetition of what was asked. */
export function ProofProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('parts');
  const { has_password: hasPassword } = useMe().user;
  const [asked, setAsked] = useState<Asked | null>(null);
  const withProof = useCallback<WithProof>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'reauthentication_needed') throw error;
      await new Promise<void>((resolve, reject) => setAsked({ proven: resolve, refused: () => reject(error) }));
      return work();
    }
  }, []);
  const close = () => {
    asked?.refused();
    setAsked(null);
  };
  const go = () => {
    asked?.proven();
    setAsked(null);
  };
  return (
    <ProofContext value={withProof}>
      {children}
      <Modal opened={asked !== null} onClose={close} title={t('proof.title')} size="sm" centered zIndex={ABOVE_DIALOGS}>
        {hasPassword ? <ProofForm onProven={go} onClose={close} /> : <NoPassword onClose={close} />}
      </Modal>
    </ProofContext>
  );
}
