import { languages, Me } from '@ai-studio/contract/console/session.ts';
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { meQuery, useMe } from '../../api/session.ts';
import { usePreferences } from '../../app/use-preferences.ts';
import { FormAlert } from '../../parts/form-alert.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { Email } from './email.tsx';
import { Section } from './section.tsx';

function Name() {
  const { t } = useTranslation('profilePage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { user } = useMe();
  const { done } = useNotify();
  const [name, setName] = useState(user.name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.patch('/me', { name: name.trim() }, Me),
    onSuccess(me) {
      queries.setQueryData(meQuery.queryKey, me);
      setName(me.user.name);
      done(common('saved'));
    },
  });
  const unchanged = name.trim() === user.name;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack gap="sm">
        <FormAlert error={error} />
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            label={t('name')}
            autoComplete="name"
            maxLength={100}
            required
            withAsterisk={false}
            flex={1}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button type="submit" loading={isPending} disabled={unchanged || name.trim() === ''}>
            {common('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** In itself, so that people find it whatever the page speaks. */
const languageNames = { ko: '한국어', en: 'English' } as const;
const themes = ['system', 'light', 'dark'] as const;

function Preferences() {
  const { t } = useTranslation('profilePage');
  const { t: shell } = useTranslation('shell');
  const { language, theme, setLanguage, setTheme } = usePreferences();
  return (
    <>
      <Radio.Group
        label={t('language')}
        value={language}
        onChange={(value) => setLanguage(value === 'ko' ? 'ko' : 'en')}
      >
        <Group mt={6} gap="lg">
          {languages.map((one) => (
            <Radio key={one} value={one} lang={one} label={languageNames[one]} />
          ))}
        </Group>
      </Radio.Group>
      <Radio.Group
        label={t('theme')}
        value={theme}
        onChange={(value) => setTheme(themes.find((one) => one === value) ?? 'system')}
      >
        <Group mt={6} gap="lg">
          {themes.map((one) => (
            <Radio key={one} value={one} label={shell(`theme_${one}`)} />
          ))}
        </Group>
      </Radio.Group>
    </>
  );
}

/** Who the person is, and how the console looks to them. */
export function Own() {
  const { t } = useTranslation('profilePage');
  return (
    <Section id="own" title={t('own')}>
      <Name />
      <Email />
      <Preferences />
    </Section>
  );
}
