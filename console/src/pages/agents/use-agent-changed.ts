import { useQueryClient } from '@tanstack/react-query';

/** Reads again what an act may have changed. */
export function useAgentChanged(id: string): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all(
      [['agent', id], ['agents'], ['agent-reviews'], ['agent-notes'], ['deployed-agents']].map((queryKey) =>
        queries.invalidateQueries({ queryKey }),
      ),
    );
  };
}
