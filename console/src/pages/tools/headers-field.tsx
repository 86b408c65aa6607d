import { ActionIcon, Button, Fieldset, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** A header as it is entered. `key` tells rows apart. */
export interface HeaderRow {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

/** What is sent: rows that are not empty. */
export const headersOf = (rows: readonly HeaderRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]));

interface HeadersFieldProps {
  readonly rows: readonly HeaderRow[];
  readonly onChange: (rows: readonly HeaderRow[]) => void;
}

const MAX_HEADERS = 20;

/** Headers that go with every call. */
export function HeadersField({ rows, onChange }: HeadersFieldProps) {
  const { t } = useTranslation('toolsPage');
  const set = (key: number, change: Partial<HeaderRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  const add = () => onChange([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, name: '', value: '' }]);
  return (
    <Fieldset legend={t('headers_title')}>
      <Stack gap="sm">
        <Text size="xs" c="dimmed">
          {t('headers_hint')}
        </Text>
        {rows.map(({ key, name, value }, at) => (
          <Group key={key} gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              flex={1}
              miw={0}
              label={t('header_name')}
              placeholder="Authorization"
              required
              maxLength={100}
              autoComplete="off"
              value={name}
              onChange={({ currentTarget }) => set(key, { name: currentTarget.value })}
            />
            <PasswordInput
              flex={2}
              miw={0}
              label={t('header_value')}
              required
              maxLength={8_000}
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': t('show_value') }}
              value={value}
              onChange={({ currentTarget }) => set(key, { value: currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('remove_header', { number: at + 1 })}
              onClick={() => onChange(rows.filter((row) => row.key !== key))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {rows.length >= MAX_HEADERS ? null : (
          <Group>
            <Button size="xs" variant="light" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
              {t('add_header')}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}
