import {
  AgentDetails,
  type AgentOptions,
  type AgentTemplate,
  agentTemplates,
} from '@ai-studio/contract/console/agents.ts';
import { Group, Input, Modal, MultiSelect, Radio, Select, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { usePreferences } from '../../app/use-preferences.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { type Naming, NamingFields } from '../../parts/naming-fields.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import classes from './agents.module.css';
import { agentOptionsQuery } from './queries.ts';

/** Templates that search collections. */
const searching: ReadonlySet<AgentTemplate> = new Set(['knowledge_answer', 'multi_step']);

interface TemplateProps {
  readonly value: AgentTemplate;
  readonly onChange: (template: AgentTemplate) => void;
}

function TemplateField({ value, onChange }: TemplateProps) {
  const { t } = useTranslation('agents');
  return (
    <Radio.Group
      label={t('template')}
      value={value}
      onChange={(chosen) => onChange(agentTemplates.find((one) => one === chosen) ?? value)}
    >
      <div className={classes['cards']}>
        {agentTemplates.map((one) => (
          <Radio.Card key={one} value={one} radius="md" className={classes['card'] ?? ''}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} />
              <div>
                <Text size="sm" fw={600}>
                  {t(`templates.${one}`)}
                </Text>
                <Text size="xs" c="dimmed">
                  {t(`template_hints.${one}`)}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}

interface FormProps {
  readonly options: AgentOptions;
  readonly onClose: () => void;
}

function NewForm({ options, onClose }: FormProps) {
  const { t } = useTranslation('agents');
  const { t: common } = useTranslation('common');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { language } = usePreferences();
  const [template, setTemplate] = useState<AgentTemplate>('plain_assistant');
  const [naming, setNaming] = useState<Naming>({ name: '', description: '' });
  const { name, description } = naming;
  const [model, setModel] = useState(options.models[0]?.id ?? null);
  const [collections, setCollections] = useState<string[]>([]);
  const searches = searching.has(template);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      api.post(
        '/agents',
        {
          name: name.trim(),
          description: description.trim(),
          template,
          language,
          ...(model === null ? {} : { model }),
          ...(searches && collections.length > 0 ? { collections } : {}),
        },
        AgentDetails,
      ),
    async onSuccess({ id: agentId }) {
      void queries.invalidateQueries({ queryKey: ['agents'] });
      await navigate({ to: '/agents/$agentId/build', params: { agentId }, search: {} });
    },
  });
  return (
    <DialogForm
      error={error}
      saveLabel={common('create')}
      saving={isPending}
      disabled={name.trim() === '' || (searches && options.collections.length > 0 && collections.length === 0)}
      onSave={() => mutate()}
      onClose={onClose}
    >
      <TemplateField value={template} onChange={setTemplate} />
      <NamingFields
        naming={naming}
        onChange={setNaming}
        labels={{ name: t('name'), description: t('description_label'), hint: t('description_hint') }}
        longest={{ name: 100, description: 1_000 }}
      />
      <Select
        label={t('model')}
        searchable
        allowDeselect={false}
        data={options.models.map((one) => ({ value: one.id, label: one.name }))}
        value={model}
        onChange={setModel}
      />
      {!searches ? null : options.collections.length === 0 ? (
        <Input.Wrapper label={t('collections')} labelElement="div">
          <Input.Description>{t('no_collections')}</Input.Description>
        </Input.Wrapper>
      ) : (
        <MultiSelect
          label={t('collections')}
          description={t('collections_hint')}
          searchable
          required
          maxValues={20}
          // Below it would lie over the button that comes next, as it stays open for further ones.
          comboboxProps={{ position: 'top' }}
          data={options.collections.map((one) => ({ value: one.id, label: one.name }))}
          value={collections}
          onChange={setCollections}
        />
      )}
    </DialogForm>
  );
}

interface NewAgentProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes an agent of a template. */
export function NewAgentDialog({ opened, onClose }: NewAgentProps) {
  const { t } = useTranslation('agents');
  const query = useQuery({ ...agentOptionsQuery, enabled: opened });
  return (
    <Modal opened={opened} onClose={onClose} title={t('new')} size="lg">
      {opened ? <Loaded query={query}>{(options) => <NewForm options={options} onClose={onClose} />}</Loaded> : null}
    </Modal>
  );
}
