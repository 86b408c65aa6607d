import { Alert, Button, Group, PasswordInput, Stack } from '@mantine/core';
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
import { Section } from './section.tsx';
import { sessionsQuery } from './queries.ts';

const empty = { current: '', password: '' };
type Fields = typeof empty;

/** What the service says of a field; null where it says nothing of it. */
function useFieldMessage(error: Error | null): (field: keyof Fields) => string | null {
  const { t } = useTranslation('parts');
  const errorMessage = useErrorMessage();
  return (field) => {
    if (!(error instanceof ApiError) || error.param !== field) return null;
    return error.reason === 'wrong_credentials' ? t('proof.wrong') : errorMessage(error);
  };
}

function PasswordForm({ hasPassword }: { readonly hasPassword: boolean }) {
  const { t } = useTranslation('profilePage');
  const queries = useQueryClient();
  const { user } = useMe();
  const { done } = useNotify();
  const withReauth = useReauth();
  const errorMessage = useErrorMessage();
  const [fields, setFields] = useState(empty);
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ current, password }: Fields) =>
      withReauth(() => api.run('POST', '/me/password', hasPassword ? { current, password } : { password })),
    async onSuccess() {
      setFields(empty);
      done(t('password.changed'));
      await queries.invalidateQueries({ queryKey: meQuery.queryKey });
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError(error) {
      const wrong = error instanceof ApiError && error.param === 'password' ? next : current;
      focusAgain(wrong.current);
    },
  });
  const said = useFieldMessage(error);
  const change = (part: Partial<Fields>) => setFields((before) => ({ ...before, ...part }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate(fields);
      }}
    >
      <Stack gap="md">
        {error === null || said('current') !== null || said('password') !== null ? null : (
          <Alert color="red" variant="light" role="alert">
            {errorMessage(error)}
          </Alert>
        )}
        <input type="text" name="email" autoComplete="username" value={user.email} readOnly hidden />
        {hasPassword ? (
          <PasswordInput
            ref={current}
            label={t('password.current')}
            autoComplete="current-password"
            maxLength={200}
            required
            withAsterisk={false}
            value={fields.current}
            onChange={({ currentTarget }) => change({ current: currentTarget.value })}
            error={said('current')}
          />
        ) : null}
        <PasswordInput
          ref={next}
          label={t('password.next')}
          description={t('password.next_hint')}
          autoComplete="new-password"
          minLength={10}
          maxLength={200}
          required
          withAsterisk={false}
          value={fields.password}
          onChange={({ currentTarget }) => change({ password: currentTarget.value })}
          error={said('password')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={fields.password === ''}>
            {t(hasPassword ? 'password.change' : 'password.set')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Another password; all other sessions end with the old one. */
export function Password() {
  const { t } = useTranslation('profilePage');
  const { has_password: hasPassword } = useMe().user;
  return (
    <Section id="password" title={t('password.title')} hint={t(hasPassword ? 'password.hint' : 'password.none')}>
      <PasswordForm hasPassword={hasPassword} />
    </Section>
  );
}
