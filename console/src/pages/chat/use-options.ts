import { ConsoleCollections } from '@ai-studio/contract/console/retrieval.ts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { isTyped } from '../../parts/typed-match.ts';
import { deployedAgentsQuery } from './agents.ts';

/** What a sign at the beginning of a word offers: `/` prompts, `#` collections, `@` agents. */
export type Sign = '/' | '#' | '@';

/** A sign that is being written, and what follows it. */
export interface Trigger {
  readonly sign: Sign;
  /** Names are of several words; one ends with its line. */
  readonly words: string;
  /** Where it begins in the text, and where it ends. */
  readonly from: number;
  readonly to: number;
}

/** What can be chosen. */
export interface Option {
  readonly key: string;
  readonly sign: Sign;
  readonly name: string;
  readonly detail: string;
}

/** Options that a list shows. */
const MAX_OPTIONS = 50;

/** The sign that stands before the caret; null where none does. */
export function triggerAt(text: string, caret: number): Trigger | null {
  const found = /(?:^|\s)([/#@])((?:[^\s/#@][^\n/#@]{0,59})?)$/.exec(text.slice(0, caret));
  const [, sign, words = ''] = found ?? [];
  if (sign !== '/' && sign !== '#' && sign !== '@') return null;
  return { sign, words, from: caret - words.length - 1, to: caret };
}

export const collectionsForChat = queryOptions({
  queryKey: ['collections', 'for chat'],
  queryFn: ({ signal }) => api.get('/collections', ConsoleCollections, { signal, query: { size: 100, from: 0 } }),
});

interface Wanted {
  readonly text: string;
  /** Asked for by a button, whatever is being written. */
  readonly asked: Sign | null;
  /** Ids of collections that were chosen already. */
  readonly chosen: readonly string[];
}

/** The options for what is being written, and which one is pointed at. */
export function useOptions({ text, asked, chosen }: Wanted) {
  const [caret, setCaret] = useState(0);
  /** A trigger that was put away with Escape stays away while it is written. */
  const [dismissed, setDismissed] = useState<number | null>(null);
  const [pointed, setPointed] = useState(0);
  const [isComposing, setComposing] = useState(false);
  const written = asked === null ? triggerAt(text, Math.min(caret, text.length)) : null;
  const trigger = written !== null && written.from === dismissed ? null : written;
  const wanted = asked ?? trigger?.sign ?? null;
  const collections = useQuery({ ...collectionsForChat, enabled: wanted === '#' });
  const agents = useQuery({ ...deployedAgentsQuery, enabled: wanted === '@' });
  const words = (trigger?.words ?? '').trim();
  // The service looks for words in the texts as well: for those that are whole, as it knows nothing of a syllable that is being made.
  const whole = (isComposing ? words.slice(0, -1) : words).trim().toLowerCase();
  const [searched] = useDebouncedValue(whole, 150);
  const prompts = useQuery({
    queryKey: ['prompts', searched, 'options'],
    // What is known of prompts comes when somebody wants one.
    queryFn: async ({ signal }) => (await import('../../api/prompts.ts')).listPromptOptions(searched, signal),
    enabled: wanted === '/',
    placeholderData: keepPreviousData,
  });
  const isSearched = searched === whole && (searched !== '' || words === '') && !prompts.isPlaceholderData;
  const offers: Readonly<Record<Sign, () => readonly Option[]>> = {
    '/': () =>
      (prompts.data?.items ?? []).map(({ id: key, name, description: detail }) => ({ key, sign: '/', name, detail })),
    '#': () =>
      (collections.data?.items ?? [])
        .filter(({ collection_id: id }) => !chosen.includes(id))
        .map(({ collection_id: key, collection_name: name, description }) => ({
          key,
          sign: '#',
          name,
          detail: description ?? '',
        })),
    '@': () =>
      (agents.data?.items ?? []).map(({ slug: key, name, description: detail }) => ({ key, sign: '@', name, detail })),
  };
  const all = wanted === null ? [] : offers[wanted]();
  const isFound = ({ name }: Option) => (wanted === '/' && isSearched) || isTyped(name, words);
  const options = all.filter(isFound).slice(0, MAX_OPTIONS);
  const asking = { '/': prompts, '#': collections, '@': agents };
  const isPending = wanted !== null && asking[wanted].isPending;
  // Several words that are no name are a sentence, which nothing stands in the way of.
  const isSentence = options.length === 0 && /\s/u.test(trigger?.words ?? '');
  return {
    /** Of the list that stands open; null where none does. */
    sign: isSentence ? null : wanted,
    trigger,
    options,
    isPending,
    pointed: Math.min(pointed, Math.max(0, options.length - 1)),
    setPointed,
    /** Called with the place of the caret after each change, and whether an input method is making a syllable there. */
    moved(at: number, composing = false) {
      setCaret(at);
      setComposing(composing);
      setPointed(0);
      setDismissed((old) => (old !== null && triggerAt(text, at)?.from === old ? old : null));
    },
    dismiss: () => setDismissed(trigger?.from ?? null),
  };
}
