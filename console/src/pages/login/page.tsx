import { LoginResult } from '@ai-studio/contract/console/session.ts';
import { Alert, Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiUrl, api } from '../../api/client.ts';
import { canUsePasskeys, isDismissed, signInWithPasskey } from '../../api/passkeys.ts';
import { welcomeQuery } from '../../api/session.ts';
import { EntryFrame } from '../../parts/entry-frame.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';

/** Fields of a form by their names; browsers' own password managers fill these, whatever React knows of it. */
const fieldsOf = (event: SyntheticEvent<HTMLFormElement>) =>
  Object.fromEntries(new FormData(event.currentTarget)) as Readonly<Record<string, string>>;

/** Once signed in: the address that was asked for, with nothing of the time before in memory. */
function useArrive(): () => void {
  const { next } = useSearch({ from: '/login' });
  const queries = useQueryClient();
  return () => {
    queries.clear();
    globalThis.location.assign(`/console${next ?? '/'}`);
  };
}

function PasswordStep({ onCode }: { readonly onCode: () => void }) {
  const { t } = useTranslation('login');
  const arrive = useArrive();
  const email = useRef<HTMLInputElement>(null);
  // There is nothing else to do here; on a touch screen the keyboard would cover the other ways in.
  useEffect(() => {
    if (globalThis.matchMedia('(pointer: fine)').matches) email.current?.focus();
  }, []);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: unknown) => api.post('/login', body, LoginResult),
    onSuccess: ({ state }) => (state === 'second_factor' ? onCode() : arrive()),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const { email: address = '', password = '' } = fieldsOf(event);
        mutate({ email: address.trim(), password });
      }}
    >
      <Stack gap="md">
        <FormAlert error={error} />
        <TextInput
          name="email"
          type="email"
          label={t('email')}
          ref={email}
          autoComplete="username webauthn"
          required
          withAsterisk={false}
        />
        <PasswordInput
          name="password"
          label={t('password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
        />
        <Button type="submit" loading={isPending} fullWidth>
          {t('sign_in')}
        </Button>
      </Stack>
    </form>
  );
}

function CodeStep({ onBack }: { readonly onBack: () => void }) {
  const { t } = useTranslation('login');
  const arrive = useArrive();
  const field = useRef<HTMLInputElement>(null);
  // The person came here by a button of this page; the next thing to do is to type.
  useEffect(() => field.current?.focus(), []);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (code: string) => api.post('/login/code', { code }, LoginResult),
    onSuccess: arrive,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate((fieldsOf(event)['code'] ?? '').trim());
      }}
    >
      <Stack gap="md">
        <FormAlert error={error} />
        <TextInput
          name="code"
          label={t('code')}
          description={t('code_hint')}
          inputMode="text"
          autoComplete="one-time-code"
          ref={field}
          required
          withAsterisk={false}
        />
        <Button type="submit" loading={isPending} fullWidth>
          {t('sign_in')}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('other_account')}
        </Anchor>
      </Stack>
    </form>
  );
}

function OtherWays() {
  const { t } = useTranslation('login');
  const arrive = useArrive();
  const { data: welcome } = useQuery(welcomeQuery);
  const { mutate, isPending, error } = useMutation({ mutationFn: signInWithPasskey, onSuccess: arrive });
  const passkeys = canUsePasskeys();
  const sso = welcome?.single_sign_on ?? null;
  if (!passkeys && sso === null) return null;
  return (
    <Stack gap="sm">
      <Divider label={t('or')} />
      {isDismissed(error) ? null : <FormAlert error={error} />}
      {passkeys ? (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={18} aria-hidden />}
          loading={isPending}
          onClick={() => mutate()}
        >
          {t('with_passkey')}
        </Button>
      ) : null}
      {sso === null ? null : (
        <Button variant="default" component="a" href={apiUrl('/sso/start')}>
          {t('with_sso', { name: sso.name })}
        </Button>
      )}
    </Stack>
  );
}

/** Sign-in with password and second factor, passkey, or single sign-on. */
export function Page() {
  const { t } = useTranslation('login');
  const { data: welcome } = useQuery(welcomeQuery);
  const { error: reason } = useSearch({ from: '/login' });
  const { t: errors } = useTranslation('errors');
  const [step, setStep] = useState<'password' | 'code'>('password');
  if (step === 'code') {
    return (
      <EntryFrame title={t('code_title')}>
        <CodeStep onBack={() => setStep('password')} />
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={t('title')}>
      {welcome?.setup_needed ? (
        <Text component="output" size="sm">
          {t('setup_needed')}
        </Text>
      ) : null}
      {reason === undefined ? null : (
        <Alert color="red" variant="light" role="alert">
          {errors(`reasons.${reason}`)}
        </Alert>
      )}
      <PasswordStep onCode={() => setStep('code')} />
      <OtherWays />
      <Text size="sm" c="dimmed">
        {t('forgotten')}
      </Text>
    </EntryFrame>
  );
}
