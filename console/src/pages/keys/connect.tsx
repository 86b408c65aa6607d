import { Code, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy-button.tsx';
import { type KeyPreset, presets } from './presets.ts';

interface ConnectProps {
  readonly preset: KeyPreset;
  readonly value: string;
}

/** The settings of the programs that a key was made for. */
export function Connect({ preset, value }: ConnectProps) {
  const { t } = useTranslation('keysPage');
  const lines = presets[preset].settings(window.location.origin, value);
  if (lines.length === 0) return null;
  const text = lines.join('\n');
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('connect', { program: t(`presets.${preset}`) })}</Text>
      <Text size="sm" c="dimmed">
        {t('connect_hint')}
      </Text>
      <Code block data-testid="key-settings">
        {text}
      </Code>
      <Group>
        <CopyButton value={text} label={t('copy_settings')} withText />
      </Group>
    </Stack>
  );
}
