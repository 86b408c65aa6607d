import {
  MAX_PROMPT_LENGTH,
  type Prompt,
  type PromptVisibility,
  promptVariables,
} from '@ai-studio/contract/console/prompts.ts';
import { Badge, Group, Input, Modal, Radio, Stack, Text, TextInput, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changePrompt, createPrompt } from '../../api/prompts.ts';
import { hasPermission, useMe } from '../../api/session.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { useNotify } from '../../parts/use-notify.tsx';

/** What is written of a prompt. */
export interface PromptDraft {
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly visibility: PromptVisibility;
}

export const emptyDraft: PromptDraft = { name: '', description: '', content: '', visibility: 'private' };

/** Names of the values that a text asks for, as they are found while it is written. */
function Variables({ content }: { readonly content: string }) {
  const { t } = useTranslation('promptsPage');
  const names = promptVariables(content);
  return (
    <Group gap={6} role="status" aria-label={t('variables')}>
      <Text size="xs" c="dimmed">
        {names.length === 0 ? t('no_variables') : t('variables')}
      </Text>
      {names.map((name) => (
        <Badge key={name} variant="light" tt="none" fw={500}>
          {name}
        </Badge>
      ))}
    </Group>
  );
}

/** What of a prompt is edited. */
export const draftOf = ({ name, description, content, visibility }: PromptDraft): PromptDraft => ({
  name,
  description,
  content,
  visibility,
});

interface EditorProps {
  /** The prompt that is changed; null for a new one. */
  readonly prompt: Prompt | null;
  readonly initial: PromptDraft;
  readonly onClose: () => void;
}

/** The form of a prompt. */
export function PromptEditor({ prompt, initial, onClose }: EditorProps) {
  const { t } = useTranslation('promptsPage');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const notify = useNotify();
  const me = useMe();
  const [draft, setDraft] = useState(initial);
  const set = (change: Partial<PromptDraft>) => setDraft((old) => ({ ...old, ...change }));
  const mayShare = hasPermission(me, ['prompts.share']) || initial.visibility === 'tenant';
  // Who shares it alone can take it back.
  const choosesReaders = mayShare && (prompt === null || prompt.own);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      prompt === null ? createPrompt(draft) : changePrompt(prompt.id, { version: prompt.version, ...draft }),
    async onSuccess() {
      onClose();
      notify.done(common('saved'));
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['prompts'] }),
        queries.invalidateQueries({ queryKey: ['prompt'] }),
      ]);
    },
  });
  const sample = `{{${t('sample')}}}`;
  return (
    <Modal opened onClose={onClose} title={t(prompt === null ? 'new' : 'edit')} size="lg" centered>
      <DialogForm
        error={error}
        saveLabel={common('save')}
        saving={isPending}
        disabled={draft.name.trim() === '' || draft.content.trim() === ''}
        onSave={() => mutate()}
        onClose={onClose}
      >
        <TextInput
          label={t('name')}
          placeholder={t('name_example')}
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          value={draft.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
        <TextInput
          label={t('about')}
          description={t('about_hint')}
          maxLength={500}
          value={draft.description}
          onChange={({ currentTarget }) => set({ description: currentTarget.value })}
        />
        <Stack gap={6}>
          <Textarea
            label={t('content')}
            description={t('content_hint', { sample })}
            placeholder={t('content_example', { sample })}
            required
            withAsterisk={false}
            autosize
            minRows={5}
            maxRows={16}
            maxLength={MAX_PROMPT_LENGTH}
            value={draft.content}
            onChange={({ currentTarget }) => set({ content: currentTarget.value })}
          />
          <Variables content={draft.content} />
        </Stack>
        {choosesReaders ? (
          <Radio.Group
            label={t('visibility')}
            value={draft.visibility}
            onChange={(value) => set({ visibility: value === 'tenant' ? 'tenant' : 'private' })}
          >
            <Stack gap="xs" mt={6}>
              <Radio value="private" label={t('private')} description={t('private_hint')} />
              <Radio value="tenant" label={t('tenant')} description={t('tenant_hint')} />
            </Stack>
          </Radio.Group>
        ) : prompt === null || prompt.own ? (
          <Input.Wrapper label={t('visibility')}>
            <Text size="sm" c="dimmed">
              {t('private')} · {t('share_missing')}
            </Text>
          </Input.Wrapper>
        ) : null}
      </DialogForm>
    </Modal>
  );
}
