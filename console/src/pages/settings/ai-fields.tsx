import { defaultAiTexts } from '@ai-studio/contract/console/ai-texts.ts';
import { TenantSettings } from '@ai-studio/contract/console/settings.ts';
import { Fieldset, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import type { FieldsProps } from './fields-props.ts';

const places = TenantSettings.shape.follow_ups.options;
/** Empty: the text of the service. */
const ownText = (text: string) => (text.trim() === '' ? null : text);

/** What people are told of AI, and what a model is asked beside their questions. */
export function AiFields({ settings, onChange }: FieldsProps) {
  const { t } = useTranslation('answers');
  const loaded = useLazyNamespace('answers');
  if (!loaded) return null;
  const { notice, mark } = defaultAiTexts;
  return (
    <Fieldset legend={t('ai')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('ai_hint')}
        </Text>
        {(['ko', 'en'] as const).map((language) => (
          <Textarea
            key={language}
            label={t(`ai_notice_${language}`)}
            placeholder={notice[language]}
            lang={language}
            autosize
            minRows={3}
            maxRows={10}
            maxLength={2_000}
            value={settings[`ai_notice_${language}`] ?? ''}
            onChange={({ currentTarget }) => onChange({ [`ai_notice_${language}`]: ownText(currentTarget.value) })}
          />
        ))}
        {(['ko', 'en'] as const).map((language) => (
          <TextInput
            key={language}
            label={t(`ai_mark_${language}`)}
            placeholder={mark[language]}
            lang={language}
            maxLength={60}
            value={settings[`ai_mark_${language}`] ?? ''}
            onChange={({ currentTarget }) => onChange({ [`ai_mark_${language}`]: ownText(currentTarget.value) })}
          />
        ))}
        <Select
          label={t('follow_ups')}
          description={t('follow_ups_hint')}
          allowDeselect={false}
          data={places.map((place) => ({ value: place, label: t(`follow_ups_where.${place}`) }))}
          value={settings.follow_ups}
          onChange={(value) => {
            const place = places.find((one) => one === value);
            if (place !== undefined) onChange({ follow_ups: place });
          }}
        />
        <Switch
          label={t('model_titles')}
          description={t('model_titles_hint')}
          checked={settings.model_titles}
          onChange={({ currentTarget }) => onChange({ model_titles: currentTarget.checked })}
        />
      </Stack>
    </Fieldset>
  );
}
