import { IssuedApiKey, type KeyScope, type NewApiKey, keyScopes } from '@ai-studio/contract/console/keys.ts';
import { forEachLimit, type LimitField } from '@ai-studio/contract/limits.ts';
import { type GuardMode, guardModes } from '@ai-studio/contract/utilities/guard.ts';
import {
  Alert,
  Button,
  Checkbox,
  Collapse,
  Group,
  Modal,
  MultiSelect,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chatModelsQuery } from '../../api/chat-models.ts';
import { api } from '../../api/client.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { SecretText } from '../../parts/secret-text.tsx';
import { LimitInputs } from '../../parts/limit-inputs.tsx';
import { useFormat } from '../../parts/use-format.ts';
import { Connect } from './connect.tsx';
import { type KeyPreset, keyPresets, presets } from './presets.ts';

/** How much a key may use in a minute; null: what is standard. */
export type KeyLimits = Readonly<Record<LimitField, number | null>>;

interface Draft {
  readonly name: string;
  readonly preset: KeyPreset;
  readonly scopes: readonly KeyScope[];
  readonly models: readonly string[];
  readonly limits: KeyLimits;
  readonly toolStream: 'openai' | 'arguments' | null;
  readonly agentModels: boolean;
  /** Null: what the tenant has set. */
  readonly privacy: GuardMode | null;
  /** Days until it expires; null for never. */
  readonly days: number | null;
}

const empty: Draft = {
  name: '',
  preset: 'none',
  scopes: keyScopes,
  models: [],
  limits: forEachLimit(null),
  toolStream: null,
  agentModels: false,
  privacy: null,
  days: null,
};

const DAY_MS = 24 * 3_600_000;
const lifetimes = [30, 90, 180, 365] as const;

const bodyOf = (draft: Draft): NewApiKey => ({
  name: draft.name.trim(),
  scopes: [...draft.scopes],
  allowed_models: draft.models.length === 0 ? null : [...draft.models],
  ...draft.limits,
  tool_stream: draft.toolStream,
  agent_models: draft.agentModels,
  privacy_mode: draft.privacy,
  expires_at: draft.days === null ? null : new Date(Date.now() + draft.days * DAY_MS).toISOString(),
});

interface FieldsProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
  /** What holds for keys without limits of their own. */
  readonly defaults: KeyLimits;
}

function Limits({ draft, onChange, defaults }: FieldsProps) {
  const { t } = useTranslation('keysPage');
  const { t: common } = useTranslation('common');
  const { number } = useFormat();
  const standard = (limit: number | null) =>
    limit === null ? common('unlimited') : t('default_limit', { limit: number(limit) });
  return (
    <LimitInputs
      values={draft.limits}
      onChange={(field, value) => onChange({ limits: { ...draft.limits, [field]: value } })}
      labelOf={(field) => t(field)}
      placeholderOf={(field) => standard(defaults[field])}
    />
  );
}

function More(props: FieldsProps) {
  const { draft, onChange } = props;
  const { t } = useTranslation('keysPage');
  const { data } = useQuery(chatModelsQuery);
  return (
    <Stack gap="md" pt="sm">
      <Checkbox.Group
        label={t('scopes')}
        description={t('scopes_hint')}
        value={[...draft.scopes]}
        onChange={(scopes) => onChange({ scopes })}
        error={draft.scopes.length === 0 ? t('scope_needed') : undefined}
      >
        <Stack gap="xs" mt="xs">
          {keyScopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={t(`scope.${scope}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
      <MultiSelect
        label={t('models')}
        placeholder={draft.models.length === 0 ? t('all_models') : ''}
        data={data?.items.map(({ id }) => id) ?? []}
        value={[...draft.models]}
        onChange={(models) => onChange({ models })}
        searchable
        clearable
      />
      <Limits {...props} />
      <Select
        label={t('tool_stream')}
        description={t('tool_stream_hint')}
        allowDeselect={false}
        data={[
          { value: '', label: t('tool_streams.model') },
          { value: 'openai', label: t('tool_streams.openai') },
          { value: 'arguments', label: t('tool_streams.arguments') },
        ]}
        value={draft.toolStream ?? ''}
        onChange={(value) => onChange({ toolStream: value === 'openai' || value === 'arguments' ? value : null })}
      />
      <Checkbox
        label={t('agent_models')}
        description={t('agent_models_hint')}
        checked={draft.agentModels}
        onChange={({ currentTarget }) => onChange({ agentModels: currentTarget.checked })}
      />
      <Select
        label={t('privacy')}
        description={t('privacy_hint')}
        allowDeselect={false}
        data={[
          { value: '', label: t('privacy_modes.inherit') },
          ...guardModes.map((mode) => ({ value: mode, label: t(`privacy_modes.${mode}`) })),
        ]}
        value={draft.privacy ?? ''}
        onChange={(value) => onChange({ privacy: guardModes.find((mode) => mode === value) ?? null })}
      />
    </Stack>
  );
}

interface FormProps extends Pick<FieldsProps, 'defaults'> {
  readonly onIssued: (issued: IssuedApiKey, preset: KeyPreset) => void;
  readonly onClose: () => void;
}

function NewKeyForm({ defaults, onIssued, onClose }: FormProps) {
  const { t } = useTranslation('keysPage');
  const queries = useQueryClient();
  const [draft, setDraft] = useState(empty);
  const [more, { toggle }] = useDisclosure(false);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.post('/keys', bodyOf(draft), IssuedApiKey),
    onSuccess(issued) {
      onIssued(issued, draft.preset);
      void queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const Arrow = more ? IconChevronDown : IconChevronRight;
  return (
    <DialogForm
      error={error}
      saveLabel={t('issue')}
      saving={isPending}
      disabled={draft.name.trim() === '' || draft.scopes.length === 0}
      onSave={() => mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        description={t('name_hint')}
        maxLength={100}
        required
        data-autofocus
        value={draft.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <Select
        label={t('preset')}
        description={t('preset_hint')}
        allowDeselect={false}
        data={keyPresets.map((preset) => ({ value: preset, label: t(`presets.${preset}`) }))}
        value={draft.preset}
        onChange={(value) => {
          const preset = keyPresets.find((one) => one === value) ?? 'none';
          const { toolStream, agentModels = false } = presets[preset];
          change({ preset, toolStream, agentModels });
        }}
      />
      <Select
        label={t('expiry')}
        allowDeselect={false}
        data={[
          { value: '', label: t('never') },
          ...lifetimes.map((days) => ({ value: String(days), label: t('days', { days }) })),
        ]}
        value={draft.days === null ? '' : String(draft.days)}
        onChange={(value) => change({ days: value ? Number(value) : null })}
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
        <More draft={draft} onChange={change} defaults={defaults} />
      </Collapse>
    </DialogForm>
  );
}

interface IssuedProps {
  readonly issued: IssuedApiKey;
  readonly preset: KeyPreset;
  readonly onClose: () => void;
}

function Issued({ issued, preset, onClose }: IssuedProps) {
  const { t } = useTranslation('keysPage');
  return (
    <Stack gap="md">
      <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
        {t('once')}
      </Alert>
      <Text fw={600}>{issued.key.name}</Text>
      <SecretText value={issued.value} data-testid="key-value" />
      <Connect preset={preset} value={issued.value} />
      <Group justify="space-between">
        <CopyButton value={issued.value} label={t('copy_key')} withText />
        <Button onClick={onClose}>{t('kept')}</Button>
      </Group>
    </Stack>
  );
}

interface NewKeyProps extends Pick<FieldsProps, 'defaults'> {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Issues a key and shows its value, this once. */
export function NewKey({ opened, onClose, defaults }: NewKeyProps) {
  const { t } = useTranslation('keysPage');
  const [made, setMade] = useState<{ readonly issued: IssuedApiKey; readonly preset: KeyPreset } | null>(null);
  const close = () => {
    setMade(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made === null ? t('new') : t('issued')}
      size="lg"
      // A click beside it must not lose a value that is never shown again.
      closeOnClickOutside={made === null}
      closeOnEscape={made === null}
      withCloseButton={made === null}
    >
      {made === null ? (
        <NewKeyForm defaults={defaults} onIssued={(issued, preset) => setMade({ issued, preset })} onClose={close} />
      ) : (
        <Issued {...made} onClose={close} />
      )}
    </Modal>
  );
}
