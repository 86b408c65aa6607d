import { Extraction } from '@ai-studio/contract/retrieval/extraction.ts';
import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../../api/chat-models.ts';
import { api } from '../../../api/client.ts';
import { hasPermission, useMe } from '../../../api/session.ts';
import { FormAlert } from '../../../parts/form-alert.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import { fieldKinds, readSchema, schemaOf, type WantedField } from './fields.ts';
import { extractionsPath } from './queries.ts';

/** Values of one extraction. Source: the schema of POST /v1/document/extract. */
const MAX_FIELDS = 100;

interface LineProps {
  readonly field: WantedField;
  readonly number: number;
  readonly onChange: (field: WantedField) => void;
  readonly onRemove: (() => void) | null;
}

function Line({ field, number, onChange, onRemove }: LineProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Group role="group" aria-label={t('extraction.field', { number })} align="flex-end" gap="xs">
      <TextInput
        flex="1 1 10rem"
        label={t('extraction.name')}
        maxLength={100}
        value={field.name}
        onChange={({ currentTarget }) => onChange({ ...field, name: currentTarget.value })}
      />
      <Select
        flex="0 1 9rem"
        label={t('extraction.kind')}
        allowDeselect={false}
        data={fieldKinds.map((kind) => ({ value: kind, label: t(`extraction.kinds.${kind}`) }))}
        value={field.kind}
        onChange={(kind) => onChange({ ...field, kind: fieldKinds.find((one) => one === kind) ?? 'text' })}
      />
      <TextInput
        flex="2 1 14rem"
        label={t('extraction.description')}
        maxLength={400}
        value={field.description}
        onChange={({ currentTarget }) => onChange({ ...field, description: currentTarget.value })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('extraction.remove_field', { number })}
        disabled={onRemove === null}
        onClick={() => onRemove?.()}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

let lastId = 0;
const emptyField = (): WantedField => ({ id: ++lastId, name: '', kind: 'text', description: '' });

/** The lines of the form. */
function useFields() {
  const [fields, setFields] = useState<readonly WantedField[]>(() => [emptyField()]);
  return {
    fields,
    add: () => setFields([...fields, emptyField()]),
    change: (field: WantedField) => setFields(fields.map((one) => (one.id === field.id ? field : one))),
    remove: (id: number) => setFields(fields.filter((one) => one.id !== id)),
  };
}

function Fields({ fields, add, change, remove }: ReturnType<typeof useFields>) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Stack gap="xs">
      {fields.map((field, at) => (
        <Line
          key={field.id}
          field={field}
          number={at + 1}
          onChange={change}
          onRemove={fields.length > 1 ? () => remove(field.id) : null}
        />
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={fields.length >= MAX_FIELDS}
          onClick={add}
        >
          {t('extraction.add_field')}
        </Button>
      </Group>
    </Stack>
  );
}

/** Says what is looked for, and begins. */
export function StartExtraction({ id }: { readonly id: string }) {
  const { t } = useTranslation('collectionsPage');
  const queries = useQueryClient();
  const { done } = useNotify();
  const asksModels = hasPermission(useMe(), ['chat']);
  const { data: models } = useQuery({ ...chatModelsQuery, enabled: asksModels });
  const lines = useFields();
  const [by, setBy] = useState<'fields' | 'schema'>('fields');
  const [pasted, setPasted] = useState('');
  const [model, setModel] = useState<string | null>(null);
  const [name, setName] = useState('');
  const schema = by === 'fields' ? schemaOf(lines.fields) : readSchema(pasted);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.post(
        extractionsPath(id),
        {
          schema,
          ...(model === null ? {} : { model }),
          ...(name.trim() === '' ? {} : { filter: { name: name.trim() } }),
        },
        Extraction,
      ),
    async onSuccess() {
      done(t('extraction.begun'));
      await queries.invalidateQueries({ queryKey: ['collection', id, 'extractions'] });
    },
  });
  return (
    <Fieldset legend={t('extraction.begin_title')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('extraction.hint')}
        </Text>
        <FormAlert error={error} />
        <Group>
          <SegmentedControl
            aria-label={t('extraction.by')}
            data={[
              { value: 'fields', label: t('extraction.by_fields') },
              { value: 'schema', label: t('extraction.by_schema') },
            ]}
            value={by}
            onChange={(value) => setBy(value === 'schema' ? 'schema' : 'fields')}
          />
        </Group>
        {by === 'fields' ? (
          <Fields {...lines} />
        ) : (
          <Textarea
            label={t('extraction.by_schema')}
            description={t('extraction.schema_hint')}
            autosize
            minRows={6}
            maxRows={20}
            maxLength={100_000}
            spellCheck={false}
            ff="monospace"
            error={pasted.trim() !== '' && schema === null ? t('extraction.schema_wrong') : undefined}
            value={pasted}
            onChange={({ currentTarget }) => setPasted(currentTarget.value)}
          />
        )}
        <Group align="flex-start">
          {asksModels ? (
            <Select
              flex="1 1 14rem"
              label={t('extraction.model')}
              description={t('extraction.model_hint')}
              placeholder={t('extraction.rules_alone')}
              clearable
              searchable
              data={models?.items.map((one) => one.id) ?? []}
              value={model}
              onChange={setModel}
            />
          ) : null}
          <TextInput
            flex="1 1 14rem"
            label={t('extraction.documents')}
            description={t('extraction.documents_hint')}
            maxLength={200}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        </Group>
        <Group justify="flex-end">
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={isPending}
            disabled={schema === null}
            onClick={() => mutate()}
          >
            {t('extraction.begin')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
