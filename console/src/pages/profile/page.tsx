import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../api/session.ts';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { LoadingPage } from '../../parts/loading.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ReauthProvider } from '../../parts/reauth/reauth-provider.tsx';
import { Own } from './own.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { Totp, type TotpBeginning, useTotpBeginning } from './totp.tsx';

/** For people whom the tenant lets in no further without a second factor. */
function SecondFactorNeeded({ beginning }: { readonly beginning: TotpBeginning }) {
  const { t } = useTranslation('profilePage');
  const me = useMe();
  return (
    <Alert
      color="orange"
      variant="light"
      role="alert"
      title={t('must_title')}
      icon={<IconShieldLock size={20} aria-hidden />}
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('must_hint', { tenant: me.tenant?.name ?? '' })}</Text>
        {me.user.totp ? null : (
          <Button loading={beginning.isPending} onClick={() => beginning.begin()}>
            {t('must_begin')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function Profile() {
  const { t } = useTranslation('profile');
  const messagesLoaded = useLazyNamespace('profilePage');
  const { must_add_second_factor: must } = useMe();
  const beginning = useTotpBeginning();
  if (!messagesLoaded) return <LoadingPage />;
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <Stack gap="lg" maw="46rem">
        {must ? <SecondFactorNeeded beginning={beginning} /> : null}
        <Own />
        <Password />
        <Totp beginning={beginning} />
        <Passkeys />
        <Sessions />
      </Stack>
    </>
  );
}

/** The signed-in person's own: name, language, theme, and everything that proves who they are. */
export const Page = () => (
  <ReauthProvider>
    <Profile />
  </ReauthProvider>
);
