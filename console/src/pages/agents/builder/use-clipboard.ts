import { AgentEdge, AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useBuilder, useOpeners } from './context.ts';
import { type Fragment, type PastePlace, fragmentOf, pasteFragment } from './model/fragment.ts';

/** What is put on the clipboard: text that other windows, and other agents, take. */
const Copied = z.object({
  ai_studio_nodes: z.literal(1),
  nodes: z.array(AgentNodeForm).min(1).max(200),
  edges: z.array(AgentEdge).max(400),
});

/** Query key of the last copy, for browsers that deny reading the clipboard; cleared at sign-out. */
const LAST_COPY_KEY = ['copied-nodes'] as const;

/** Whether a text may be one that nodes were copied as. */
export const looksLikeNodes = (text: string): boolean => text.includes('ai_studio_nodes');

function parseFragment(text: string): Fragment | null {
  try {
    return Copied.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Copies nodes, and puts them elsewhere: on this canvas or that of another agent. */
export function useNodeClipboard() {
  const { t } = useTranslation('agentBuilder');
  const { definition, current, edit, announce } = useBuilder();
  const { viewRequest } = useOpeners();
  const queries = useQueryClient();
  /** The text of nodes with the edges between them; null where nothing of them can be copied. */
  const copyText = (nodes: readonly string[]): string | null => {
    const fragment = fragmentOf(definition, new Set(nodes));
    if (fragment.nodes.length === 0) {
      announce(t('said.start_stays'));
      return null;
    }
    const text = JSON.stringify({ ai_studio_nodes: 1, ...fragment });
    queries.setQueryDefaults(LAST_COPY_KEY, { gcTime: Infinity });
    queries.setQueryData(LAST_COPY_KEY, text);
    announce(t('said.copied', { count: fragment.nodes.length }));
    return text;
  };
  const pasteText = (text: string, at: PastePlace | null = null): boolean => {
    const fragment = parseFragment(text);
    // What is there now: it may have been changed while the browser asked for permission.
    const now = current();
    const copied = fragment === null ? null : pasteFragment(now, fragment, at);
    if (copied === null || copied.ids.length === 0) {
      announce(t('said.not_pasted'));
      return false;
    }
    edit(() => ({ definition: copied.definition, select: copied.ids }));
    viewRequest(copied.ids);
    announce(t('said.pasted', { count: copied.definition.nodes.length - now.nodes.length }));
    return true;
  };
  return {
    copyText,
    pasteText,
    /** Copies without an event of the browser. */
    async copy(nodes: readonly string[]): Promise<void> {
      const text = copyText(nodes);
      // Where the page may not write, the kept copy serves this window.
      if (text !== null) await navigator.clipboard?.writeText(text).catch(() => undefined);
    },
    /** Puts what was copied last at a place; tells whether there was something to put. */
    async paste(at: PastePlace | null): Promise<boolean> {
      const kept = queries.getQueryData<string>(LAST_COPY_KEY) ?? '';
      const text = await navigator.clipboard?.readText().catch(() => kept);
      return pasteText(text === undefined || !looksLikeNodes(text) ? kept : text, at);
    },
  };
}
