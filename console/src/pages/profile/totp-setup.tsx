import { RecoveryCodes, type TotpSetup } from '@ai-studio/contract/console/session.ts';
import { Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '../../api/client.ts';
import { ApiError } from '../../api/error.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { focusAgain } from '../../parts/focus-again.ts';
import { useReauth } from '../../parts/reauth/use-reauth.ts';
import classes from './entries.module.css';

export type Setup = z.infer<typeof TotpSetup>;

/** In groups of four, as people type it. */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

interface SetupFormProps {
  readonly setup: Setup;
  readonly onConfirmed: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

function SetupForm({ setup, onConfirmed, onClose }: SetupFormProps) {
  const { t } = useTranslation('profilePage');
  const { t: common } = useTranslation('common');
  const withReauth = useReauth();
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => withReauth(() => api.post('/me/totp/confirm', { code: code.trim() }, RecoveryCodes)),
    onSuccess: ({ codes }) => onConfirmed(codes),
    onError: () => focusAgain(field.current),
  });
  const wrong = error instanceof ApiError && error.param === 'code';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="md">
        {wrong ? null : <FormAlert error={error} />}
        <Text size="sm">{t('totp.scan')}</Text>
        {/* A picture of its own: what stands in it cannot act on the page. */}
        <img
          className={classes['qr']}
          src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`}
          alt={t('totp.qr')}
          width={208}
          height={208}
        />
        <Stack gap={6}>
          <Text size="sm">{t('totp.by_hand')}</Text>
          <Group gap="xs" wrap="nowrap">
            <Code data-testid="totp-secret">{grouped(setup.secret)}</Code>
            <CopyButton value={setup.secret} label={t('totp.copy_secret')} />
          </Group>
        </Stack>
        <TextInput
          ref={field}
          label={t('totp.code')}
          description={t('totp.code_hint')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          required
          withAsterisk={false}
          data-autofocus
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          error={wrong ? t('totp.wrong_code') : undefined}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={isPending} disabled={code.replaceAll(/\s/g, '').length < 6}>
            {t('totp.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface TotpSetupDialogProps extends Omit<SetupFormProps, 'setup'> {
  /** Null: closed. */
  readonly setup: Setup | null;
}

/** Puts an authenticator app in force, once it shows the right code. */
export function TotpSetupDialog({ setup, ...rest }: TotpSetupDialogProps) {
  const { t } = useTranslation('profilePage');
  return (
    <Modal opened={setup !== null} onClose={rest.onClose} title={t('totp.set_up')} centered closeOnClickOutside={false}>
      {setup === null ? null : <SetupForm setup={setup} {...rest} />}
    </Modal>
  );
}
