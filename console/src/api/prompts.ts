import {
  Prompt,
  type PromptChange,
  PromptPage,
  PromptVersions,
  type NewPrompt,
} from '@ai-studio/contract/console/prompts.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { api } from './client.ts';

/** Which prompts are listed. */
export type ShownPrompts = 'all' | 'own' | 'shared';

const PAGE_SIZE = 50;

/** Prompts that the person may use, the last changed first. */
export const promptsQuery = (text: string, show: ShownPrompts) =>
  infiniteQueryOptions({
    queryKey: ['prompts', text, show],
    queryFn: ({ signal, pageParam }) =>
      api.get('/prompts', PromptPage, { signal, query: { text, show, from: pageParam, size: PAGE_SIZE } }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const read = pages.reduce((sum, { items }) => sum + items.length, 0);
      return read < total && pages.at(-1)?.items.length !== 0 ? read : null;
    },
  });

/** The prompts that a chat offers for words. */
export const listPromptOptions = (text: string, signal: AbortSignal) =>
  api.get('/prompts', PromptPage, { signal, query: { text, size: PAGE_SIZE } });

export const promptQuery = (id: string) =>
  queryOptions({
    queryKey: ['prompt', id],
    queryFn: ({ signal }) => api.get(`/prompts/${encodeURIComponent(id)}`, Prompt, { signal }),
    // Whoever takes or edits it wants it as it is now.
    staleTime: 0,
  });

export const promptVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['prompt', id, 'versions'],
    queryFn: ({ signal }) => api.get(`/prompts/${id}/versions`, PromptVersions, { signal }),
    staleTime: 0,
  });

export const createPrompt = (prompt: z.input<typeof NewPrompt>): Promise<Prompt> =>
  api.post('/prompts', prompt, Prompt);

export const changePrompt = (id: string, change: z.input<typeof PromptChange>): Promise<Prompt> =>
  api.patch(`/prompts/${id}`, change, Prompt);

export const removePrompt = (id: string): Promise<void> => api.run('DELETE', `/prompts/${id}`);
