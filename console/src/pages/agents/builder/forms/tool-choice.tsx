import type { AgentNodeForm, ToolChoice } from '@ai-studio/contract/agents/definition.ts';
import { ActionIcon, Button, Group, Menu, MultiSelect, Select, Stack, Text } from '@mantine/core';
import { IconPlus, IconTool, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from '../context.ts';
import { useNodeLabels } from '../use-node-labels.ts';
import { CollectionsField } from './collections-field.tsx';
import classes from './forms.module.css';
import { useFieldError } from './use-field-error.ts';

const builtIn = ['search_collection', 'parse_document', 'write_document', 'calculator', 'current_time'] as const;
const MAX_TOOLS = 20;

/** Kinds of tools to choose from, with the tool servers of the tenant. */
function useToolKinds() {
  const { t } = useTranslation('agentBuilder');
  const { options } = useBuilder();
  const collections = options?.collections.slice(0, 1).map(({ id }) => id) ?? [];
  return [
    ...builtIn.map((kind) => ({
      value: kind as string,
      label: t(`tools.${kind}`),
      choice: (kind === 'search_collection' ? { kind, collections } : { kind }) as ToolChoice,
    })),
    ...(options?.servers ?? []).map(({ id, name }) => ({
      value: `server:${id}`,
      label: name,
      choice: { kind: 'server', server: id, tools: [] } satisfies ToolChoice as ToolChoice,
    })),
  ];
}

interface ToolOptionsProps {
  readonly node: AgentNodeForm;
  readonly path: string;
  readonly choice: ToolChoice;
  /** Whether just one tool of a server is called. */
  readonly one: boolean;
  readonly onChange: (choice: ToolChoice) => void;
}

/** What there is to say of a chosen tool: its collections, or which tools of its server. */
function ToolOptions({ node, path, choice, one, onChange }: ToolOptionsProps) {
  const { t } = useTranslation('agentBuilder');
  const { options } = useBuilder();
  const error = useFieldError(node);
  if (choice.kind === 'search_collection')
    return (
      <CollectionsField
        value={choice.collections}
        error={error(`${path}.collections`)}
        onChange={(collections) => onChange({ ...choice, collections })}
      />
    );
  if (choice.kind !== 'server') return null;
  const known = options?.servers.find(({ id }) => id === choice.server)?.tools ?? [];
  const names = [...new Set([...known.map(({ name }) => name), ...choice.tools])];
  if (one)
    return (
      <Select
        label={t('fields.server_tool')}
        searchable
        allowDeselect={false}
        data={names}
        value={choice.tools[0] ?? null}
        error={error(`${path}.tools`) ?? error(`${path}.server`)}
        onChange={(name) => {
          if (name !== null) onChange({ ...choice, tools: [name] });
        }}
      />
    );
  return (
    <MultiSelect
      label={t('fields.server_tools')}
      description={t('fields.server_tools_hint')}
      searchable
      clearable
      data={names}
      value={choice.tools}
      error={error(`${path}.tools`) ?? error(`${path}.server`)}
      onChange={(tools) => onChange({ ...choice, tools })}
    />
  );
}

interface ToolSelectProps {
  readonly node: AgentNodeForm;
  readonly choice: ToolChoice;
  readonly onChange: (choice: ToolChoice) => void;
}

/** The one tool that a tool node calls. */
export function ToolSelect({ node, choice, onChange }: ToolSelectProps) {
  const { t } = useTranslation('agentBuilder');
  const kinds = useToolKinds();
  const value = choice.kind === 'server' ? `server:${choice.server}` : choice.kind;
  const gone = kinds.every((kind) => kind.value !== value);
  return (
    <>
      <Select
        label={t('fields.tool')}
        allowDeselect={false}
        data={[
          ...kinds.map(({ value: one, label }) => ({ value: one, label })),
          ...(gone ? [{ value, label: t('none_chosen') }] : []),
        ]}
        value={value}
        onChange={(chosen) => {
          const found = kinds.find((kind) => kind.value === chosen);
          if (found !== undefined && chosen !== value) onChange(found.choice);
        }}
      />
      <ToolOptions node={node} path="tool" choice={choice} one onChange={onChange} />
    </>
  );
}

interface ToolListProps {
  readonly node: AgentNodeForm;
  readonly tools: readonly ToolChoice[];
  readonly onChange: (tools: ToolChoice[]) => void;
}

/** The tools that a model may call. */
export function ToolList({ node, tools, onChange }: ToolListProps) {
  const { t } = useTranslation('agentBuilder');
  const { options } = useBuilder();
  const labels = useNodeLabels(options);
  const kinds = useToolKinds();
  return (
    <Stack gap="xs" role="group" aria-label={t('fields.tools')}>
      <Text size="sm" fw={500}>
        {t('fields.tools')}
      </Text>
      {tools.map((choice, at) => (
        // A tool may stand there twice.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={at} className={classes['case']}>
          <Stack gap={8}>
            <Group justify="space-between" wrap="nowrap">
              <Group gap={6} wrap="nowrap">
                <IconTool size={14} aria-hidden />
                <Text size="sm">{labels.tool(choice.kind === 'server' ? { ...choice, tools: [] } : choice)}</Text>
              </Group>
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-label={t('remove_tool', { name: labels.tool(choice) })}
                onClick={() => onChange(tools.filter((_tool, place) => place !== at))}
              >
                <IconX size={14} aria-hidden />
              </ActionIcon>
            </Group>
            <ToolOptions
              node={node}
              path={`tools.${at}`}
              choice={choice}
              one={false}
              onChange={(next) => onChange(tools.map((tool, place) => (place === at ? next : tool)))}
            />
          </Stack>
        </div>
      ))}
      {tools.length >= MAX_TOOLS ? null : (
        <Group>
          <Menu withinPortal position="bottom-start">
            <Menu.Target>
              <Button size="compact-xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />}>
                {t('add_tool')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {kinds.map(({ value, label, choice }) => (
                <Menu.Item key={value} onClick={() => onChange([...tools, choice])}>
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
    </Stack>
  );
}
