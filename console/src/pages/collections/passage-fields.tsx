import type { Boost, Decay, SearchConfig } from '@ai-studio/contract/retrieval/collection.ts';
import { ActionIcon, Button, Group, Input, NumberInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { valueOf } from './boost-value.ts';

type Part = Pick<SearchConfig, 'parent_size' | 'decay' | 'boosts' | 'collapse_duplicates'>;

const CREATED = 'created_at';
/** Age at which passages count half, in days, where that is switched on. */
const HALF_LIFE = 180;
/** Tokens of larger passages, where they are switched on. */
const PARENT_SIZE = 1_024;
const FACTOR = 2;

/** What a boost of the form says; null for one that was written elsewhere and says more. */
function simpleOf({ filters }: Boost): { readonly field: string; readonly value: string } | null {
  const [one, ...more] = Object.entries(filters);
  if (one === undefined || more.length > 0) return null;
  const [field, value] = one;
  return ['string', 'number', 'boolean'].includes(typeof value) ? { field, value: String(value) } : null;
}

interface BoostsProps {
  readonly boosts: readonly Boost[];
  readonly fields: readonly string[];
  readonly onChange: (boosts: Boost[]) => void;
}

function Boosts({ boosts, fields, onChange }: BoostsProps) {
  const { t } = useTranslation('collectionsPage');
  const put = (at: number, boost: Boost) => onChange(boosts.map((one, place) => (place === at ? boost : one)));
  return (
    <Input.Wrapper
      label={t('passages.boosts')}
      description={fields.length === 0 ? t('passages.boosts_none') : t('passages.boosts_hint')}
      labelElement="div"
    >
      <Stack gap="xs" mt="xs">
        {boosts.map((boost, at) => {
          const simple = simpleOf(boost);
          return (
            // oxlint-disable-next-line react/no-array-index-key -- boosts have nothing else to be known by
            <Group key={at} gap="xs" align="flex-end" wrap="nowrap">
              {simple === null ? (
                <Text size="sm" ff="monospace" flex={1} style={{ overflowWrap: 'anywhere' }}>
                  {JSON.stringify(boost.filters)}
                </Text>
              ) : (
                <>
                  <Select
                    aria-label={t('passages.boost_field')}
                    flex={1}
                    allowDeselect={false}
                    data={[...new Set([...fields, simple.field])]}
                    value={simple.field}
                    onChange={(field) =>
                      put(at, { ...boost, filters: { [field ?? simple.field]: valueOf(simple.value) } })
                    }
                  />
                  <TextInput
                    aria-label={t('passages.boost_value')}
                    placeholder={t('passages.boost_value')}
                    flex={1}
                    value={simple.value}
                    onChange={({ currentTarget }) =>
                      put(at, { ...boost, filters: { [simple.field]: valueOf(currentTarget.value) } })
                    }
                  />
                </>
              )}
              <NumberInput
                aria-label={t('passages.boost_factor')}
                prefix="× "
                w={96}
                min={0.01}
                max={100}
                step={0.5}
                value={boost.factor}
                onChange={(value) =>
                  typeof value === 'number' && value > 0 ? put(at, { ...boost, factor: value }) : undefined
                }
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('passages.boost_remove')}
                onClick={() => onChange(boosts.filter((_, place) => place !== at))}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            </Group>
          );
        })}
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={fields.length === 0 || boosts.length >= 10}
            onClick={() => onChange([...boosts, { filters: { [fields[0] ?? '']: '' }, factor: FACTOR }])}
          >
            {t('passages.boost_add')}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}

interface DecayProps {
  readonly decay: Decay | null;
  readonly fields: readonly string[];
  readonly onChange: (decay: Decay | null) => void;
}

function DecayFields({ decay, fields, onChange }: DecayProps) {
  const { t } = useTranslation('collectionsPage');
  return (
    <Stack gap="xs">
      <Switch
        label={t('passages.decay')}
        description={t('passages.decay_hint')}
        checked={decay !== null}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? { half_life_days: HALF_LIFE, field: CREATED, floor: 0 } : null)
        }
      />
      {decay === null ? null : (
        <Group grow align="flex-start">
          <NumberInput
            label={t('passages.half_life')}
            min={1}
            max={36_500}
            value={decay.half_life_days}
            onChange={(value) =>
              typeof value === 'number' && value > 0 ? onChange({ ...decay, half_life_days: value }) : undefined
            }
          />
          <Select
            label={t('passages.decay_field')}
            allowDeselect={false}
            data={[
              { value: CREATED, label: t('passages.uploaded') },
              ...[...new Set([...fields, decay.field])]
                .filter((field) => field !== CREATED)
                .map((field) => ({ value: field, label: field })),
            ]}
            value={decay.field}
            onChange={(field) => onChange({ ...decay, field: field ?? CREATED })}
          />
        </Group>
      )}
    </Stack>
  );
}

interface PassageFieldsProps {
  readonly config: Part;
  /** Names of metadata fields that are indexed. */
  readonly fields: readonly string[];
  readonly onChange: (change: Partial<Part>) => void;
}

/** What becomes of passages that were found: how much of their surroundings is given, what counts more, what is left out. */
export function PassageFields({ config, fields, onChange }: PassageFieldsProps) {
  const { t } = useTranslation('collectionsPage');
  const { parent_size: size = null, decay = null, boosts = [], collapse_duplicates: collapse = false } = config;
  return (
    <Stack gap="md">
      <Switch
        label={t('passages.parent')}
        description={t('passages.parent_hint')}
        checked={size !== null}
        onChange={({ currentTarget }) => onChange({ parent_size: currentTarget.checked ? PARENT_SIZE : null })}
      />
      {size === null ? null : (
        <NumberInput
          label={t('passages.parent_size')}
          min={128}
          max={8_192}
          step={128}
          allowDecimal={false}
          value={size}
          onChange={(value) =>
            typeof value === 'number' && value >= 128 ? onChange({ parent_size: value }) : undefined
          }
        />
      )}
      <Switch
        label={t('passages.collapse')}
        description={t('passages.collapse_hint')}
        checked={collapse}
        onChange={({ currentTarget }) => onChange({ collapse_duplicates: currentTarget.checked })}
      />
      <DecayFields decay={decay} fields={fields} onChange={(changed) => onChange({ decay: changed })} />
      <Boosts boosts={boosts} fields={fields} onChange={(changed) => onChange({ boosts: changed })} />
    </Stack>
  );
}
