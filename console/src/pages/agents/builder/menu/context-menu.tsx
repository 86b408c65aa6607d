import { Menu } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconClipboard,
  IconHierarchy2,
  IconPlus,
  IconSelectAll,
  IconTrash,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNotify } from '../../../../parts/use-notify.tsx';
import { useBuilder, useOpeners } from '../context.ts';
import { containerAt } from '../model/geometry.ts';
import { edgeKey, nodeOf } from '../model/graph.ts';
import { useNodeClipboard } from '../use-clipboard.ts';
import { useNodeActions } from '../use-node-actions.ts';
import { useNodeLabels } from '../use-node-labels.ts';
import { type ActionGroups, ActionItems } from './action-items.tsx';
import type { MenuOf, OpenMenu } from './pointed.ts';
import { useNodeMenu } from './use-node-menu.ts';

/** What is offered, and what it is called: of a node, of those that are chosen, of an edge, of the canvas. */
function useMenu() {
  const { t } = useTranslation('agentBuilder');
  const { t: common } = useTranslation('common');
  const { definition, chosen, options, canUndo, canRedo, undo, redo, choose, announce } = useBuilder();
  const { add } = useOpeners();
  const actions = useNodeActions();
  const nodes = useNodeMenu();
  const clipboard = useNodeClipboard();
  const labels = useNodeLabels(options);
  const { info } = useNotify();

  const ofEdge = (key: string): ActionGroups => [
    [{ key: 'insert', label: t('insert_node'), icon: IconPlus, onSelect: () => add({ is: 'on', key }) }],
    [
      {
        key: 'remove',
        label: common('remove'),
        icon: IconTrash,
        keys: 'Delete',
        danger: true,
        onSelect: () => actions.remove([], [key]),
      },
    ],
  ];
  const ofCanvas = ({ point }: Extract<MenuOf, { is: 'canvas' }>): ActionGroups => {
    const paste = async () => {
      const done = await clipboard.paste({ container: containerAt(definition, point), point });
      if (!done) info(t('nothing_to_paste'));
    };
    const all = definition.nodes.map(({ id }) => id);
    return [
      [
        { key: 'add', label: t('add_here'), icon: IconPlus, onSelect: () => add({ is: 'at', point }) },
        { key: 'paste', label: t('paste'), icon: IconClipboard, keys: 'Control+V', onSelect: () => void paste() },
      ],
      [
        { key: 'all', label: t('select_all'), icon: IconSelectAll, keys: 'Control+A', onSelect: () => choose(all) },
        { key: 'arrange', label: t('arrange'), icon: IconHierarchy2, onSelect: actions.arrange },
      ],
      [
        {
          key: 'undo',
          label: t('undo_short'),
          icon: IconArrowBackUp,
          keys: 'Control+Z',
          disabled: !canUndo,
          onSelect() {
            undo();
            announce(t('said.undone'));
          },
        },
        {
          key: 'redo',
          label: t('redo_short'),
          icon: IconArrowForwardUp,
          keys: 'Control+Shift+Z',
          disabled: !canRedo,
          onSelect() {
            redo();
            announce(t('said.redone'));
          },
        },
      ],
    ];
  };
  return (of: MenuOf): { readonly label: string; readonly groups: ActionGroups } | null => {
    if (of.is === 'canvas') return { label: t('acts_of', { name: t('canvas') }), groups: ofCanvas(of) };
    if (of.is === 'nodes') return { label: t('nodes_chosen', { count: chosen.length }), groups: nodes.ofNodes(chosen) };
    if (of.is === 'node') {
      const node = nodeOf(definition, of.id);
      if (node === undefined) return null;
      return { label: t('acts_of', { name: labels.name(node) }), groups: nodes.ofNode(node) };
    }
    const edge = definition.edges.find((one) => edgeKey(one) === of.key);
    if (edge === undefined) return null;
    return { label: t('acts_of', { name: labels.edge(definition, edge) }), groups: ofEdge(of.key) };
  };
}

interface ContextMenuProps {
  /** Null: closed. */
  readonly menu: OpenMenu | null;
  readonly onClose: () => void;
}

/** The menu of what was pointed at, where it was pointed at. */
export function ContextMenu({ menu, onClose }: ContextMenuProps) {
  const menuOf = useMenu();
  const shown = menu === null ? null : menuOf(menu.of);
  return (
    <Menu
      // Each place has a menu of its own: one that is moved stays where it was.
      key={menu === null ? '' : `${menu.at.x} ${menu.at.y}`}
      opened={shown !== null}
      onClose={() => {
        // What the entry opens takes the focus from there, and gives it back.
        menu?.origin?.focus({ preventScroll: true });
        onClose();
      }}
      returnFocus={false}
      position="bottom-start"
      offset={2}
      withinPortal
      shadow="md"
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <span
          aria-hidden
          style={{ position: 'fixed', left: menu?.at.x ?? 0, top: menu?.at.y ?? 0, width: 1, height: 1 }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={shown?.label} miw="14rem" onContextMenu={(event) => event.preventDefault()}>
        {shown === null ? null : <ActionItems groups={shown.groups} />}
      </Menu.Dropdown>
    </Menu>
  );
}
