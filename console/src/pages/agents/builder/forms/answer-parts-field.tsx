import type { AnswerPart, NodeOf } from '@ai-studio/contract/agents/definition.ts';
import { ActionIcon, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';
import classes from './forms.module.css';
import { ReferenceField } from './reference-field.tsx';
import { TemplateField } from './template-field.tsx';
import { useFieldError } from './use-field-error.ts';

const MAX_PARTS = 20;
const newParts = {
  data: { kind: 'data', name: '', value: '' },
  files: { kind: 'files', files: '' },
  document: { kind: 'document', name: 'answer.md', content: '' },
} as const satisfies Record<AnswerPart['kind'], AnswerPart>;
const kinds = Object.keys(newParts) as readonly AnswerPart['kind'][];

interface PartFieldsProps {
  readonly node: NodeOf<'answer'>;
  readonly part: AnswerPart;
  readonly at: number;
  readonly onChange: (part: AnswerPart, field: string) => void;
}

function PartFields({ node, part, at, onChange }: PartFieldsProps) {
  const { t } = useTranslation('agentBuilder');
  const error = useFieldError(node);
  const errorAt = (field: string) => error(`parts.${at}.${field}`);
  switch (part.kind) {
    case 'data':
      return (
        <>
          <ReferenceField
            node={node}
            open
            label={t('fields.part_value')}
            wanted={['json', 'list', 'passages', 'text', 'number']}
            value={part.value}
            error={errorAt('value')}
            onChange={(value) => onChange({ ...part, value }, 'value')}
          />
          <TextInput
            label={t('fields.part_name')}
            maxLength={100}
            value={part.name}
            onChange={({ currentTarget: { value } }) => onChange({ ...part, name: value }, 'name')}
          />
        </>
      );
    case 'files':
      return (
        <ReferenceField
          node={node}
          open
          label={t('fields.part_files')}
          wanted={['files', 'list']}
          value={part.files}
          error={errorAt('files')}
          onChange={(files) => onChange({ ...part, files }, 'files')}
        />
      );
    case 'document':
      return (
        <>
          <TemplateField
            node={node}
            label={t('fields.part_file_name')}
            description={t('fields.part_file_name_hint')}
            minRows={1}
            maxLength={300}
            value={part.name}
            error={errorAt('name')}
            onChange={(name) => onChange({ ...part, name }, 'name')}
          />
          <TemplateField
            node={node}
            label={t('fields.part_content')}
            minRows={2}
            value={part.content}
            error={errorAt('content')}
            onChange={(content) => onChange({ ...part, content }, 'content')}
          />
        </>
      );
  }
}

/** What an answer brings beside its text: data, files, and files that are written. */
export function AnswerPartsField({ node }: { readonly node: NodeOf<'answer'> }) {
  const { t } = useTranslation('agentBuilder');
  const { change } = useBuilder();
  const parts = node.parts ?? [];
  const set = (next: readonly AnswerPart[], field: string) =>
    change(node, { parts: next.length === 0 ? undefined : [...next] }, field);
  return (
    <Stack gap="xs" role="group" aria-label={t('fields.parts')}>
      <Text size="sm" fw={500}>
        {t('fields.parts')}
      </Text>
      <Text size="xs" c="dimmed">
        {t('fields.parts_hint')}
      </Text>
      {parts.map((part, at) => (
        // Parts have no names of their own.
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={at} className={classes['case']} aria-label={`${at + 1}. ${t(`part_kinds.${part.kind}`)}`}>
          <Stack gap="xs">
            <Group justify="space-between" gap={4}>
              <Text size="xs" fw={500}>
                {at + 1}. {t(`part_kinds.${part.kind}`)}
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('remove_part', { number: at + 1 })}
                onClick={() =>
                  set(
                    parts.filter((_part, place) => place !== at),
                    'parts',
                  )
                }
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </Group>
            <PartFields
              node={node}
              part={part}
              at={at}
              onChange={(next, field) => set(parts.with(at, next), `parts.${at}.${field}`)}
            />
          </Stack>
        </fieldset>
      ))}
      {parts.length >= MAX_PARTS ? null : (
        <Group>
          {/* What is wrong with the part before is told a moment later, and may push the button out of sight. */}
          <Menu hideDetached={false}>
            <Menu.Target>
              <Button size="compact-xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />}>
                {t('add_part')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {kinds.map((kind) => (
                <Menu.Item key={kind} onClick={() => set([...parts, { ...newParts[kind] }], 'parts')}>
                  {t(`part_kinds.${kind}`)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
    </Stack>
  );
}
