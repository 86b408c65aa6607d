import { AgentEdge, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { useWindowEvent } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useBuilder } from './context.ts';
import { type Fragment, fragmentOf, pasted } from './model/edit.ts';
import { useNodeActs } from './use-node-acts.ts';

/** What is put on the clipboard: text that other windows, and other agents, take. */
const Copied = z.object({
  ai_studio_nodes: z.literal(1),
  nodes: z.array(AgentNodeForm).min(1).max(200),
  edges: z.array(AgentEdge).max(400),
});

const isWriting = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable=true]') !== null;
/** Dialogs and menus have keys of their own. */
const isElsewhere = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role=dialog], [role=menu], [role=listbox]') !== null;
/** Where nodes are: there keys mean them. */
const isAmongNodes = (target: EventTarget | null) =>
  target === document.body ||
  (target instanceof Element && target.closest('[data-region=canvas], [data-node]') !== null);

const regions = ['palette', 'canvas', 'side'] as const;

/** Moves the focus from one part of the page to the next. */
function goRound(back: boolean): void {
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

interface KeysOptions {
  readonly onConnect: (id: string) => void;
  readonly onSave: () => void;
}

/** Keys of the builder, wherever the focus is, but where people write. */
export function useKeys({ onConnect, onSave }: KeysOptions): void {
  const { t } = useTranslation('agentBuilder');
  const { definition, chosen, chosenEdges, undo, redo, choose, edit, say } = useBuilder();
  const acts = useNodeActs();

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
      say(forth ? t('said.redone') : t('said.undone'));
      return true;
    }
    if (!isAmongNodes(event.target)) return false;
    if (key === 'a') choose(definition.nodes.map(({ id }) => id));
    else if (key === 'd' && chosen.length > 0) acts.duplicate(chosen);
    else return key === 'd';
    return true;
  };
  const plain = ({ key, target }: KeyboardEvent): boolean => {
    if (isWriting(target) || !isAmongNodes(target)) return false;
    if ((key === 'Delete' || key === 'Backspace') && chosen.length + chosenEdges.length > 0) {
      acts.remove(chosen, chosenEdges);
      return true;
    }
    const [only] = chosen;
    if (key === 'c' && chosen.length === 1 && only !== undefined) {
      onConnect(only);
      return true;
    }
    if (key === 'Escape') choose([]);
    return false;
  };
  useWindowEvent('keydown', (event) => {
    if (event.isComposing || event.defaultPrevented || isElsewhere(event.target)) return;
    if (event.key === 'F6') {
      goRound(event.shiftKey);
      event.preventDefault();
      return;
    }
    const taken = event.ctrlKey || event.metaKey ? byControl(event) : !event.altKey && plain(event);
    if (taken) event.preventDefault();
  });

  const copy = (event: ClipboardEvent): Fragment | null => {
    if (isWriting(event.target) || isElsewhere(event.target) || chosen.length === 0) return null;
    // Marked text is what people mean to copy.
    if ((getSelection()?.toString() ?? '') !== '') return null;
    const fragment = fragmentOf(definition, new Set(chosen));
    if (fragment.nodes.length === 0) return null;
    event.clipboardData?.setData('text/plain', JSON.stringify({ ai_studio_nodes: 1, ...fragment }));
    event.preventDefault();
    return fragment;
  };
  useWindowEvent('copy', (event) => {
    const fragment = copy(event);
    if (fragment !== null) say(t('said.copied', { count: fragment.nodes.length }));
  });
  useWindowEvent('cut', (event) => {
    if (copy(event) !== null) acts.remove(chosen, []);
  });
  useWindowEvent('paste', (event) => {
    if (isWriting(event.target) || isElsewhere(event.target)) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!text.includes('ai_studio_nodes')) return;
    event.preventDefault();
    let fragment: Fragment;
    try {
      fragment = Copied.parse(JSON.parse(text));
    } catch {
      say(t('said.not_pasted'));
      return;
    }
    edit(({ definition: now }) => {
      const copied = pasted(now, fragment, 40);
      return copied.ids.length === 0 ? { definition: now } : { definition: copied.definition, select: copied.ids };
    });
    say(t('said.pasted', { count: fragment.nodes.length }));
  });
}
