import { fillPrompt, type Prompt } from '@ai-studio/contract/console/prompts.ts';
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLazyNamespace } from '../../i18n/use-lazy-namespace.ts';
import { isSendKey } from '../../parts/composer/send-key.ts';
import classes from './composer.module.css';

interface PromptFormProps {
  readonly prompt: Prompt;
  readonly onFilled: (text: string) => void;
  readonly onClose: () => void;
}

/** Asks for the values of a prompt before it goes into the message. */
export function PromptForm({ prompt, onFilled, onClose }: PromptFormProps) {
  const { t } = useTranslation('chatTools');
  const { t: common } = useTranslation('common');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  if (!useLazyNamespace('chatTools')) return null;
  return (
    <Modal opened onClose={onClose} title={t('fill')} size="lg" centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onFilled(fillPrompt(prompt.content, filled));
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('fill_hint', { name: prompt.name })}
          </Text>
          {prompt.variables.map((name, at) => (
            <Textarea
              key={name}
              label={name}
              data-variable
              autosize
              minRows={1}
              maxRows={8}
              maxLength={20_000}
              data-autofocus={at === 0 ? true : undefined}
              value={values[name] ?? ''}
              onChange={({ currentTarget: { value } }) => setValues((old) => ({ ...old, [name]: value }))}
              // Enter goes on to the next value, and from the last one to the message; Shift+Enter makes a line.
              onKeyDown={(event) => {
                if (!isSendKey(event)) return;
                event.preventDefault();
                const { form } = event.currentTarget;
                const fields = [...(form?.querySelectorAll<HTMLTextAreaElement>('textarea[data-variable]') ?? [])];
                const next = fields[fields.indexOf(event.currentTarget) + 1];
                if (next === undefined) form?.requestSubmit();
                else next.focus();
              }}
            />
          ))}
          <section aria-label={t('fill_preview')}>
            <Text size="xs" c="dimmed" mb={4}>
              {t('fill_preview')}
            </Text>
            <pre className={classes['preview']} lang="">
              {fillPrompt(prompt.content, filled)}
            </pre>
          </section>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button type="submit">{t('fill_insert')}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
