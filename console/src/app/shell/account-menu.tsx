import { Group, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconLanguage, IconLogout, IconSelector, IconUser } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { useMe } from '../../api/session.ts';
import { removeDraftsOf } from '../../parts/composer/drafts.ts';
import { doBeforeLeaving } from '../before-leaving.ts';
import { usePreferences } from '../use-preferences.ts';
import classes from './shell.module.css';

/** Ends the session and shows the sign-in, whatever the service says: a person who leaves must not see the page stay. */
function useSignOut(): () => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { user } = useMe();
  const { mutate } = useMutation({
    mutationFn: async () => {
      await doBeforeLeaving();
      await api.run('POST', '/logout');
    },
    onSettled: async () => {
      removeDraftsOf(localStorage, user.id);
      await navigate({ to: '/login' });
      queries.clear();
    },
  });
  return () => mutate();
}

function useSwitchTenant(): (tenantId: string) => void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutate } = useMutation({
    mutationFn: async (tenantId: string) => {
      await doBeforeLeaving();
      await api.run('POST', '/me/tenant', { tenant_id: tenantId });
    },
    onSuccess: async () => {
      await navigate({ to: '/' });
      // Nothing of the other tenant may stay on the page.
      await queries.resetQueries();
    },
  });
  return mutate;
}

const themes = ['light', 'dark', 'system'] as const;

function ThemeChoice() {
  const { t } = useTranslation('shell');
  const { theme, setTheme } = usePreferences();
  const choose = (value: string) => {
    const chosen = themes.find((one) => one === value);
    if (chosen) setTheme(chosen);
  };
  return (
    <Menu.RadioGroup value={theme} onChange={choose}>
      {themes.map((one) => (
        <Menu.RadioItem key={one} value={one}>
          {t(`theme_${one}`)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

/** The letters by which a name is known: one of a Korean name, as its syllables stand for themselves, two of others. */
function initialsOf(name: string): string {
  const [first = '', last] = name.trim().split(/\s+/);
  const [letter = ''] = first;
  return /\p{Script=Hangul}/u.test(letter) || last === undefined
    ? letter
    : `${letter}${/./u.exec(last)?.[0] ?? ''}`.toUpperCase();
}

/** Who is signed in and where; language, theme, tenants and the way out. */
export function AccountMenu({ folded }: { readonly folded: boolean }) {
  const { t } = useTranslation('shell');
  const { t: common } = useTranslation('common');
  const me = useMe();
  const { language, setLanguage } = usePreferences();
  const signOut = useSignOut();
  const switchTenant = useSwitchTenant();
  const place = me.tenant?.name ?? common('operator');
  return (
    <Menu position="top-start" width={272} shadow="md" withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes['account'] ?? ''} data-folded={folded}>
          <VisuallyHidden>{t('account')}</VisuallyHidden>
          <Group gap={10} wrap="nowrap">
            <span className={classes['initials']} aria-hidden>
              {initialsOf(me.user.name)}
            </span>
            {folded ? null : (
              <>
                <div className={classes['accountText']}>
                  <Text size="sm" fw={600} truncate>
                    {me.user.name}
                  </Text>
                  <Text size="xs" c="dimmed" truncate>
                    {me.role === null ? place : `${place} · ${common(`role.${me.role}`)}`}
                  </Text>
                </div>
                <IconSelector size={16} aria-hidden />
              </>
            )}
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/profile" leftSection={<IconUser size={16} />}>
          {t('profile')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLanguage size={16} />}
          lang={language === 'ko' ? 'en' : 'ko'}
          onClick={() => setLanguage(language === 'ko' ? 'en' : 'ko')}
        >
          {language === 'ko' ? 'English' : '한국어'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('theme')}</Menu.Label>
        <ThemeChoice />
        {me.memberships.length > 1 ? (
          <>
            <Menu.Divider />
            <Menu.Label>{t('switch_tenant')}</Menu.Label>
            {me.memberships.map(({ tenant_id: id, tenant_name: name }) => (
              <Menu.Item
                key={id}
                onClick={() => switchTenant(id)}
                rightSection={id === me.tenant?.id ? <IconCheck size={16} aria-hidden /> : null}
                aria-current={id === me.tenant?.id ? 'true' : undefined}
              >
                {name}
              </Menu.Item>
            ))}
          </>
        ) : null}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {t('sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
