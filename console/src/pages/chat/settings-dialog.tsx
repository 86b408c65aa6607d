import { type ChatModelOption, ConversationParameters } from '@ai-studio/contract/console/conversations.ts';
import { Button, Group, Modal, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import type { AnswerSettings } from './answer-settings.ts';

type Told = Pick<AnswerSettings, 'systemPrompt' | 'parameters'>;

interface SettingsDialogProps {
  readonly settings: Told;
  readonly model: ChatModelOption | undefined;
  readonly onApply: (settings: Told) => void;
  readonly onClose: () => void;
}

/** Ranges of interface section 2.2. */
const numbers = [
  { key: 'temperature', max: 2, min: 0, step: 0.1, whole: false },
  { key: 'top_p', max: 1, min: 0, step: 0.05, whole: false },
  { key: 'max_tokens', max: 32_768, min: 1, step: 256, whole: true },
] as const;
const efforts = ['low', 'medium', 'high'] as const;

/** How the models of a conversation are told to answer. */
export function SettingsDialog({ settings, model, onApply, onClose }: SettingsDialogProps) {
  const { t } = useTranslation('chatTools');
  const { t: common } = useTranslation('common');
  const [prompt, setPrompt] = useState(settings.systemPrompt ?? '');
  const [parameters, setParameters] = useState(settings.parameters);
  const set = (change: Partial<ConversationParameters>) => setParameters((old) => ({ ...old, ...change }));
  const takesEffort = model?.template_keys['reasoning_effort'] !== undefined || parameters.reasoning_effort != null;
  const apply = (told: Told) => {
    onApply(told);
    onClose();
  };
  if (!useLazyNamespace('chatTools')) return null;
  return (
    <Modal opened onClose={onClose} title={t('settings')} size="lg" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const known = Object.entries(parameters).filter(([, value]) => value != null);
          apply({
            systemPrompt: prompt.trim() === '' ? null : prompt,
            parameters: ConversationParameters.parse(Object.fromEntries(known)),
          });
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('settings_hint')}
          </Text>
          <Textarea
            label={t('system_prompt')}
            description={t('system_prompt_hint')}
            placeholder={t('system_prompt_example')}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={20_000}
            data-autofocus
            value={prompt}
            onChange={({ currentTarget }) => setPrompt(currentTarget.value)}
          />
          {numbers.map(({ key, min, max, step, whole }) => (
            <DecimalInput
              key={key}
              label={t(key)}
              description={t(`${key}_hint`)}
              placeholder={t('automatic')}
              min={min}
              max={max}
              step={step}
              allowDecimal={!whole}
              decimalScale={whole ? 0 : 2}
              clampBehavior="strict"
              thousandSeparator={whole ? ',' : ''}
              value={parameters[key] ?? null}
              onChange={(value) => set({ [key]: value })}
            />
          ))}
          {takesEffort ? (
            <Stack gap={4}>
              <Text size="sm" fw={500}>
                {t('effort')}
              </Text>
              <SegmentedControl
                aria-label={t('effort')}
                value={parameters.reasoning_effort ?? ''}
                onChange={(value) => set({ reasoning_effort: efforts.find((one) => one === value) ?? null })}
                data={[
                  { value: '', label: t('automatic') },
                  ...efforts.map((value) => ({ value, label: t(`effort_${value}`) })),
                ]}
              />
            </Stack>
          ) : null}
          <Group justify="space-between">
            <Button variant="subtle" color="gray" px={8} onClick={() => apply({ systemPrompt: null, parameters: {} })}>
              {t('clear')}
            </Button>
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                {common('cancel')}
              </Button>
              <Button type="submit">{t('apply')}</Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
