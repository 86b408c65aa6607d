import type { CollectionOptions } from '@ai-studio/contract/console/retrieval.ts';
import { Duplicates, type IngestConfig } from '@ai-studio/contract/retrieval/collection.ts';
import {
  Alert,
  Group,
  Input,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** What people choose of how documents are taken in. */
export type IngestDraft = Pick<
  IngestConfig,
  | 'chunking_strategy'
  | 'chunk_size'
  | 'chunk_overlap'
  | 'pii_mask'
  | 'indexed_fields'
  | 'external_id_field'
  | 'embedding_model'
  | 'parser_model'
  | 'duplicates'
  | 'context_model'
>;

const { options: duplicates } = Duplicates;

/** Whether it may be sent. */
export const isValid = ({ chunk_size: size, chunk_overlap: overlap, embedding_model: model }: IngestDraft): boolean =>
  overlap <= size / 2 && model !== '';

interface FieldsProps {
  readonly options: CollectionOptions;
  readonly draft: IngestDraft;
  readonly onChange: (change: Partial<IngestDraft>) => void;
}

/** The embedding model, with what is to be known of the one that is none. */
export function EmbeddingField({
  options,
  value,
  onChange,
}: {
  readonly options: CollectionOptions;
  readonly value: string;
  readonly onChange: (model: string) => void;
}) {
  const { t } = useTranslation('collectionsPage');
  const known = options.embedding_models;
  // A model that was taken away stays named.
  const models =
    value === '' || known.some(({ id }) => id === value) ? known : [...known, { id: value, lexical: false }];
  const lexical = models.find(({ id }) => id === value)?.lexical === true;
  return (
    <Stack gap="xs">
      <Select
        label={t('embedding_model')}
        description={t('embedding_model_hint')}
        allowDeselect={false}
        data={models.map(({ id, lexical: none }) => ({ value: id, label: none ? t('lexical_option') : id }))}
        placeholder={t('choose_embedding_model')}
        value={value === '' ? null : value}
        onChange={(model) => {
          if (model !== null) onChange(model);
        }}
      />
      {lexical ? (
        <Alert variant="light" color="gray" icon={<IconInfoCircle size={18} aria-hidden />} p="xs">
          <Text size="sm">{t('lexical_hint')}</Text>
        </Alert>
      ) : null}
    </Stack>
  );
}

const numberOr = (value: number | string, standard: number) => (typeof value === 'number' ? value : standard);

interface PageReaderProps {
  readonly readers: readonly string[];
  readonly value: string;
  readonly onChange: (reader: string) => void;
}

/** Who reads the pages of PDF files and pictures. */
function PageReaderField({ readers, value, onChange }: PageReaderProps) {
  const { t } = useTranslation('collectionsPage');
  const [own, layout] = readers;
  // A model that was taken away stays named.
  const all = readers.includes(value) ? readers : [...readers, value];
  const labelOf = (reader: string) =>
    reader === own ? t('page_reader_own') : reader === layout ? t('page_reader_layout') : reader;
  return (
    <Select
      label={t('page_reader')}
      description={t('page_reader_hint')}
      allowDeselect={false}
      data={all.map((reader) => ({ value: reader, label: labelOf(reader) }))}
      value={value}
      onChange={(reader) => {
        if (reader !== null) onChange(reader);
      }}
    />
  );
}

/** How documents are cut, and what filters know of them. */
export function IngestFields({ options, draft, onChange }: FieldsProps) {
  const { t } = useTranslation('collectionsPage');
  const { context_model: context = null } = draft;
  // A model that was taken away stays named.
  const chats = [...new Set([...options.chat_models, ...(context === null ? [] : [context])])];
  return (
    <Stack gap="md">
      <Input.Wrapper label={t('chunking')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('chunking')}
          value={draft.chunking_strategy}
          onChange={(value) => onChange({ chunking_strategy: value === 'by_length' ? 'by_length' : 'by_title' })}
          data={(['by_title', 'by_length'] as const).map((value) => ({ value, label: t(`chunkings.${value}`) }))}
        />
        <Input.Description mt={6}>{t(`chunking_hint.${draft.chunking_strategy}`)}</Input.Description>
      </Input.Wrapper>
      <Group grow align="flex-start">
        <NumberInput
          label={t('chunk_size')}
          description={t('chunk_size_hint')}
          min={64}
          max={4_096}
          step={64}
          allowDecimal={false}
          value={draft.chunk_size}
          onChange={(value) => onChange({ chunk_size: numberOr(value, draft.chunk_size) })}
        />
        <NumberInput
          label={t('chunk_overlap')}
          description={t('chunk_overlap_hint')}
          min={0}
          max={2_048}
          step={16}
          allowDecimal={false}
          value={draft.chunk_overlap}
          error={isValid(draft) ? undefined : t('overlap_too_long')}
          onChange={(value) => onChange({ chunk_overlap: numberOr(value, draft.chunk_overlap) })}
        />
      </Group>
      <PageReaderField
        readers={options.page_readers}
        value={draft.parser_model}
        onChange={(reader) => onChange({ parser_model: reader })}
      />
      <Switch
        label={t('pii_mask')}
        description={t('pii_mask_hint')}
        checked={draft.pii_mask}
        onChange={({ currentTarget }) => onChange({ pii_mask: currentTarget.checked })}
      />
      <Select
        label={t('duplicates')}
        description={t('duplicates_hint')}
        allowDeselect={false}
        value={draft.duplicates ?? 'keep'}
        onChange={(value) => onChange({ duplicates: duplicates.find((known) => known === value) ?? 'keep' })}
        data={duplicates.map((value) => ({ value, label: t(`duplicates_of.${value}`) }))}
      />
      <Select
        label={t('context_model')}
        description={t('context_model_hint')}
        placeholder={t('context_model_none')}
        clearable
        searchable
        disabled={chats.length === 0}
        value={context}
        onChange={(value) => onChange({ context_model: value })}
        data={chats}
      />
      <TagsInput
        label={t('indexed_fields')}
        description={t('indexed_fields_hint')}
        maxTags={10}
        value={draft.indexed_fields}
        onChange={(fields) => onChange({ indexed_fields: fields })}
      />
      <TextInput
        label={t('external_id_field')}
        description={t('external_id_field_hint')}
        maxLength={64}
        value={draft.external_id_field ?? ''}
        onChange={({ currentTarget }) => onChange({ external_id_field: currentTarget.value.trim() || null })}
      />
    </Stack>
  );
}
