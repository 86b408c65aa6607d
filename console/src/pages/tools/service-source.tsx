import { Button, FileButton, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Longest description that the service reads. */
const MAX_TEXT_LENGTH = 2_000_000;

interface ServiceTextProps {
  readonly isNew: boolean;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** The OpenAPI document of a service: pasted, or from a file. */
function ServiceText({ isNew, value, onChange }: ServiceTextProps) {
  const { t } = useTranslation('toolsPage');
  const [problem, setProblem] = useState<string | null>(null);
  const take = async (file: File | null) => {
    if (file === null) return;
    const text = file.size > MAX_TEXT_LENGTH * 4 ? null : await file.text();
    setProblem(text === null || text.length > MAX_TEXT_LENGTH ? t('file_too_large') : null);
    if (text !== null && text.length <= MAX_TEXT_LENGTH) onChange(text);
  };
  return (
    <Stack gap="xs">
      <Textarea
        label={t('service_text')}
        description={t(isNew ? 'service_text_hint' : 'service_text_change_hint')}
        required={isNew}
        error={problem}
        minRows={5}
        maxRows={12}
        autosize
        spellCheck={false}
        maxLength={MAX_TEXT_LENGTH}
        placeholder={'openapi: 3.1.0\npaths:\n  /items/{id}: …'}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Group>
        <FileButton accept=".json,.yaml,.yml,application/json,application/yaml" onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="light" leftSection={<IconFileText size={14} aria-hidden />}>
              {t('choose_file')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Stack>
  );
}

/** Where the document of a service comes from. */
export const sources = ['url', 'text'] as const;
export type Source = (typeof sources)[number];

interface ServiceSourceProps extends ServiceTextProps {
  readonly source: Source;
  readonly onSource: (source: Source) => void;
  readonly url: string;
  readonly onUrl: (url: string) => void;
}

/** The OpenAPI document of a service: at an address, pasted, or from a file. */
export function ServiceSource({ source, onSource, url, onUrl, ...text }: ServiceSourceProps) {
  const { t } = useTranslation('toolsPage');
  const label = useId();
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500} id={label}>
        {t('document.source')}
      </Text>
      <SegmentedControl
        aria-labelledby={label}
        data={sources.map((value) => ({ value, label: t(`document.source_${value}`) }))}
        value={source}
        onChange={onSource}
      />
      {source === 'url' ? (
        <TextInput
          label={t('document.url')}
          description={t('document.url_hint')}
          type="url"
          required
          maxLength={2_000}
          placeholder="https://api.example.kr/openapi.json"
          value={url}
          onChange={({ currentTarget }) => onUrl(currentTarget.value)}
        />
      ) : (
        <ServiceText {...text} />
      )}
    </Stack>
  );
}
