import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { api } from '../../../api/client.ts';
import { ApiError } from '../../../api/error.ts';
import { agentPath, agentQuery } from '../queries.ts';

/** So long nothing is changed before the draft is saved. */
const QUIET_MS = 800;
/** A save that failed is tried again after so long. */
const AGAIN_MS = 5_000;

export type SavedState =
  | { readonly is: 'saved' }
  | { readonly is: 'changed' }
  | { readonly is: 'saving' }
  /** Somebody else saved the draft since; who, where that is known. */
  | { readonly is: 'conflict'; readonly by: string | null }
  | { readonly is: 'failed'; readonly error: unknown; readonly forGood: boolean };

export interface Saving {
  readonly state: SavedState;
  /** Saves what is not saved yet. Tells whether all is saved then. */
  flush(): Promise<boolean>;
  /** Of a conflict: saves over what the other wrote. */
  keepMine(): Promise<void>;
  /** Of a conflict: what the other wrote; from then on it is what is edited. */
  takeTheirs(): Promise<AgentDefinition>;
}

/** Who saved it instead: empty where that is not told, null where it is another failure. */
const conflictOf = (error: unknown): string | null =>
  error instanceof ApiError && error.reason === 'agent_saved_elsewhere' ? String(error.values['name'] ?? '') : null;
/** Failures that another try will not mend. */
const isForGood = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Keeps the draft saved while it is edited: one save at a time, each on the revision of the last. */
export function useSaving(agent: AgentDetails, definition: AgentDefinition): Saving {
  const queries = useQueryClient();
  const [state, setState] = useState<SavedState>({ is: 'saved' });
  const revision = useRef(agent.revision);
  const saved = useRef(definition);
  const latest = useRef(definition);
  useLayoutEffect(() => {
    latest.current = definition;
  }, [definition]);
  const under = useRef<Promise<boolean> | null>(null);
  const blocked = useRef(false);
  const { id } = agent;

  const saveOnce = useCallback(async (): Promise<boolean> => {
    const draft = latest.current;
    setState({ is: 'saving' });
    try {
      const next = await api.patch(agentPath(id), { draft, revision: revision.current }, AgentDetails);
      revision.current = next.revision;
      saved.current = draft;
      queries.setQueryData(agentQuery(id).queryKey, next);
      setState({ is: latest.current === draft ? 'saved' : 'changed' });
      return true;
    } catch (error) {
      const by = conflictOf(error);
      blocked.current = by !== null;
      setState(by !== null ? { is: 'conflict', by: by || null } : { is: 'failed', error, forGood: isForGood(error) });
      return false;
    }
  }, [id, queries]);

  const flush = useCallback(async (): Promise<boolean> => {
    for (;;) {
      if (under.current !== null) {
        // Whoever waits for the same save goes on when it is done.
        const before = await under.current;
        if (!before) return false;
        continue;
      }
      if (saved.current === latest.current) return true;
      if (blocked.current) return false;
      under.current = saveOnce().finally(() => {
        under.current = null;
      });
    }
  }, [saveOnce]);

  useEffect(() => {
    if (blocked.current) return;
    if (definition === saved.current && under.current === null) {
      // By the way back to what is saved.
      setState((before) => (before.is === 'saved' ? before : { is: 'saved' }));
      return;
    }
    setState((before) => (before.is === 'saving' ? before : { is: 'changed' }));
    const timer = setTimeout(() => void flush(), QUIET_MS);
    return () => clearTimeout(timer);
  }, [definition, flush]);
  useEffect(() => {
    if (state.is !== 'failed' || state.forGood) return;
    const timer = setTimeout(() => void flush(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [state, flush]);

  // The agent is asked for now and then: whoever only looks learns that another has saved, before writing over it.
  useEffect(() => {
    if (agent.revision > revision.current && under.current === null) {
      blocked.current = true;
      setState({ is: 'conflict', by: null });
    }
  }, [agent.revision]);

  const theirs = useCallback(async () => {
    const there = await api.get(agentPath(id), AgentDetails);
    revision.current = there.revision;
    blocked.current = false;
    queries.setQueryData(agentQuery(id).queryKey, there);
    return there;
  }, [id, queries]);

  return {
    state,
    flush,
    async keepMine() {
      await theirs();
      // Also where nothing was changed here: what is seen is what is wanted.
      saved.current = { ...saved.current };
      await flush();
    },
    async takeTheirs() {
      const { draft } = await theirs();
      saved.current = draft;
      setState({ is: 'saved' });
      return draft;
    },
  };
}
