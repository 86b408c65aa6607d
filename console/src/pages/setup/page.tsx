import { LoginResult } from '@ai-studio/contract/console/session.ts';
import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { usePreferences } from '../../app/use-preferences.ts';
import { EntryFrame } from '../../parts/entry-frame.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useLinkToken } from '../../parts/use-link-token.ts';

function SetupForm({ token }: { readonly token: string }) {
  const { t } = useTranslation('setup');
  const { language } = usePreferences();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (fields: Record<string, FormDataEntryValue>) =>
      api.post('/setup', { ...fields, token, language }, LoginResult),
    onSuccess: () => globalThis.location.assign('/console/'),
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
        <TextInput
          name="organisation"
          label={t('organisation')}
          description={t('organisation_hint')}
          autoComplete="organization"
          maxLength={100}
          required
        />
        <TextInput name="name" label={t('name')} autoComplete="name" maxLength={100} required />
        <TextInput name="email" type="email" label={t('email')} autoComplete="username" maxLength={254} required />
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
          {t('begin')}
        </Button>
      </Stack>
    </form>
  );
}

/** The first administrator of an installation, by the link that the service prints. */
export function Page() {
  const { t } = useTranslation('setup');
  const token = useLinkToken();
  return (
    <EntryFrame title={t('title')} description={t('description')}>
      {token === null ? <Text role="alert">{t('no_token')}</Text> : <SetupForm token={token} />}
    </EntryFrame>
  );
}
