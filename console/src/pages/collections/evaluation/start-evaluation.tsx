import { type EvaluationSetting, EvaluationRun } from '@ai-studio/contract/console/evaluation.ts';
import type { CollectionOptions, ConsoleCollection } from '@ai-studio/contract/console/retrieval.ts';
import type { SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import { ActionIcon, Button, Checkbox, Fieldset, Group, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { FormAlert } from '../../../parts/form-alert.tsx';
import { useNotify } from '../../../parts/use-notify.tsx';
import { questionsQuery, runsPath } from './queries.ts';
import { SettingDialog, TOP_K } from './setting-dialog.tsx';
import { useSettingSummary } from './use-setting-summary.ts';

/** Settings of one run. */
const MAX_VARIANTS = 6;

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

const whole = (name: string, search: SearchConfig): EvaluationSetting => ({
  name,
  search,
  top_k: TOP_K,
  threshold: null,
  query_expansion: null,
});

/** The settings that are offered: those that are known, then the person's own. */
function useSettings({ collection, options }: StartEvaluationProps) {
  const { t } = useTranslation('collectionsPage');
  const nameOf = (preset: keyof typeof presets | 'collection') => t(`evaluation.presets.${preset}`);
  const [own, setOwn] = useState<readonly EvaluationSetting[]>([]);
  const [chosen, setChosen] = useState<readonly string[]>(() => [
    nameOf('collection'),
    nameOf('keyword'),
    nameOf('vector'),
  ]);
  const known = [
    whole(nameOf('collection'), collection.search_config),
    ...(Object.keys(presets) as (keyof typeof presets)[])
      .filter((name) => name !== 'rerank' || options.rerank_models.length > 0)
      .map((name) => whole(nameOf(name), presets[name])),
  ];
  const all = [...known, ...own];
  return {
    known,
    own,
    chosen: all.filter(({ name }) => chosen.includes(name)),
    names: new Set(all.map(({ name }) => name)),
    choose: setChosen,
    /** A name that none has yet. */
    fresh() {
      for (let number = 1; ; number++) {
        const name = t('evaluation.setting_number', { number });
        if (!all.some((one) => one.name === name)) return whole(name, collection.search_config);
      }
    },
    save(before: string, setting: EvaluationSetting) {
      const isThere = own.some(({ name }) => name === before);
      setOwn(isThere ? own.map((one) => (one.name === before ? setting : one)) : [...own, setting]);
      setChosen([...chosen.filter((name) => name !== before), setting.name]);
    },
    remove(gone: string) {
      setOwn(own.filter(({ name }) => name !== gone));
      setChosen(chosen.filter((name) => name !== gone));
    },
  };
}

interface StartEvaluationProps {
  readonly collection: ConsoleCollection;
  readonly options: CollectionOptions;
}

interface OwnProps {
  readonly setting: EvaluationSetting;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function Own({ setting, onEdit, onRemove }: OwnProps) {
  const { t } = useTranslation('collectionsPage');
  const words = useSettingSummary();
  const { name } = setting;
  return (
    <Group gap="xs" wrap="nowrap">
      <Checkbox value={name} label={name} description={words(setting)} />
      <ActionIcon variant="subtle" color="gray" aria-label={t('evaluation.setting_edit', { name })} onClick={onEdit}>
        <IconPencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('evaluation.setting_remove', { name })}
        onClick={onRemove}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

/** Chooses settings and begins an evaluation of them. */
export function StartEvaluation(props: StartEvaluationProps) {
  const { collection, options } = props;
  const { t } = useTranslation('collectionsPage');
  const queries = useQueryClient();
  const { done } = useNotify();
  const { collection_id: id } = collection;
  const { data: questions } = useQuery(questionsQuery(id, 1));
  const settings = useSettings(props);
  const [edited, setEdited] = useState<EvaluationSetting | null>(null);
  const { chosen } = settings;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.post(runsPath(id), { settings: chosen }, EvaluationRun),
    async onSuccess() {
      done(t('evaluation.begun'));
      await queries.invalidateQueries({ queryKey: ['collection', id, 'runs'] });
    },
  });
  const taken = new Set([...settings.names].filter((name) => name !== edited?.name));
  return (
    <Fieldset legend={t('evaluation.run')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('evaluation.run_hint')}
        </Text>
        <FormAlert error={error} />
        <Checkbox.Group
          label={t('evaluation.settings')}
          value={chosen.map(({ name }) => name)}
          onChange={settings.choose}
          error={chosen.length > MAX_VARIANTS ? t('evaluation.too_many') : undefined}
        >
          <Group gap="md" mt="xs">
            {settings.known.map(({ name }) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Group>
          {settings.own.length === 0 ? null : (
            <Stack gap="xs" mt="sm">
              {settings.own.map((setting) => (
                <Own
                  key={setting.name}
                  setting={setting}
                  onEdit={() => setEdited(setting)}
                  onRemove={() => settings.remove(setting.name)}
                />
              ))}
            </Stack>
          )}
        </Checkbox.Group>
        <Group justify="space-between">
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setEdited(settings.fresh())}
          >
            {t('evaluation.setting_add')}
          </Button>
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={isPending}
            disabled={chosen.length === 0 || chosen.length > MAX_VARIANTS || (questions?.total ?? 0) === 0}
            onClick={() => mutate()}
          >
            {t('evaluation.begin')}
          </Button>
        </Group>
      </Stack>
      <SettingDialog
        setting={edited}
        taken={taken}
        options={options}
        fields={collection.filter_fields}
        onClose={() => setEdited(null)}
        onSave={(setting) => {
          settings.save(edited?.name ?? setting.name, setting);
          setEdited(null);
        }}
      />
    </Fieldset>
  );
}
