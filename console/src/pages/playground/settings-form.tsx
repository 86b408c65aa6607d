import type { ChatModelOption } from '@ai-studio/contract/console/conversations.ts';
import {
  Anchor,
  JsonInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { type Settings, parseTools } from './request.ts';

interface SettingsFormProps {
  readonly settings: Settings;
  readonly model: ChatModelOption | undefined;
  readonly onChange: (settings: Settings) => void;
}

interface NumberField {
  readonly key: 'temperature' | 'topP' | 'maxTokens' | 'frequencyPenalty' | 'presencePenalty' | 'seed';
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** Whole numbers only. */
  readonly whole?: boolean;
  /** What holds when it is left empty. */
  readonly standard: string;
}

/** Ranges and defaults of interface section 2.2. */
const numberFields: readonly NumberField[] = [
  { key: 'temperature', min: 0, max: 2, step: 0.1, standard: '1' },
  { key: 'topP', min: 0, max: 1, step: 0.05, standard: '1' },
  { key: 'maxTokens', min: 1, max: 32_768, step: 256, whole: true, standard: '' },
  { key: 'frequencyPenalty', min: -2, max: 2, step: 0.1, standard: '0' },
  { key: 'presencePenalty', min: -2, max: 2, step: 0.1, standard: '0' },
  { key: 'seed', min: 0, max: 4_294_967_295, step: 1, whole: true, standard: '' },
];

const exampleTools = JSON.stringify(
  [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'Weather of a city',
        parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
      },
    },
  ],
  null,
  2,
);

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
}

interface TemplateKeyProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** A key of chat_template_kwargs, in the form that its schema asks for; unset it is not sent. */
function TemplateKey({ name, schema, value, onChange }: TemplateKeyProps) {
  const { t } = useTranslation('playground');
  const { t: common } = useTranslation('common');
  if (schema.type === 'boolean') {
    return (
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={name}
          value={typeof value === 'boolean' ? String(value) : ''}
          onChange={(chosen) => onChange(chosen === '' ? undefined : chosen === 'true')}
          data={[
            { value: '', label: t('as_model') },
            { value: 'true', label: common('on') },
            { value: 'false', label: common('off') },
          ]}
        />
      </Stack>
    );
  }
  if (schema.enum !== undefined) {
    return (
      <Select
        label={name}
        clearable
        placeholder={t('as_model')}
        data={schema.enum.map(String)}
        value={typeof value === 'string' ? value : null}
        onChange={(chosen) => onChange(chosen ?? undefined)}
      />
    );
  }
  return (
    <TextInput
      label={name}
      placeholder={t('as_model')}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : currentTarget.value)}
    />
  );
}

/** Everything that a request of a pane can be given, with the ranges of the interface. */
export function SettingsForm({ settings, model, onChange }: SettingsFormProps) {
  const { t } = useTranslation('playground');
  const set = (change: Partial<Settings>) => onChange({ ...settings, ...change });
  const parsed = parseTools(settings.tools);
  const setKey = (name: string, value: unknown) => {
    const { [name]: _before, ...others } = settings.templateKeys;
    set({ templateKeys: value === undefined ? others : { ...others, [name]: value } });
  };
  return (
    <Stack gap="md">
      <Textarea
        label={t('system_prompt')}
        placeholder={t('system_prompt_example')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        value={settings.systemPrompt}
        onChange={({ currentTarget }) => set({ systemPrompt: currentTarget.value })}
      />
      {Object.entries(model?.template_keys ?? {}).map(([name, schema]) => (
        <TemplateKey
          key={name}
          name={name}
          schema={schema as Schema}
          value={settings.templateKeys[name]}
          onChange={(value) => setKey(name, value)}
        />
      ))}
      {numberFields.map(({ key, min, max, step, whole = false, standard }) => (
        <DecimalInput
          key={key}
          label={t(`fields.${key}`)}
          description={t('range', { min, max })}
          placeholder={standard === '' ? t('automatic') : t('standard', { value: standard })}
          min={min}
          max={max}
          step={step}
          allowDecimal={!whole}
          decimalScale={whole ? 0 : 3}
          clampBehavior="blur"
          value={settings[key]}
          onChange={(value) => set({ [key]: value })}
        />
      ))}
      <TagsInput
        label={t('fields.stop')}
        description={t('stop_hint')}
        maxTags={4}
        value={[...settings.stop]}
        onChange={(stop) => set({ stop })}
      />
      <Switch
        label={t('json')}
        description={t('json_hint')}
        checked={settings.json}
        onChange={({ currentTarget }) => set({ json: currentTarget.checked })}
      />
      <JsonInput
        label={t('tools')}
        description={
          <>
            {t('tools_hint')}{' '}
            <Anchor component="button" type="button" size="xs" onClick={() => set({ tools: exampleTools })}>
              {t('tools_example')}
            </Anchor>
          </>
        }
        autosize
        minRows={3}
        maxRows={20}
        formatOnBlur
        value={settings.tools}
        error={'fault' in parsed ? t(`tools_fault.${parsed.fault}`) : undefined}
        onChange={(tools) => set({ tools })}
      />
    </Stack>
  );
}
