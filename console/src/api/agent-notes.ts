import { AgentNotes } from '@ai-studio/contract/console/agent-notes.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { readSeenNotes } from '../app/browser-storage.ts';
import { api } from './client.ts';
import { hasPermission, useMe } from './session.ts';

/** How often the notes are polled. */
const POLL_MS = 30_000;

const notesQuery = queryOptions({
  queryKey: ['agent-notes'],
  queryFn: async ({ signal }) => {
    const notes = await api.get('/agent-notes', AgentNotes, { signal });
    const seen = new Set(readSeenNotes());
    return { ...notes, decided: notes.decided.filter(({ review_id: id }) => !seen.has(id)) };
  },
  refetchInterval: POLL_MS,
});

const nothing = { pending: null, decided: [] } as const satisfies AgentNotes;

/** Reviews that wait for the person, and decisions about what they submitted that they have not put away. */
export function useAgentNotes(): AgentNotes {
  const builds = hasPermission(useMe(), ['agents.build']);
  const { data } = useQuery({ ...notesQuery, enabled: builds });
  return data ?? nothing;
}
