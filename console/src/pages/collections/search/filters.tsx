import {
  ActionIcon,
  Autocomplete,
  Button,
  Group,
  JsonInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './search.module.css';
import { type Condition, filterOf, operators, parseFilter } from './settings.ts';

/** Filters as people make them: by a form, or as JSON. */
export interface FilterDraft {
  readonly kind: 'form' | 'json';
  readonly conditions: readonly Condition[];
  readonly json: string;
}

export const noFilter: FilterDraft = { kind: 'form', conditions: [], json: '' };

/** The filter of a draft; null where it cannot be read. */
export const readDraft = ({ kind, conditions, json }: FilterDraft) =>
  kind === 'form' ? filterOf(conditions) : parseFilter(json);

/** Fields that every document has. */
const builtIn = ['document_name', 'created_at', 'page'];

interface ConditionProps {
  readonly condition: Condition;
  readonly number: number;
  readonly fields: readonly string[];
  readonly onChange: (change: Partial<Condition>) => void;
  readonly onRemove: () => void;
}

function ConditionRow({ condition, number, fields, onChange, onRemove }: ConditionProps) {
  const { t } = useTranslation('collectionsPage');
  const { field, operator, value } = condition;
  return (
    <div className={classes['condition']}>
      <Autocomplete
        size="sm"
        aria-label={t('search.field')}
        placeholder={t('search.field')}
        data={[...fields, ...builtIn]}
        value={field}
        onChange={(chosen) => onChange({ field: chosen })}
      />
      <Select
        size="sm"
        aria-label={t('search.operator')}
        allowDeselect={false}
        data={operators.map((one) => ({ value: one, label: t(`search.operators.${one}`) }))}
        value={operator}
        onChange={(chosen) => onChange({ operator: operators.find((one) => one === chosen) ?? '$eq' })}
      />
      {operator === '$exists' ? null : (
        <TextInput
          size="sm"
          className={classes['value'] ?? ''}
          aria-label={t('search.value')}
          placeholder={t('search.value')}
          value={value}
          onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
        />
      )}
      <ActionIcon
        size={36}
        variant="subtle"
        color="gray"
        aria-label={t('search.remove_filter', { number })}
        onClick={onRemove}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}

interface FiltersProps {
  readonly draft: FilterDraft;
  /** Metadata that is indexed. */
  readonly fields: readonly string[];
  readonly onChange: (draft: FilterDraft) => void;
}

/** Which documents a search is of. */
export function Filters({ draft, fields, onChange }: FiltersProps) {
  const { t } = useTranslation('collectionsPage');
  const last = useRef(0);
  const { kind, conditions, json } = draft;
  const wrong = kind === 'json' && parseFilter(json) === null;
  const toJson = () => {
    const filter = filterOf(conditions);
    return filter === undefined ? json : JSON.stringify(filter, null, 2);
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {t('search.filters')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('search.filters')}
          value={kind}
          onChange={(value) =>
            onChange(value === 'json' ? { ...draft, kind: 'json', json: toJson() } : { ...draft, kind: 'form' })
          }
          data={[
            { value: 'form', label: t('search.filter_form') },
            { value: 'json', label: t('search.filter_json') },
          ]}
        />
      </Group>
      {kind === 'form' ? (
        <>
          {conditions.map((condition, at) => (
            <ConditionRow
              key={condition.id}
              condition={condition}
              number={at + 1}
              fields={fields}
              onChange={(change) =>
                onChange({
                  ...draft,
                  conditions: conditions.map((one) => (one === condition ? { ...one, ...change } : one)),
                })
              }
              onRemove={() => onChange({ ...draft, conditions: conditions.filter((one) => one !== condition) })}
            />
          ))}
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            style={{ alignSelf: 'flex-start' }}
            onClick={() =>
              onChange({
                ...draft,
                conditions: [...conditions, { id: ++last.current, field: fields[0] ?? '', operator: '$eq', value: '' }],
              })
            }
          >
            {t('search.add_filter')}
          </Button>
        </>
      ) : (
        <JsonInput
          aria-label={t('search.filters')}
          autosize
          minRows={3}
          maxRows={12}
          placeholder={'{"department": "HR", "year": {"$gte": 2024}}'}
          value={json}
          error={wrong ? t('search.filter_json_wrong') : undefined}
          onChange={(value) => onChange({ ...draft, json: value })}
        />
      )}
      <Text size="xs" c="dimmed">
        {t('search.filter_hint')}
      </Text>
    </Stack>
  );
}
