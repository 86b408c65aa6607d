import type { NodeKind } from '@ai-studio/contract/agents/definition.ts';
import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type AddPlace, useBuilder } from '../context.ts';
import { Palette } from '../palette.tsx';
import { useNodeActions } from '../use-node-actions.ts';

interface AddDialogProps {
  /** Null: closed. */
  readonly place: AddPlace | null;
  readonly onClose: () => void;
}

/** Asks which node is added at a place that was pointed at; the focus is on the new node then. */
export function AddDialog({ place, onClose }: AddDialogProps) {
  const { t } = useTranslation('agentBuilder');
  const { definition } = useBuilder();
  const actions = useNodeActions();
  const unavailable = new Set<NodeKind>(definition.nodes.some(({ kind }) => kind === 'input') ? ['input'] : []);
  if (place?.is === 'on') for (const kind of ['input', 'answer'] as const) unavailable.add(kind);
  return (
    <Modal
      opened={place !== null}
      onClose={onClose}
      title={t(place?.is === 'on' ? 'insert_node' : 'add_node')}
      centered
    >
      <Palette
        unavailable={unavailable}
        inDialog
        onInsert={(kind) => {
          if (place !== null) actions.add(kind, place);
          onClose();
        }}
      />
    </Modal>
  );
}
