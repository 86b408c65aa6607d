import { type CollectionOptions, ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import type { SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import { Button, Collapse, Fieldset, Input, Modal, SegmentedControl, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { type Naming, NamingFields } from '../../parts/naming-fields.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useNotify } from '../../parts/use-notify.tsx';
import { LEXICAL } from './badges.tsx';
import { EmbeddingField, type IngestDraft, IngestFields, isValid } from './ingest-fields.tsx';
import { collectionOptionsQuery } from '../../api/collection-options.ts';
import { SearchFields } from './search-fields.tsx';

interface VisibilityProps {
  readonly value: ConsoleCollection['visibility'];
  readonly onChange: (value: ConsoleCollection['visibility']) => void;
}

/** For whom a collection is. */
export function VisibilityField({ value, onChange }: VisibilityProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Input.Wrapper label={t('visibility')} labelElement="div">
      <SegmentedControl
        fullWidth
        aria-label={t('visibility')}
        value={value}
        onChange={(chosen) => onChange(chosen === 'tenant' ? 'tenant' : 'private')}
        data={(['private', 'tenant'] as const).map((one) => ({ value: one, label: t(`visibilities.${one}`) }))}
      />
      <Input.Description mt={6}>{t(`visibility_hint.${value}`)}</Input.Description>
    </Input.Wrapper>
  );
}

interface FormProps {
  readonly options: CollectionOptions;
  readonly onClose: () => void;
}

/** What the service takes where nothing is chosen: without an embedding model it searches by words. */
const standardFor = (model: string): SearchConfig => ({
  mode: model === LEXICAL ? 'keyword' : 'hybrid',
  alpha: null,
  fusion: 'weighted',
  rerank: false,
});

function NewForm({ options, onClose }: FormProps) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { done } = useNotify();
  const [naming, setNaming] = useState<Naming>({ name: '', description: '' });
  const { name, description } = naming;
  const [visibility, setVisibility] = useState<ConsoleCollection['visibility']>('private');
  const [chosen, setChosen] = useState<Partial<SearchConfig>>({});
  const [ingest, setIngest] = useState<IngestDraft>({
    ...options.defaults,
    pii_mask: false,
    parser_model: options.page_readers[0] ?? 'studio-parser',
    indexed_fields: [],
    external_id_field: null,
    embedding_model: options.default_embedding_model ?? '',
  });
  const [more, { toggle }] = useDisclosure(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.post(
        '/collections',
        {
          collection_name: name.trim(),
          description: description.trim() || null,
          visibility,
          search_config: chosen,
          ingest_config: ingest,
        },
        ConsoleCollection,
      ),
    async onSuccess({ collection_id: collectionId }) {
      void queries.invalidateQueries({ queryKey: ['collections'] });
      done(t('created'));
      await navigate({ to: '/collections/$collectionId', params: { collectionId }, search: {} });
    },
  });
  const Arrow = more ? IconChevronDown : IconChevronRight;
  return (
    <DialogForm
      error={error}
      saveLabel={common('create')}
      saving={isPending}
      disabled={name.trim() === '' || !isValid(ingest)}
      onSave={() => mutate()}
      onClose={onClose}
    >
      <NamingFields
        naming={naming}
        onChange={setNaming}
        labels={{ name: t('name'), description: t('description_label'), hint: t('description_hint') }}
        longest={{ name: 200, description: 2_000 }}
      />
      <VisibilityField value={visibility} onChange={setVisibility} />
      <EmbeddingField
        options={options}
        value={ingest.embedding_model}
        onChange={(model) => setIngest({ ...ingest, embedding_model: model })}
      />
      <Button
        variant="subtle"
        justify="flex-start"
        px={4}
        leftSection={<Arrow size={16} aria-hidden />}
        aria-expanded={more}
        onClick={toggle}
      >
        {t('more')}
      </Button>
      <Collapse expanded={more}>
        <Stack gap="lg">
          <IngestFields options={options} draft={ingest} onChange={(change) => setIngest({ ...ingest, ...change })} />
          <Fieldset legend={t('search_defaults')}>
            <SearchFields
              config={{ ...standardFor(ingest.embedding_model), ...chosen }}
              options={options}
              onChange={(change) => setChosen({ ...chosen, ...change })}
            />
          </Fieldset>
        </Stack>
      </Collapse>
    </DialogForm>
  );
}

interface NewCollectionProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a collection. A name is enough. */
export function NewCollection({ opened, onClose }: NewCollectionProps) {
  const { t } = useTranslation('collectionsPage');
  const query = useQuery({ ...collectionOptionsQuery, enabled: opened });
  return (
    <Modal opened={opened} onClose={onClose} title={t('new')} size="lg">
      {opened ? <Loaded query={query}>{(options) => <NewForm options={options} onClose={onClose} />}</Loaded> : null}
    </Modal>
  );
}
