import type { Prompt } from '@ai-studio/contract/console/prompts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

/** Takes prompts: one that asks for values waits until they are filled in. `insert` gets the text that goes into the message. */
export function usePrompt(insert: (text: string) => void) {
  const queries = useQueryClient();
  const [filling, setFilling] = useState<Prompt | null>(null);
  const { mutate, error } = useMutation({
    mutationFn: async (id: string) => queries.query((await import('../../api/prompts.ts')).promptQuery(id)),
    onSuccess(prompt) {
      if (prompt.variables.length === 0) insert(prompt.content);
      else setFilling(prompt);
    },
  });
  return {
    take: (id: string) => mutate(id),
    error,
    /** The prompt whose values are asked for; null where none is. */
    filling,
    filled(text: string) {
      setFilling(null);
      insert(text);
    },
    cancel: () => setFilling(null),
  };
}
