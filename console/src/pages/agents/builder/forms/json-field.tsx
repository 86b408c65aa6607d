import { Button, Group, JsonInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './forms.module.css';

type JsonObject = Record<string, unknown>;

interface JsonFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: JsonObject | undefined;
  readonly onChange: (value: JsonObject | undefined) => void;
  readonly error?: string | undefined;
  /** What it may look like. */
  readonly example: JsonObject;
}

const written = (value: JsonObject | undefined) => (value === undefined ? '' : JSON.stringify(value, null, 2));

function read(text: string): JsonObject | undefined | null {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** An object as JSON. What is not yet one stays in the field alone. */
export function JsonField({ label, description, value, onChange, error, example }: JsonFieldProps) {
  const { t } = useTranslation('agentBuilder');
  const [draft, setDraft] = useState<{ readonly of: string; readonly text: string } | null>(null);
  const now = JSON.stringify(value);
  const text = draft !== null && draft.of === (now ?? '') ? draft.text : written(value);
  const take = (next: string) => {
    const found = read(next);
    if (found === null) return setDraft({ of: now ?? '', text: next });
    setDraft({ of: found === undefined ? '' : JSON.stringify(found), text: next });
    onChange(found);
  };
  return (
    <div>
      <JsonInput
        label={label}
        description={description}
        autosize
        minRows={text === '' ? 2 : 4}
        maxRows={18}
        spellCheck={false}
        value={text}
        error={read(text) === null ? t('no_json_object') : error}
        classNames={{ input: classes['mono'] ?? '' }}
        onChange={take}
        onBlur={() => {
          if (read(text) !== null) setDraft(null);
        }}
      />
      {text === '' ? (
        <Group mt={6}>
          <Button size="compact-xs" variant="default" onClick={() => onChange(example)}>
            {t('insert_example')}
          </Button>
        </Group>
      ) : null}
    </div>
  );
}
