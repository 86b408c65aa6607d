import type { NodeOf, ToolChoice } from '@ai-studio/contract/agents/definition.ts';
import { ActionIcon, Button, Collapse, Group, MultiSelect, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';
import { resultsInScope } from '../model/references.ts';
import { CommitInput } from './commit-input.tsx';
import { JsonField } from './json-field.tsx';
import { NumberField, OptionalNumber } from './number-field.tsx';
import { TemplateField } from './template-field.tsx';
import { ToolList, ToolSelect } from './tool-choice.tsx';
import { useField } from './use-field.ts';
import { useFieldError } from './use-field-error.ts';

const exampleSchema = {
  type: 'object',
  required: ['title', 'points'],
  properties: { title: { type: 'string' }, points: { type: 'array', items: { type: 'string' } } },
};
const reasonings = ['default', 'on', 'off'] as const;

function PassagesField({ node }: { readonly node: NodeOf<'model'> }) {
  const { t } = useTranslation('agentBuilder');
  const { definition, change } = useBuilder();
  const error = useFieldError(node);
  const known = resultsInScope(definition, node.id)
    .filter(({ type }) => type === 'passages')
    .map(({ reference }) => reference);
  return (
    <MultiSelect
      label={t('fields.passages')}
      description={t('fields.passages_hint')}
      maxValues={5}
      data={[...new Set([...known, ...node.passages])]}
      value={node.passages}
      error={error('passages')}
      nothingFoundMessage={t('no_results')}
      onChange={(passages) => change(node, { passages }, 'passages')}
    />
  );
}

/** Files that the model is given. */
function FilesField({ node }: { readonly node: NodeOf<'model'> }) {
  const { t } = useTranslation('agentBuilder');
  const { definition, change } = useBuilder();
  const error = useFieldError(node);
  const chosen = node.files ?? [];
  const known = resultsInScope(definition, node.id)
    .filter(({ type }) => type === 'files')
    .map(({ reference }) => reference);
  return (
    <MultiSelect
      label={t('fields.model_files')}
      description={t('fields.model_files_hint')}
      maxValues={5}
      data={[...new Set([...known, ...chosen])]}
      value={[...chosen]}
      error={error('files')}
      nothingFoundMessage={t('no_results')}
      onChange={(files) => change(node, { files: files.length === 0 ? undefined : files }, 'files')}
    />
  );
}

function MoreOfModel({ node }: { readonly node: NodeOf<'model'> }) {
  const { t } = useTranslation('agentBuilder');
  const { change } = useBuilder();
  const error = useFieldError(node);
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={opened}
        leftSection={opened ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
        onClick={toggle}
      >
        {t('more_fields')}
      </Button>
      <Collapse expanded={opened}>
        <Stack gap="md" pt="sm">
          <JsonField
            label={t('fields.schema')}
            description={t('fields.schema_hint')}
            value={node.schema}
            error={error('schema')}
            example={exampleSchema}
            onChange={(schema) => change(node, { schema }, 'schema')}
          />
          <NumberField
            label={t('fields.history_turns')}
            description={t('fields.history_turns_hint')}
            min={0}
            max={50}
            value={node.history_turns}
            onChange={(turns) => change(node, { history_turns: turns }, 'history_turns')}
          />
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('fields.reasoning')}
            </Text>
            <SegmentedControl
              fullWidth
              size="xs"
              aria-label={t('fields.reasoning')}
              value={node.reasoning}
              data={reasonings.map((value) => ({ value, label: t(`reasonings.${value}`) }))}
              onChange={(chosen) =>
                change(node, { reasoning: reasonings.find((one) => one === chosen) ?? 'default' }, 'reasoning')
              }
            />
          </div>
          <Group grow align="flex-start">
            <OptionalNumber
              label={t('fields.temperature')}
              placeholder={t('as_model')}
              min={0}
              max={2}
              step={0.1}
              value={node.temperature}
              onChange={(temperature) => change(node, { temperature }, 'temperature')}
            />
            <OptionalNumber
              label={t('fields.top_p')}
              placeholder={t('as_model')}
              min={0}
              max={1}
              step={0.05}
              value={node.top_p}
              onChange={(share) => change(node, { top_p: share }, 'top_p')}
            />
          </Group>
          <OptionalNumber
            label={t('fields.max_tokens')}
            placeholder={t('as_model')}
            allowDecimal={false}
            min={1}
            max={32_768}
            step={256}
            value={node.max_tokens}
            onChange={(most) => change(node, { max_tokens: most }, 'max_tokens')}
          />
        </Stack>
      </Collapse>
    </div>
  );
}

/** Asks a model. */
export function ModelForm({ node }: { readonly node: NodeOf<'model'> }) {
  const { t } = useTranslation('agentBuilder');
  const { options, change } = useBuilder();
  const error = useFieldError(node);
  const field = useField(node);
  const known = options?.models ?? [];
  const gone = node.model !== '' && known.every(({ id }) => id !== node.model);
  return (
    <>
      <Select
        label={t('fields.model')}
        searchable
        allowDeselect={false}
        data={[
          ...(gone ? [{ value: node.model, label: node.model }] : []),
          ...known.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={node.model === '' ? null : node.model}
        error={error('model')}
        onChange={(model) => change(node, { model: model ?? '' }, 'model')}
      />
      <TemplateField
        node={node}
        label={t('fields.system')}
        description={t('fields.system_hint')}
        minRows={3}
        maxLength={50_000}
        {...field('system')}
      />
      <TemplateField
        node={node}
        label={t('fields.prompt')}
        description={t('fields.prompt_hint')}
        minRows={3}
        {...field('prompt')}
      />
      <PassagesField node={node} />
      <FilesField node={node} />
      <ToolList node={node} tools={node.tools} onChange={(tools) => change(node, { tools }, 'tools')} />
      {node.tools.length === 0 ? null : (
        <NumberField
          label={t('fields.max_steps')}
          description={t('fields.max_steps_hint')}
          min={1}
          max={30}
          value={node.max_steps}
          onChange={(steps) => change(node, { max_steps: steps }, 'max_steps')}
        />
      )}
      <MoreOfModel node={node} />
    </>
  );
}

/** Runs another agent. */
export function AgentForm({ node }: { readonly node: NodeOf<'agent'> }) {
  const { t } = useTranslation('agentBuilder');
  const { options, change } = useBuilder();
  const error = useFieldError(node);
  const field = useField(node);
  const known = options?.agents ?? [];
  const gone = node.agent !== '' && known.every(({ slug }) => slug !== node.agent);
  return (
    <>
      <Select
        label={t('fields.agent')}
        description={options !== null && known.length === 0 ? t('fields.no_agents') : t('fields.agent_hint')}
        searchable
        allowDeselect={false}
        data={[
          ...(gone ? [{ value: node.agent, label: node.agent }] : []),
          ...known.map(({ slug, name }) => ({ value: slug, label: name })),
        ]}
        value={node.agent === '' ? null : node.agent}
        error={error('agent')}
        onChange={(agent) => change(node, { agent: agent ?? '' }, 'agent')}
      />
      <TemplateField node={node} label={t('fields.message')} {...field('message')} />
    </>
  );
}

interface Parameters {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown; readonly description?: unknown }>>;
  readonly required?: readonly string[];
}

/** What the built-in tools take. */
const builtIn: Readonly<Record<Exclude<ToolChoice['kind'], 'server'>, Parameters>> = {
  search_collection: { properties: { query: { type: 'string' }, count: { type: 'integer' } }, required: ['query'] },
  parse_document: { properties: { file: { type: 'string' }, start: { type: 'integer' } } },
  write_document: {
    properties: {
      name: { type: 'string' },
      content: { type: 'string' },
      template: { type: 'string' },
      data: { type: 'object' },
    },
    required: ['name'],
  },
  calculator: { properties: { expression: { type: 'string' } }, required: ['expression'] },
  current_time: { properties: { time_zone: { type: 'string' } } },
};

/** Calls one tool. */
export function ToolForm({ node }: { readonly node: NodeOf<'tool'> }) {
  const { t } = useTranslation('agentBuilder');
  const { options, change } = useBuilder();
  const error = useFieldError(node);
  const { tool } = node;
  const parameters: Parameters =
    tool.kind === 'server'
      ? ((options?.servers.find(({ id }) => id === tool.server)?.tools.find(({ name }) => name === tool.tools[0])
          ?.parameters as Parameters | undefined) ?? {})
      : builtIn[tool.kind];
  const properties = parameters.properties ?? {};
  const names = [...new Set([...Object.keys(properties), ...Object.keys(node.arguments)])];
  const set = (name: string, text: string | null) => {
    const { [name]: _before, ...others } = node.arguments;
    change(node, { arguments: text === null ? others : { ...others, [name]: text } }, `arguments.${name}`);
  };
  return (
    <>
      <ToolSelect
        node={node}
        choice={tool}
        onChange={(next) => change(node, { tool: next, ...(next.kind === tool.kind ? {} : { arguments: {} }) }, 'tool')}
      />
      {names.map((name) => {
        const property = properties[name];
        const { description } = property ?? {};
        return (
          <Group key={name} gap={4} wrap="nowrap" align="flex-start">
            <div style={{ flex: 1, minWidth: 0 }}>
              <TemplateField
                node={node}
                label={name}
                description={typeof description === 'string' ? description : undefined}
                minRows={1}
                maxLength={20_000}
                required={parameters.required?.includes(name) ?? false}
                value={node.arguments[name] ?? ''}
                error={error(`arguments.${name}`)}
                onChange={(text) => set(name, text === '' && property !== undefined ? null : text)}
              />
            </div>
            {property === undefined ? (
              <ActionIcon
                mt={26}
                variant="subtle"
                color="gray"
                aria-label={t('remove_argument', { name })}
                onClick={() => set(name, null)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            ) : null}
          </Group>
        );
      })}
      {tool.kind === 'server' ? (
        <CommitInput
          size="xs"
          label={t('add_argument')}
          description={t('add_argument_hint')}
          value=""
          validate={(name) =>
            name.trim() === '' || name.length > 100 || names.includes(name.trim()) ? t('no_name') : null
          }
          onCommit={(name) => set(name.trim(), '')}
        />
      ) : null}
    </>
  );
}
