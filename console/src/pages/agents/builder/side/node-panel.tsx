import { type AgentNodeForm, NodeId } from '@ai-studio/contract/agents/definition.ts';
import { ActionIcon, Button, Group, Stack, Text, TextInput, Title, Tooltip } from '@mantine/core';
import { IconArrowNarrowRight, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import canvas from '../canvas/canvas.module.css';
import { useBuilder, useOpeners } from '../context.ts';
import { LimitsForm, MaskForm, ParseForm, RetrieveForm } from '../forms/document-forms.tsx';
import { ConditionForm, LoopForm, ParallelForm } from '../forms/flow-forms.tsx';
import { CommitInput } from '../forms/commit-input.tsx';
import { AnswerForm, AskForm, InputForm } from '../forms/talk-forms.tsx';
import { AgentForm, ModelForm, ToolForm } from '../forms/think-forms.tsx';
import { kindIcons } from '../kind-icons.ts';
import { renameNode, removeEdges } from '../model/edit.ts';
import { edgeKey, nodeOf, outputsOf } from '../model/graph.ts';
import { colorOf } from '../model/kinds.ts';
import { NodeMenu } from '../node-menu.tsx';
import { useNodeActions } from '../use-node-actions.ts';
import { useNodeLabels } from '../use-node-labels.ts';

function KindForm({ node }: { readonly node: AgentNodeForm }) {
  switch (node.kind) {
    case 'input':
      return <InputForm node={node} />;
    case 'retrieve':
      return <RetrieveForm node={node} />;
    case 'model':
      return <ModelForm node={node} />;
    case 'tool':
      return <ToolForm node={node} />;
    case 'parse_document':
      return <ParseForm node={node} />;
    case 'mask_pii':
      return <MaskForm node={node} />;
    case 'condition':
      return <ConditionForm node={node} />;
    case 'parallel':
      return <ParallelForm node={node} />;
    case 'loop':
      return <LoopForm node={node} />;
    case 'agent':
      return <AgentForm node={node} />;
    case 'ask':
      return <AskForm node={node} />;
    case 'answer':
      return <AnswerForm node={node} />;
  }
}

interface Naming {
  /** The node whose name is to be written now. */
  readonly naming: string | null;
  readonly onNamed: () => void;
}

function NodeHead({ node, naming, onNamed }: Naming & { readonly node: AgentNodeForm }) {
  const { t } = useTranslation('agentBuilder');
  const { definition, change, edit, problems } = useBuilder();
  const taken = definition.nodes.map(({ id }) => id);
  const validate = (id: string) => {
    if (!NodeId.safeParse(id).success) return t('name_rule');
    return taken.includes(id) || id === 'item' || id === 'loop' ? t('name_taken') : null;
  };
  const name = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (naming !== node.id) return;
    name.current?.focus();
    name.current?.select();
    onNamed();
  }, [naming, node.id, onNamed]);
  const idWrong = problems.some(({ node: one, field }) => one === node.id && field === 'id');
  return (
    <>
      <TextInput
        ref={name}
        label={t('node_name')}
        placeholder={t(`kinds.${node.kind}`)}
        maxLength={100}
        value={node.name}
        onChange={({ currentTarget: { value } }) => change(node, { name: value.trimStart() }, 'name')}
      />
      <CommitInput
        label={t('node_id')}
        description={t('node_id_hint')}
        value={node.id}
        validate={validate}
        error={idWrong ? t('name_taken') : undefined}
        onCommit={(id) => edit(({ definition: now }) => ({ definition: renameNode(now, node.id, id), select: [id] }))}
      />
    </>
  );
}

/** The edges of a node, and a way to draw one more. */
function Connections({ node }: { readonly node: AgentNodeForm }) {
  const { t } = useTranslation('agentBuilder');
  const { definition, options, edit, choose } = useBuilder();
  const labels = useNodeLabels(options);
  const { connect } = useOpeners();
  const edges = definition.edges.filter(({ from, to }) => from === node.id || to === node.id);
  const nameOf = (id: string) => labels.nameIn(definition, id);
  return (
    <Stack gap={6} component="section" aria-label={t('connections')}>
      <Text size="sm" fw={500}>
        {t('connections')}
      </Text>
      {edges.length === 0 ? (
        <Text size="xs" c="dimmed">
          {t('no_connections')}
        </Text>
      ) : (
        <Stack gap={2} component="ul" className={canvas['edges'] ?? ''}>
          {edges.map((edge) => {
            const out = edge.from === node.id;
            const other = out ? edge.to : edge.from;
            return (
              <Group key={edgeKey(edge)} component="li" gap={4} wrap="nowrap" justify="space-between">
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-xs"
                  onClick={() => choose([other])}
                  leftSection={<IconArrowNarrowRight size={14} aria-hidden data-back={!out} />}
                >
                  {out
                    ? `${edge.branch === undefined ? '' : `${edge.branch}: `}${nameOf(other)}`
                    : t('comes_from', { name: nameOf(other) })}
                </Button>
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  aria-label={t('remove_edge', { edge: labels.edge(definition, edge) })}
                  onClick={() =>
                    edit(({ definition: now }) => ({ definition: removeEdges(now, new Set([edgeKey(edge)])) }))
                  }
                >
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              </Group>
            );
          })}
        </Stack>
      )}
      {outputsOf(node).length === 0 ? null : (
        <Group>
          <Button size="compact-xs" variant="default" onClick={() => connect(node.id)}>
            {t('connect_to')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function ManyNodes() {
  const { t } = useTranslation('agentBuilder');
  const { t: common } = useTranslation('common');
  const { chosen, chosenEdges } = useBuilder();
  const actions = useNodeActions();
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {chosen.length === 0
          ? t('edges_chosen', { count: chosenEdges.length })
          : t('nodes_chosen', { count: chosen.length })}
      </Title>
      <Group gap="xs">
        {chosen.length === 0 ? null : (
          <Button size="xs" variant="default" onClick={() => actions.duplicate(chosen)}>
            {t('duplicate')}
          </Button>
        )}
        <Button size="xs" variant="default" color="red" onClick={() => actions.remove(chosen, chosenEdges)}>
          {common('remove')}
        </Button>
      </Group>
    </Stack>
  );
}

/** The fields of the chosen node; those of the whole agent where none is chosen. */
export function NodePanel({ naming, onNamed }: Naming) {
  const { t } = useTranslation('agentBuilder');
  const { definition, chosen, chosenEdges, choose, options } = useBuilder();
  const labels = useNodeLabels(options);
  const node = chosen.length === 1 ? nodeOf(definition, chosen[0]) : undefined;
  const top = useRef<HTMLDivElement>(null);
  const id = node?.id;
  // Who is to be named is chosen first.
  useEffect(() => {
    if (naming !== null && naming !== id) choose([naming]);
  }, [naming, id, choose]);
  // Each form is seen from its beginning.
  useEffect(() => {
    if (id !== undefined) top.current?.closest('[role=tabpanel]')?.scrollTo({ top: 0 });
  }, [id]);
  if (chosen.length > 1 || (chosen.length === 0 && chosenEdges.length > 0)) return <ManyNodes />;
  if (node === undefined)
    return (
      <Stack gap="md">
        <Title order={2} size="h5">
          {t('whole')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('whole_hint')}
        </Text>
        <LimitsForm />
      </Stack>
    );
  const Picture = kindIcons[node.kind];
  return (
    <Stack gap="md" key={node.id} ref={top}>
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <span className={canvas['icon']} data-color={colorOf(node.kind)}>
          <Picture size={18} stroke={1.7} aria-hidden />
        </span>
        <div className={canvas['titles']}>
          <Title order={2} size="h5">
            {labels.name(node)}
          </Title>
          <Text size="xs" c="dimmed">
            {t(`kind_hints.${node.kind}`)}
          </Text>
        </div>
        <NodeMenu node={node} />
        <Tooltip label={t('unchoose')}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('unchoose')} onClick={() => choose([])}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
      <NodeHead node={node} naming={naming} onNamed={onNamed} />
      <KindForm node={node} />
      <Connections node={node} />
    </Stack>
  );
}
