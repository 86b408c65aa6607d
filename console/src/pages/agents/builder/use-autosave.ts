import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { AgentDetails } from '@ai-studio/contract/console/agents.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { api } from '../../../api/client.ts';
import { ApiError } from '../../../api/error.ts';
import { agentPath, agentQuery } from '../queries.ts';

/** The draft is saved after this long without a change. */
const DEBOUNCE_MS = 800;
/** A save that failed is tried again after so long. */
const RETRY_DELAY_MS = 5_000;

export type SaveState =
  | { readonly is: 'saved' }
  | { readonly is: 'changed' }
  | { readonly is: 'saving' }
  /** Somebody else saved the draft since; who, where that is known. */
  | { readonly is: 'conflict'; readonly by: string | null }
  | { readonly is: 'failed'; readonly error: unknown; readonly permanent: boolean };

export interface Autosave {
  readonly state: SaveState;
  /** Saves pending changes. Returns whether everything is saved then. */
  flush(): Promise<boolean>;
  /** Of a conflict: saves over what the other wrote. */
  keepMine(): Promise<void>;
  /** Of a conflict: what the other wrote; from then on it is what is edited. */
  takeTheirs(): Promise<AgentDefinition>;
}

/** Who saved it instead: empty where that is not told, null where it is another failure. */
const conflictOf = (error: unknown): string | null =>
  error instanceof ApiError && error.reason === 'agent_saved_elsewhere' ? String(error.values['name'] ?? '') : null;
/** Whether a retry cannot help. */
const isPermanent = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Keeps the draft saved while it is edited: one save at a time, each on the revision of the last. */
export function useAutosave(agent: AgentDetails, definition: AgentDefinition): Autosave {
  const queries = useQueryClient();
  const [state, setState] = useState<SaveState>({ is: 'saved' });
  const revision = useRef(agent.revision);
  const saved = useRef(definition);
  const latest = useRef(definition);
  useLayoutEffect(() => {
    latest.current = definition;
  }, [definition]);
  const inFlight = useRef<Promise<boolean> | null>(null);
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
      setState(
        by !== null ? { is: 'conflict', by: by || null } : { is: 'failed', error, permanent: isPermanent(error) },
      );
      return false;
    }
  }, [id, queries]);

  const flush = useCallback(async (): Promise<boolean> => {
    for (;;) {
      if (inFlight.current !== null) {
        // Whoever waits for the same save goes on when it is done.
        const before = await inFlight.current;
        if (!before) return false;
        continue;
      }
      if (saved.current === latest.current) return true;
      if (blocked.current) return false;
      inFlight.current = saveOnce().finally(() => {
        inFlight.current = null;
      });
    }
  }, [saveOnce]);

  useEffect(() => {
    if (blocked.current) return;
    if (definition === saved.current && inFlight.current === null) {
      // By the way back to what is saved.
      setState((before) => (before.is === 'saved' ? before : { is: 'saved' }));
      return;
    }
    setState((before) => (before.is === 'saving' ? before : { is: 'changed' }));
    const timer = setTimeout(() => void flush(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [definition, flush]);
  useEffect(() => {
    if (state.is !== 'failed' || state.permanent) return;
    const timer = setTimeout(() => void flush(), RETRY_DELAY_MS);
    return () => clearTimeout(timer);
  }, [state, flush]);

  // The agent is asked for now and then: whoever only looks learns that another has saved, before writing over it.
  useEffect(() => {
    if (agent.revision > revision.current && inFlight.current === null) {
      blocked.current = true;
      setState({ is: 'conflict', by: null });
    }
  }, [agent.revision]);

  const reloadDraft = useCallback(async () => {
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
      await reloadDraft();
      // Also where nothing was changed here: what is seen is what is wanted.
      saved.current = { ...saved.current };
      await flush();
    },
    async takeTheirs() {
      const { draft } = await reloadDraft();
      saved.current = draft;
      setState({ is: 'saved' });
      return draft;
    },
  };
}
