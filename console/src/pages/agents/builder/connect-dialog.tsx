import type { AgentEdge, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBuilder } from './context.ts';
import { addEdge } from './model/edit.ts';
import { nodeOf, targetsOf, outputsOf } from './model/graph.ts';
import { useNodeLabels } from './use-node-labels.ts';

interface FormProps {
  readonly node: AgentNodeForm;
  readonly onDone: () => void;
}

function ConnectForm({ node, onDone }: FormProps) {
  const { t } = useTranslation('agentBuilder');
  const { t: common } = useTranslation('common');
  const { definition, options, edit, announce } = useBuilder();
  const labels = useNodeLabels(options);
  const ways = outputsOf(node).filter((way) => way !== undefined);
  const [branch, setBranch] = useState(
    ways.find((way) => !definition.edges.some((edge) => edge.from === node.id && edge.branch === way)) ?? ways[0],
  );
  const [to, setTo] = useState<string | null>(null);
  const targets = targetsOf(definition, node.id, branch);
  if (targets.length === 0 && ways.length === 0)
    return (
      <Stack>
        <Text size="sm">{t('no_targets')}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone} data-autofocus>
            {common('close')}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (to === null) return;
        const edge: AgentEdge = { from: node.id, to, ...(branch === undefined ? {} : { branch }) };
        edit(({ definition: now }) => ({ definition: addEdge(now, edge) }));
        const target = nodeOf(definition, to);
        announce(t('said.connected', { from: labels.name(node), to: target === undefined ? to : labels.name(target) }));
        onDone();
      }}
    >
      <Stack>
        {ways.length === 0 ? null : (
          <Select
            label={t('way_out')}
            allowDeselect={false}
            data={ways.map((way) => ({ value: way, label: way === 'else' ? t('otherwise') : way }))}
            value={branch ?? null}
            onChange={(way) => {
              if (way !== null) setBranch(way);
            }}
          />
        )}
        <Select
          label={t('to_node')}
          searchable
          data-autofocus
          data={targets.map((target) => ({ value: target.id, label: `${labels.name(target)} (${target.id})` }))}
          value={to}
          onChange={setTo}
          nothingFoundMessage={t('no_targets')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {common('cancel')}
          </Button>
          <Button type="submit" disabled={to === null}>
            {t('connect')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface ConnectDialogProps {
  /** Null: closed. */
  readonly from: string | null;
  readonly onClose: () => void;
}

/** Draws an edge without a mouse. */
export function ConnectDialog({ from, onClose }: ConnectDialogProps) {
  const { t } = useTranslation('agentBuilder');
  const { definition, options } = useBuilder();
  const labels = useNodeLabels(options);
  const node = nodeOf(definition, from);
  return (
    <Modal
      opened={node !== undefined}
      onClose={onClose}
      title={node === undefined ? '' : t('connect_from', { name: labels.name(node) })}
      centered
    >
      {node === undefined ? null : <ConnectForm node={node} onDone={onClose} />}
    </Modal>
  );
}
