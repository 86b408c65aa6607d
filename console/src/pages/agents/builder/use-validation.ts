import type { AgentDefinition, DefinitionProblem } from '@ai-studio/contract/agents/definition.ts';
import { DefinitionCheckResult } from '@ai-studio/contract/console/agents.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../../api/client.ts';
import { agentPath } from '../queries.ts';
import { localProblems } from './model/problems.ts';

/** The service validates after this long without a change. */
const DEBOUNCE_MS = 500;

/** Key of the definition for validation: node positions are left out. */
const validationKey = (definition: AgentDefinition): string =>
  JSON.stringify(definition, (key, value: unknown) => (key === 'position' ? undefined : value));

export interface Validation {
  readonly problems: readonly DefinitionProblem[];
  /** Whether the service has looked at just this definition. */
  readonly verified: boolean;
  /** Why the service could not look; null where it could. */
  readonly failure: unknown;
}

/** Problems of the definition: local validation at once, then the result of the service. */
export function useValidation(agentId: string, definition: AgentDefinition): Validation {
  const now = useMemo(() => validationKey(definition), [definition]);
  const [debounced] = useDebouncedValue(now, DEBOUNCE_MS);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['agent', agentId, 'check', debounced],
    queryFn: ({ signal }) =>
      api.post(`${agentPath(agentId)}/check`, { definition: JSON.parse(debounced) as unknown }, DefinitionCheckResult, {
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
  });
  const unverified = useMemo(() => localProblems(definition), [definition]);
  const verified = data !== undefined && !isPlaceholderData && debounced === now;
  return { problems: verified ? data.problems : unverified, verified, failure: error };
}
