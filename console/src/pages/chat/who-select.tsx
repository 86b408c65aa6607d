import { type ComboboxItem, type ComboboxParsedItem, type OptionsFilter, Group, Select, Text } from '@mantine/core';
import { IconCheck, IconRobot, IconSparkles } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isTyped } from '../../parts/typed-match.ts';
import { deployedAgentsQuery } from './agents.ts';
import classes from './composer.module.css';
import type { WhoProps } from './who.ts';

// Ids of models may be those of agents.
const MODEL = 'model ';
const AGENT = 'agent ';

/** Finds names by any of their words, also while a syllable is put together. */
const filter: OptionsFilter = ({ options, search }) => {
  const isFound = ({ label }: ComboboxItem) => isTyped(label, search);
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option)) return isFound(option) ? [option] : [];
    const items = option.items.filter(isFound);
    return items.length === 0 ? [] : [{ ...option, items }];
  });
};

/** The models of the chat and the deployed agents, to choose who answers. */
export function WhoSelect({ models, who, onModel, onAgent }: WhoProps) {
  const { t } = useTranslation('chat');
  const agents = useQuery(deployedAgentsQuery).data?.items ?? [];
  const now =
    who.kind === 'model' ? { value: MODEL + who.id, label: who.id } : { value: AGENT + who.slug, label: who.name };
  const offered = {
    model: models.map(({ id }) => ({ value: MODEL + id, label: id })),
    agent: agents.map(({ slug, name }) => ({ value: AGENT + slug, label: name })),
  };
  // One that is there no more, or not yet.
  if (offered[who.kind].every(({ value }) => value !== now.value)) offered[who.kind].unshift(now);
  return (
    <Select
      size="xs"
      searchable
      allowDeselect={false}
      aria-label={t('who')}
      className={classes['model'] ?? ''}
      comboboxProps={{ width: 280, position: 'top-end' }}
      maxDropdownHeight={320}
      nothingFoundMessage={t('nobody_found')}
      filter={filter}
      data={[
        { group: t('models'), items: offered.model },
        { group: t('choose_agent'), items: offered.agent },
      ].filter(({ items }) => items.length > 0)}
      renderOption={({ option: { value, label }, checked }) => {
        const Mark = value.startsWith(AGENT) ? IconRobot : IconSparkles;
        return (
          <Group gap={8} wrap="nowrap" w="100%" miw={0}>
            <Mark size={16} stroke={1.6} aria-hidden className={classes['whoMark']} />
            <Text span size="xs" truncate flex={1}>
              {label}
            </Text>
            {checked === true ? <IconCheck size={14} aria-hidden className={classes['whoMark']} /> : null}
          </Group>
        );
      }}
      leftSection={who.kind === 'agent' ? <IconRobot size={16} stroke={1.6} aria-hidden /> : undefined}
      value={now.value}
      onChange={(chosen) => {
        if (chosen === null || chosen === now.value) return;
        if (chosen.startsWith(AGENT)) onAgent(chosen.slice(AGENT.length));
        else onModel(chosen.slice(MODEL.length));
      }}
    />
  );
}
