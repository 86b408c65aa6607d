import type { AgentDefinition, DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import { DefinitionChecked } from '@ai-studio/contract/console/agents.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../../api/client.ts';
import { agentPath } from '../queries.ts';
import { problemsAtOnce } from './model/problems.ts';

/** So long nothing is changed before the service is asked. */
const QUIET_MS = 500;

/** The definition without what says only how it is drawn. */
const meaning = (definition: AgentDefinition): string =>
  JSON.stringify(definition, (key, value: unknown) => (key === 'position' ? undefined : value));

export interface Checked {
  readonly problems: readonly DefinitionProblem[];
  /** Whether the service has looked at just this definition. */
  readonly sure: boolean;
  /** Why the service could not look; null where it could. */
  readonly failure: unknown;
}

/** What is wrong with the definition: at once what can be told here, soon all that the service finds. */
export function useChecking(agentId: string, definition: AgentDefinition): Checked {
  const now = useMemo(() => meaning(definition), [definition]);
  const [quiet] = useDebouncedValue(now, QUIET_MS);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['agent', agentId, 'check', quiet],
    queryFn: ({ signal }) =>
      api.post(`${agentPath(agentId)}/check`, { definition: JSON.parse(quiet) as unknown }, DefinitionChecked, {
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
  });
  const atOnce = useMemo(() => problemsAtOnce(definition), [definition]);
  const sure = data !== undefined && !isPlaceholderData && quiet === now;
  return { problems: sure ? data.problems : atOnce, sure, failure: error };
}
