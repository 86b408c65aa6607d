import { LinkInfo, LoginResult } from '@ai-studio/contract/console/session.ts';
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { isSignedOut } from '../../api/error.ts';
import { EntryFrame } from '../../parts/entry-frame.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { storeLinkToken, useLinkToken } from '../../parts/use-link-token.ts';

interface Known {
  readonly token: string;
  readonly info: LinkInfo;
}

/** A password for somebody who has none, or who asked for another. */
function ChoosePassword({ token, info }: Known) {
  const { t } = useTranslation('link');
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: Record<string, FormDataEntryValue>) =>
      api.post('/links/use', { ...fields, token }, LoginResult),
    onSuccess: ({ state }) => globalThis.location.assign(state === 'signed_in' ? '/console/' : '/console/login'),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate(Object.fromEntries(new FormData(event.currentTarget)));
      }}
    >
      <Stack gap="md">
        <FormAlert error={error} />
        <TextInput label={t('email')} value={info.email} autoComplete="username" readOnly />
        {info.kind === 'invite' ? (
          <TextInput
            name="name"
            label={t('name')}
            defaultValue={info.name ?? ''}
            autoComplete="name"
            maxLength={100}
            required
          />
        ) : null}
        <PasswordInput
          name="password"
          label={t('password')}
          description={t('password_hint')}
          autoComplete="new-password"
          minLength={10}
          maxLength={200}
          required
          visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
        />
        <Button type="submit" loading={isPending} fullWidth>
          {t(info.kind === 'invite' ? 'join' : 'set_password')}
        </Button>
      </Stack>
    </form>
  );
}

/** An invitation of somebody who has an account: they accept it as themselves. */
function Accept({ token, info }: Known) {
  const { t } = useTranslation('link');
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.run('POST', '/links/accept', { token }),
    onSuccess: () => globalThis.location.assign('/console/'),
  });
  const signedOut = isSignedOut(error);
  const signIn = () => {
    storeLinkToken(token);
    void navigate({ to: '/login', search: { next: '/link' } });
  };
  return (
    <Stack gap="md">
      {signedOut ? <Text role="alert">{t('sign_in_first', { email: info.email })}</Text> : <FormAlert error={error} />}
      <Text>{t('accept_hint', { tenant: info.tenant_name ?? '', email: info.email })}</Text>
      {signedOut ? (
        <Button onClick={signIn}>{t('sign_in')}</Button>
      ) : (
        <Button loading={isPending} onClick={() => mutate()}>
          {t('accept')}
        </Button>
      )}
    </Stack>
  );
}

/** Who invites, and to what: before anybody chooses a password. */
function Invited({ info: { invited_by: inviter, role, needs_password: isNew } }: Pick<Known, 'info'>) {
  const { t } = useTranslation('link');
  const { t: common } = useTranslation('common');
  if (role === null) return null;
  const name = common(`role.${role}`);
  return (
    <Stack gap={4}>
      <Text fw={600}>
        {inviter === null ? t('invited_as', { role: name }) : t('invited_by', { inviter, role: name })}
      </Text>
      <Text size="sm" c="dimmed">
        {t(`role_can.${role}`)} {isNew ? t('invite_hint') : ''}
      </Text>
    </Stack>
  );
}

function Known({ token }: { readonly token: string }) {
  const { t } = useTranslation('link');
  const { data: info, error } = useQuery({
    queryKey: ['link', token],
    queryFn: ({ signal }) => api.post('/links/look', { token }, LinkInfo, { signal }),
    retry: false,
    staleTime: Infinity,
  });
  if (error !== null) {
    return (
      <EntryFrame title={t('title')}>
        <ErrorState error={error} />
      </EntryFrame>
    );
  }
  if (info === undefined) {
    return (
      <EntryFrame title={t('title')}>
        <LoadingRows rows={2} />
      </EntryFrame>
    );
  }
  const invited = info.kind === 'invite';
  return (
    <EntryFrame
      title={invited ? t('invite_title', { tenant: info.tenant_name ?? 'AI Studio' }) : t('reset_title')}
      {...(invited ? {} : { description: t('reset_hint') })}
    >
      <Invited info={info} />
      {info.needs_password ? <ChoosePassword token={token} info={info} /> : <Accept token={token} info={info} />}
    </EntryFrame>
  );
}

/** One-time links: invitations, and passwords that are set anew. */
export function Page() {
  const { t } = useTranslation('link');
  const token = useLinkToken();
  if (token !== null) return <Known token={token} />;
  return (
    <EntryFrame title={t('title')}>
      <Text role="alert">{t('no_token')}</Text>
    </EntryFrame>
  );
}
