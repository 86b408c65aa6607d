import type { ParserOutline } from '@ai-studio/contract/console/parser.ts';
import { ActionIcon, Group, List, Popover, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useWarningMessage } from '../../parts/use-warning-message.ts';

/** What could not be read as it should, behind a sign that says how much there is. */
export function Warnings({ outline: { warnings, more_warnings: more } }: { readonly outline: ParserOutline }) {
  const { t } = useTranslation('parser');
  const words = useWarningMessage();
  if (warnings.length === 0) return null;
  const label = t('warnings', { count: warnings.length + more });
  return (
    <Popover position="bottom-end" width={340} withArrow shadow="md">
      <Popover.Target>
        <ActionIcon variant="light" color="yellow" size="lg" aria-label={label} title={label}>
          <IconAlertTriangle size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Group gap={6} mb="xs">
          <Text fw={600} size="sm">
            {label}
          </Text>
        </Group>
        <List size="sm" mah="50vh" style={{ overflowY: 'auto' }}>
          {warnings.map((warning, at) => (
            // oxlint-disable-next-line react/no-array-index-key
            <List.Item key={at}>{words(warning)}</List.Item>
          ))}
        </List>
        {more === 0 ? null : (
          <Text size="sm" c="dimmed" mt="xs">
            {t('more_warnings', { count: more })}
          </Text>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
