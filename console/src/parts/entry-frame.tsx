import { Anchor, Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Brand } from '../app/shell/brand.tsx';
import { usePreferences } from '../app/use-preferences.ts';

interface EntryFrameProps {
  readonly title: string;
  readonly description?: string;
  readonly children: ReactNode;
}

/** The frame of pages before the sign-in: one card in the middle, and the other language below it. */
export function EntryFrame({ title, description, children }: EntryFrameProps) {
  const { t } = useTranslation('login');
  const { language, setLanguage } = usePreferences();
  const other = language === 'ko' ? 'en' : 'ko';
  useEffect(() => {
    document.title = `${title} · AI Studio`;
  }, [title]);
  return (
    <Box component="main" px="md" py={{ base: 'xl', sm: 80 }} mih="100dvh">
      <Stack maw="26rem" mx="auto" gap="lg">
        <Group justify="space-between">
          <Brand />
          <Anchor component="button" type="button" size="sm" lang={other} onClick={() => setLanguage(other)}>
            {other === 'ko' ? '한국어' : 'English'}
          </Anchor>
        </Group>
        <Paper withBorder radius="lg" p={{ base: 'lg', sm: 'xl' }} shadow="xs">
          <Stack gap="lg">
            <Stack gap={4}>
              <Title order={1} size="h3">
                {title}
              </Title>
              {description === undefined ? null : <Text c="dimmed">{description}</Text>}
            </Stack>
            {children}
          </Stack>
        </Paper>
        <Text size="xs" c="dimmed" ta="center">
          {t('self_hosted')}
        </Text>
      </Stack>
    </Box>
  );
}
