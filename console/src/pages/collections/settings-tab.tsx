import { type CollectionOptions, ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import type { CollectionChange } from '@ai-studio/contract/retrieval/collection.ts';
import { Alert, Button, Fieldset, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { FormAlert } from '../../parts/form-alert.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { useNotify } from '../../parts/use-notify.tsx';
import { EmbeddingField, IngestFields, isValid } from './ingest-fields.tsx';
import { VisibilityField } from './new-collection.tsx';
import { OwnerSection } from './owner-section.tsx';
import { collectionOptionsQuery } from '../../api/collection-options.ts';
import { pathOf } from './queries.ts';
import { PassageFields } from './passage-fields.tsx';
import { SearchFields } from './search-fields.tsx';
import { SynonymFields } from './synonym-fields.tsx';

// What is opened now and then is loaded then.
const Preview = lazy(async () => ({ default: (await import('./preview/preview-dialog.tsx')).PreviewDialog }));

interface PartProps {
  readonly collection: ConsoleCollection;
  readonly options: CollectionOptions;
}

interface SectionProps {
  readonly legend: string;
  /** What is sent; null where nothing was changed or something is wrong. */
  readonly change: CollectionChange | null;
  readonly collection: ConsoleCollection;
  readonly children: ReactNode;
}

/** Settings that are saved together. Those who may not change them can read them. */
function Section({ legend, change, collection, children }: SectionProps) {
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const { done } = useNotify();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: CollectionChange) => api.patch(pathOf(collection.collection_id), body, ConsoleCollection),
    async onSuccess(changed) {
      queries.setQueryData(['collection', changed.collection_id], changed);
      done(common('saved'));
      await queries.invalidateQueries({ queryKey: ['collections'] });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (change !== null) mutate(change);
      }}
    >
      <Fieldset legend={legend} disabled={!collection.may_change}>
        <Stack gap="md">
          <FormAlert error={error} />
          {children}
          {collection.may_change ? (
            <Group justify="flex-end">
              <Button type="submit" loading={isPending} disabled={change === null}>
                {common('save')}
              </Button>
            </Group>
          ) : null}
        </Stack>
      </Fieldset>
    </form>
  );
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function General({ collection }: PartProps) {
  const { t } = useTranslation('collectionsPage');
  const { collection_name: name, description, visibility } = collection;
  const [draft, setDraft] = useState({ name, description: description ?? '', visibility });
  const clean = {
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    visibility: draft.visibility,
  };
  const changed = clean.name !== '' && !same(clean, { name, description: description || null, visibility });
  return (
    <Section
      legend={t('settings.general')}
      collection={collection}
      change={
        changed ? { collection_name: clean.name, description: clean.description, visibility: clean.visibility } : null
      }
    >
      <TextInput
        label={t('name')}
        maxLength={200}
        required
        value={draft.name}
        onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
      />
      <Textarea
        label={t('description_label')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={2_000}
        value={draft.description}
        onChange={({ currentTarget }) => setDraft({ ...draft, description: currentTarget.value })}
      />
      <VisibilityField value={draft.visibility} onChange={(value) => setDraft({ ...draft, visibility: value })} />
    </Section>
  );
}

function SearchDefaults({ collection, options }: PartProps) {
  const { t } = useTranslation('collectionsPage');
  const [draft, setDraft] = useState(collection.search_config);
  const [wrong, setWrong] = useState(false);
  return (
    <Section
      legend={t('search_defaults')}
      collection={collection}
      change={wrong || same(draft, collection.search_config) ? null : { search_config: draft }}
    >
      <SearchFields config={draft} options={options} onChange={(change) => setDraft({ ...draft, ...change })} />
      <PassageFields
        config={draft}
        fields={collection.filter_fields}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
      <SynonymFields
        config={draft}
        onChange={(change) => {
          // The switch says nothing of what stands in the field.
          if (change === null || change.synonyms !== undefined) setWrong(change === null);
          if (change !== null) setDraft({ ...draft, ...change });
        }}
      />
    </Section>
  );
}

function Ingest({ collection, options }: PartProps) {
  const { t } = useTranslation('collectionsPage');
  const { number } = useFormat();
  const { embedding_dimension: dimension, embedding_model: current, ...config } = collection.ingest_config;
  const { embedding_prefixes: prefixes } = collection;
  const [draft, setDraft] = useState({ ...config, embedding_model: current });
  const [previewed, { open: showPreview, close: hidePreview }] = useDisclosure(false);
  const { embedding_model: model, ...rest } = draft;
  const otherModel = model !== current;
  const changed = otherModel || !same(rest, config);
  const change: CollectionChange = { ingest_config: otherModel ? { ...rest, embedding_model: model } : rest };
  return (
    <Section legend={t('settings.ingest')} collection={collection} change={changed && isValid(draft) ? change : null}>
      <Text size="sm" c="dimmed">
        {t('settings.ingest_hint')}
      </Text>
      <EmbeddingField
        options={options}
        value={model}
        onChange={(chosen) => setDraft({ ...draft, embedding_model: chosen })}
      />
      {dimension === null || otherModel ? null : (
        <Text size="xs" c="dimmed">
          {t('settings.dimension', { dimension: number(dimension) })}
        </Text>
      )}
      {otherModel || (prefixes.query === '' && prefixes.passage === '') ? null : (
        <Text size="xs" c="dimmed">
          {t('settings.prefixes', { query: prefixes.query.trim(), passage: prefixes.passage.trim() })}
        </Text>
      )}
      {otherModel ? (
        <Alert variant="light" color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {t('settings.model_changes')}
        </Alert>
      ) : null}
      <IngestFields options={options} draft={draft} onChange={(more) => setDraft({ ...draft, ...more })} />
      {collection.may_change ? (
        <Group>
          <Button variant="default" disabled={!isValid(draft)} onClick={showPreview}>
            {t('preview.open')}
          </Button>
        </Group>
      ) : null}
      {previewed ? (
        <Suspense>
          <Preview id={collection.collection_id} config={change.ingest_config ?? {}} onClose={hidePreview} />
        </Suspense>
      ) : null}
    </Section>
  );
}

function Acts({ collection }: { readonly collection: ConsoleCollection }) {
  const { t } = useTranslation('collectionsPage');
  const { t: common } = useTranslation('common');
  const { number } = useFormat();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { done } = useNotify();
  const [asked, ask] = useState<'reindex' | 'remove' | null>(null);
  const [removing, { open: begin }] = useDisclosure(false);
  const { collection_id: id, collection_name: name } = collection;
  return (
    <>
      <Fieldset legend={t('settings.reindex_all')}>
        <Group justify="space-between" gap="md">
          <Text size="sm" c="dimmed" maw="36rem">
            {t('settings.reindex_all_text')}
          </Text>
          <Button
            variant="default"
            disabled={collection.document_count === 0 || collection.reindex?.state === 'running'}
            onClick={() => ask('reindex')}
          >
            {t('settings.reindex_all')}
          </Button>
        </Group>
      </Fieldset>
      <Fieldset legend={t('settings.danger')}>
        <Group justify="space-between" gap="md">
          <Text size="sm" c="dimmed" maw="36rem">
            {t('settings.remove_text', {
              documents: number(collection.document_count),
              chunks: number(collection.chunk_count),
            })}
          </Text>
          <Button color="red" variant="outline" disabled={removing} onClick={() => ask('remove')}>
            {t('settings.remove')}
          </Button>
        </Group>
      </Fieldset>
      <ConfirmDialog
        opened={asked === 'reindex'}
        title={t('settings.reindex_all_title')}
        confirmLabel={t('reindex')}
        danger={false}
        onConfirm={async () => {
          queries.setQueryData(
            ['collection', id],
            await api.post(`${pathOf(id)}/reindex`, undefined, ConsoleCollection),
          );
          done(t('settings.reindex_begun'));
        }}
        onClose={() => ask(null)}
      >
        <Text size="sm">{t('settings.reindex_all_text')}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={asked === 'remove'}
        title={t('settings.remove')}
        confirmLabel={common('remove')}
        typed={name}
        onConfirm={async () => {
          await api.run('DELETE', pathOf(id));
          begin();
          done(t('removed'));
          await navigate({ to: '/collections' });
          queries.removeQueries({ queryKey: ['collection', id] });
          await queries.invalidateQueries({ queryKey: ['collections'] });
        }}
        onClose={() => ask(null)}
      >
        <Text size="sm" mb="sm">
          {t('settings.remove_text', {
            documents: number(collection.document_count),
            chunks: number(collection.chunk_count),
          })}
        </Text>
      </ConfirmDialog>
    </>
  );
}

/** Settings of a collection, and what is done with it as a whole. */
export function SettingsTab({ collection }: { readonly collection: ConsoleCollection }) {
  const query = useQuery(collectionOptionsQuery);
  const me = useMe();
  return (
    <Loaded query={query}>
      {(options) => (
        <Stack gap="lg" maw="46rem">
          <General collection={collection} options={options} />
          <SearchDefaults collection={collection} options={options} />
          <Ingest collection={collection} options={options} />
          {hasPermission(me, ['users.manage']) ? <OwnerSection collection={collection} /> : null}
          {collection.may_change ? <Acts collection={collection} /> : null}
        </Stack>
      )}
    </Loaded>
  );
}
