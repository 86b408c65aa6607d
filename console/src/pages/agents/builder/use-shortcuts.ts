import { useWindowEvent } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useBuilder, useOpeners } from './context.ts';
import { openMenuAt } from './menu/pointed.ts';
import { looksLikeNodes, useNodeClipboard } from './use-clipboard.ts';
import { useNodeActions } from './use-node-actions.ts';

const isWriting = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable=true]') !== null;
/** Dialogs and menus have keys of their own. */
const isInOverlay = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=dialog], [role=menu], [role=listbox]') !== null;
const isMenuKey = ({ key, shiftKey }: KeyboardEvent) => key === 'ContextMenu' || (key === 'F10' && shiftKey);
/** Where nodes are: there keys mean them. */
const isAmongNodes = (target: EventTarget | null) =>
  target === document.body ||
  // A click on the empty canvas gives the focus to what holds it.
  (target instanceof Element && target.id === 'main') ||
  (target instanceof Element && target.closest('[data-region=canvas], [data-node]') !== null);

const regions = ['palette', 'canvas', 'side'] as const;

/** Moves the focus from one part of the page to the next. */
function focusNextRegion(back: boolean): void {
  const { activeElement: here } = document;
  const at = regions.findIndex((region) => here?.closest(`[data-region=${region}]`) !== null && here !== null);
  for (let step = 1; step <= regions.length; step += 1) {
    const next = regions.at((at + (back ? -step : step) + 2 * regions.length) % regions.length);
    const place = document.querySelector(`[data-region=${next}]`);
    const field = place?.querySelector<HTMLElement>(
      '[data-chosen=true] , .react-flow__node.selected, .react-flow__node, [role=tab][aria-selected=true], input, button',
    );
    const target = field?.closest<HTMLElement>('.react-flow__node') ?? field;
    if (target === null || target === undefined || target.offsetParent === null) continue;
    target.focus();
    return;
  }
}

/** Keys of the builder, wherever the focus is, but where people write. */
export function useShortcuts(onSave: () => void): void {
  const { t } = useTranslation('agentBuilder');
  const { definition, chosen, chosenEdges, undo, redo, choose, announce } = useBuilder();
  const { connect, rename } = useOpeners();
  const clipboard = useNodeClipboard();
  const actions = useNodeActions();

  const byControl = (event: KeyboardEvent): boolean => {
    const key = event.key.toLowerCase();
    if (key === 's') {
      onSave();
      return true;
    }
    if (isWriting(event.target)) return false;
    if (key === 'z' || key === 'y') {
      const forth = key === 'y' || event.shiftKey;
      if (forth) redo();
      else undo();
      announce(forth ? t('said.redone') : t('said.undone'));
      return true;
    }
    if (!isAmongNodes(event.target)) return false;
    if (key === 'a') choose(definition.nodes.map(({ id }) => id));
    else if (key === 'd' && chosen.length > 0) actions.duplicate(chosen);
    else return key === 'd';
    return true;
  };
  const plain = ({ key, target }: KeyboardEvent): boolean => {
    if (isWriting(target) || !isAmongNodes(target)) return false;
    if ((key === 'Delete' || key === 'Backspace') && chosen.length + chosenEdges.length > 0) {
      actions.remove(chosen, chosenEdges);
      return true;
    }
    const [only] = chosen;
    if (chosen.length === 1 && only !== undefined && (key === 'c' || key === 'F2')) {
      if (key === 'c') connect(only);
      else rename(only);
      return true;
    }
    if (key === 'Escape') choose([]);
    return false;
  };
  useWindowEvent('keydown', (event) => {
    if (event.isComposing || event.defaultPrevented || isInOverlay(event.target)) return;
    if (event.key === 'F6') {
      focusNextRegion(event.shiftKey);
      event.preventDefault();
      return;
    }
    if (isMenuKey(event) && isAmongNodes(event.target)) {
      openMenuAt(event.target);
      event.preventDefault();
      return;
    }
    const taken = event.ctrlKey || event.metaKey ? byControl(event) : !event.altKey && plain(event);
    if (taken) event.preventDefault();
  });

  const copy = (event: ClipboardEvent): boolean => {
    if (isWriting(event.target) || isInOverlay(event.target) || chosen.length === 0) return false;
    // Marked text is what people mean to copy.
    if ((getSelection()?.toString() ?? '') !== '') return false;
    const text = clipboard.copyText(chosen);
    if (text === null) return false;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    return true;
  };
  useWindowEvent('copy', (event) => void copy(event));
  useWindowEvent('cut', (event) => {
    if (copy(event)) actions.remove(chosen, []);
  });
  useWindowEvent('paste', (event) => {
    if (isWriting(event.target) || isInOverlay(event.target)) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!looksLikeNodes(text)) return;
    event.preventDefault();
    clipboard.pasteText(text);
  });
}
