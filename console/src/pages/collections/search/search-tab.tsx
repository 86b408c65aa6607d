import {
  type CollectionOptions,
  type ConsoleCollection,
  ConsoleSearched,
} from '@ai-studio/contract/console/retrieval.ts';
import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconCode, IconColumns2, IconSearch } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { hasPermission, useMe } from '../../../api/session.ts';
import { ActButton } from '../../../parts/act-button.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { FormAlert } from '../../../parts/form-alert.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { LoadingRows } from '../../../parts/loading.tsx';
import { useFormat } from '../../../parts/use-format.ts';
import { collectionOptionsQuery } from '../../../api/collection-options.ts';
import { PassageFields } from '../passage-fields.tsx';
import { SearchFields } from '../search-fields.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { type FilterDraft, Filters, noFilter, readDraft } from './filters.tsx';
import { LEXICAL } from '../badges.tsx';
import { ExpansionField } from './expansion-field.tsx';
import { HitView } from './hit-view.tsx';
import { ResultFields } from './result-fields.tsx';
import classes from './search.module.css';
import { requestOf, settingsOf, type TestSettings } from './settings.ts';

interface SettingsProps {
  readonly title: string;
  readonly settings: TestSettings;
  readonly options: CollectionOptions;
  /** Names of metadata fields that are indexed. */
  readonly fields: readonly string[];
  readonly onChange: (settings: TestSettings) => void;
}

function SettingsPanel({ title, settings, options, fields, onChange }: SettingsProps) {
  const { config, topK, threshold } = settings;
  return (
    <div role="group" className={classes['settings']} aria-label={title}>
      <Stack gap="md">
        <Title order={2} size="h5">
          {title}
        </Title>
        <SearchFields
          config={config}
          options={options}
          onChange={(change) => onChange({ ...settings, config: { ...config, ...change } })}
        />
        <ExpansionField value={settings.expansion} onChange={(expansion) => onChange({ ...settings, expansion })} />
        <PassageFields
          config={config}
          fields={fields}
          onChange={(change) => onChange({ ...settings, config: { ...config, ...change } })}
        />
        <ResultFields topK={topK} threshold={threshold} onChange={(change) => onChange({ ...settings, ...change })} />
      </Stack>
    </div>
  );
}

interface SideProps {
  readonly title: string | null;
  readonly searched: ConsoleSearched;
  readonly other: ConsoleSearched | null;
  readonly opens: boolean;
}

function Side({ title, searched, other, opens }: SideProps) {
  const { t } = useTranslation('collectionsPage');
  const { number, duration } = useFormat();
  const { hits, search_type: mode, embedding_model: model, embedding_unavailable: away = [] } = searched.result;
  const { rerank_unavailable: reranker, query_cut_by: cutBy = [] } = searched.result;
  const { query_expansion: expansion, query_expansion_unavailable: silent } = searched.result;
  const places = other === null ? null : new Map(other.result.hits.map(({ chunk_id: id }, at) => [id, at + 1]));
  return (
    <section aria-label={title ?? t('search.run')}>
      <Group justify="space-between" mb="sm">
        <Text size="sm" fw={600} role="status">
          {title === null ? '' : `${title}: `}
          {t('search.found', { shown: number(hits.length), duration: duration(searched.took_ms) })}
        </Text>
        <Text size="xs" c="dimmed">
          {t('search.used', {
            mode: t(`modes.${mode}`),
            model: model === null || model === LEXICAL ? t('search.no_model') : model,
          })}
        </Text>
      </Group>
      {away.length === 0 ? null : (
        <Text size="sm" mb="sm">
          {t('search.away', { model: away.join(', ') })}
        </Text>
      )}
      {cutBy.length === 0 ? null : (
        <Text size="sm" mb="sm">
          {t('search.query_cut', { model: cutBy.join(', ') })}
        </Text>
      )}
      {reranker === undefined ? null : (
        <Text size="sm" mb="sm">
          {t('search.reranker_away', { model: reranker })}
        </Text>
      )}
      {expansion === undefined ? null : (
        <Text size="sm" mb="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t('search.expanded', { texts: expansion.texts.join(' · ') })}
        </Text>
      )}
      {silent === undefined ? null : (
        <Text size="sm" mb="sm">
          {t('search.expansion_away', { model: silent })}
        </Text>
      )}
      {hits.length === 0 ? (
        <EmptyState level={3} icon={IconSearch} title={t('search.nothing')} hint={t('search.nothing_hint')} />
      ) : (
        <ol className={classes['list']}>
          {hits.map((hit, at) => (
            <HitView
              key={hit.chunk_id}
              hit={hit}
              rank={at + 1}
              other={places === null ? undefined : (places.get(hit.chunk_id) ?? null)}
              opens={opens}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

type Sides = readonly TestSettings[];
const letters = ['A', 'B'] as const;

/** What the collection does, or another mode where that is what is tried already: two that are alike show nothing. */
function otherThan(first: TestSettings | undefined, config: ConsoleCollection['search_config']): TestSettings {
  const own = settingsOf(config);
  if (first === undefined || first.config.mode !== own.config.mode) return own;
  return { ...own, config: { ...own.config, mode: own.config.mode === 'hybrid' ? 'keyword' : 'hybrid' } };
}

interface TestProps {
  readonly collection: ConsoleCollection;
  readonly options: CollectionOptions;
}

function useTest({ collection }: TestProps) {
  const [query, setQuery] = useState('');
  const [sides, setSides] = useState<Sides>(() => [settingsOf(collection.search_config)]);
  const [filters, setFilters] = useState<FilterDraft>(noFilter);
  const filter = readDraft(filters);
  const requestFor = (settings: TestSettings, asked = query.trim()) =>
    requestOf(collection.collection_id, asked, settings, filter ?? undefined);
  const search = useMutation({
    mutationFn: (wanted: Sides) =>
      Promise.all(wanted.map((settings) => api.post('/collections/search', requestFor(settings), ConsoleSearched))),
  });
  return { query, setQuery, sides, setSides, filters, setFilters, filter, requestFor, search };
}

function Test(props: TestProps) {
  const { collection, options } = props;
  const { t } = useTranslation('collectionsPage');
  const opens = hasPermission(useMe(), ['collections.manage']);
  const { query, setQuery, sides, setSides, filters, setFilters, filter, requestFor, search } = useTest(props);
  const [chosen, { toggle: toggleChosen }] = useDisclosure(false);
  const [coded, { open: showCode, close: hideCode }] = useDisclosure(false);
  const two = sides.length > 1;
  const titleOf = (at: number) => t('search.settings_of', { side: letters[at] ?? '' });
  const { data } = search;
  return (
    <Stack gap="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search.mutate(sides);
        }}
      >
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t('search.query')}
            placeholder={t('search.query_placeholder')}
            maxLength={4_096}
            flex="1 1 16rem"
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          />
          <Button
            type="submit"
            leftSection={<IconSearch size={18} aria-hidden />}
            loading={search.isPending}
            disabled={query.trim() === '' || filter === null}
          >
            {t('search.run')}
          </Button>
        </Group>
      </form>
      <Button
        variant="default"
        size="sm"
        hiddenFrom="md"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-expanded={chosen}
        onClick={toggleChosen}
      >
        {t('search.settings')}
      </Button>
      <div className={classes['layout']}>
        <Stack gap="md" className={classes['chosen'] ?? ''} data-open={chosen}>
          {sides.map((settings, at) => (
            <SettingsPanel
              key={letters[at]}
              title={two ? titleOf(at) : t('search.settings')}
              settings={settings}
              options={options}
              fields={collection.filter_fields}
              onChange={(changed) => setSides(sides.map((one, place) => (place === at ? changed : one)))}
            />
          ))}
          <section className={classes['settings']} aria-label={t('search.filters')}>
            <Filters draft={filters} fields={collection.filter_fields} onChange={setFilters} />
          </section>
          <Group gap="sm">
            <ActButton
              size="sm"
              icon={IconColumns2}
              label={t(two ? 'search.compare_stop' : 'search.compare')}
              onClick={() => {
                const wanted = two ? sides.slice(0, 1) : [...sides, otherThan(sides[0], collection.search_config)];
                setSides(wanted);
                // What was asked is answered by both.
                if (data !== undefined && query.trim() !== '' && filter !== null) search.mutate(wanted);
                else search.reset();
              }}
            />
            <ActButton size="sm" icon={IconCode} label={t('search.view_code')} onClick={showCode} />
          </Group>
        </Stack>
        <div aria-busy={search.isPending}>
          {search.error === null ? null : <FormAlert error={search.error} />}
          {data !== undefined ? (
            <div className={classes['sides']} data-two={two}>
              {data.map((searched, at) => (
                <Side
                  key={letters[at]}
                  title={two ? titleOf(at) : null}
                  searched={searched}
                  other={two ? (data[1 - at] ?? null) : null}
                  opens={opens}
                />
              ))}
            </div>
          ) : search.isPending ? (
            <LoadingRows rows={4} />
          ) : search.error === null ? (
            <EmptyState icon={IconSearch} title={t('search.begin')} hint={t('search.begin_hint')} />
          ) : null}
        </div>
      </div>
      <CodeDialog
        opened={coded}
        request={requestFor(sides[0] ?? settingsOf(collection.search_config), query.trim() || t('search.example'))}
        isPrivate={collection.visibility === 'private'}
        onClose={hideCode}
      />
    </Stack>
  );
}

/** Tries out what is found in a collection, and how settings change that. */
export function SearchTab({ collection }: { readonly collection: ConsoleCollection }) {
  const query = useQuery(collectionOptionsQuery);
  return <Loaded query={query}>{(options) => <Test collection={collection} options={options} />}</Loaded>;
}
