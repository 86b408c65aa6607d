import { type EvaluationSetting, EvaluationRun } from '@ai-studio/contract/console/evaluation.ts';
import type { CollectionOptions, ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import type { SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import { Button, Checkbox, Fieldset, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlayerPlay, IconReportAnalytics } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { FormAlert } from '../../../parts/form-alert.tsx';
import { Loaded } from '../../../parts/loaded.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import { optionsQuery } from '../queries.ts';
import { questionsQuery, runsPath, runsQuery } from './queries.ts';
import { Questions } from './questions.tsx';
import { Run } from './runs.tsx';
import classes from '../search/search.module.css';

interface TabProps {
  readonly collection: ConsoleCollection;
}

/** Settings of one run. */
const MOST = 6;

const base: SearchConfig = { mode: 'hybrid', alpha: null, fusion: 'weighted', rerank: false };
/** Ways to search that are worth comparing. */
const presets = {
  hybrid: base,
  hybrid_keyword: { ...base, alpha: 0.3 },
  hybrid_vector: { ...base, alpha: 0.7 },
  rrf: { ...base, fusion: 'rrf' },
  keyword: { ...base, mode: 'keyword' },
  vector: { ...base, mode: 'vector' },
  rerank: { ...base, rerank: true },
} as const satisfies Record<string, SearchConfig>;
type Preset = keyof typeof presets | 'collection';

function Begin({ collection, options }: TabProps & { readonly options: CollectionOptions }) {
  const { t } = useTranslation('collections');
  const queries = useQueryClient();
  const { done } = useNotify();
  const { collection_id: id, search_config: own } = collection;
  const { data: questions } = useQuery(questionsQuery(id, 1));
  const [chosen, setChosen] = useState<string[]>(['collection', 'keyword', 'vector']);
  const names = (['collection', ...Object.keys(presets)] as Preset[]).filter(
    (name) => name !== 'rerank' || options.rerank_models.length > 0,
  );
  const settings = names
    .filter((name) => chosen.includes(name))
    .map((name): EvaluationSetting => ({
      name: t(`evaluation.presets.${name}`),
      search: name === 'collection' ? own : presets[name],
    }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.post(runsPath(id), { settings }, EvaluationRun),
    async onSuccess() {
      done(t('evaluation.begun'));
      await queries.invalidateQueries({ queryKey: ['collection', id, 'runs'] });
    },
  });
  return (
    <Fieldset legend={t('evaluation.run')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('evaluation.run_hint')}
        </Text>
        <FormAlert error={error} />
        <Checkbox.Group
          label={t('evaluation.settings')}
          value={chosen}
          onChange={setChosen}
          error={settings.length > MOST ? t('evaluation.too_many') : undefined}
        >
          <Group gap="md" mt="xs">
            {names.map((name) => (
              <Checkbox key={name} value={name} label={t(`evaluation.presets.${name}`)} />
            ))}
          </Group>
        </Checkbox.Group>
        <Group justify="flex-end">
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={isPending}
            disabled={settings.length === 0 || settings.length > MOST || (questions?.total ?? 0) === 0}
            onClick={() => mutate()}
          >
            {t('evaluation.begin')}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}

/** How well searches find what questions expect, so that people can tune with figures. */
export function EvaluationTab({ collection }: TabProps) {
  const { t } = useTranslation('collections');
  const { collection_id: id, may_change: mayChange } = collection;
  const options = useQuery(optionsQuery);
  const runs = useQuery(runsQuery(id));
  return (
    <Stack gap="lg">
      <Questions collection={collection} />
      {mayChange ? (
        <Loaded query={options}>{(known) => <Begin collection={collection} options={known} />}</Loaded>
      ) : null}
      <section aria-labelledby="evaluation-results">
        <Title order={2} size="h4" id="evaluation-results">
          {t('evaluation.results')}
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          {t('evaluation.figures_hint')}
        </Text>
        <Loaded query={runs}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState level={3} icon={IconReportAnalytics} title={t('evaluation.no_runs')} />
            ) : (
              <ol className={classes['list']}>
                {items.map((run) => (
                  <Run key={run.id} id={id} run={run} />
                ))}
              </ol>
            )
          }
        </Loaded>
      </section>
    </Stack>
  );
}
