import { useCallback, useEffect, useRef, useState } from 'react';
import { useMe } from '../../api/session.ts';
import { type Draft, draftOwner, readDraft, watchDraft, writeDraft } from './drafts.ts';

const empty: Draft = { text: '' };

export type ChangeDraft = (change: (draft: Draft) => Draft) => void;

/** Whose drafts this browser keeps now. */
export function useDraftOwner(): string {
  const { user, tenant } = useMe();
  return draftOwner(user.id, tenant?.id ?? null);
}

/**
 * What a person wrote at a place and has not sent, kept by this browser with each change; null keeps it only as long as the
 * component is there. A component is for one place: it is made anew (`key`) for another.
 */
export function useDraft(place: string | null): readonly [Draft, ChangeDraft] {
  const owner = useDraftOwner();
  const [draft, setDraft] = useState<Draft>(() =>
    place === null ? empty : (readDraft(localStorage, owner, place) ?? empty),
  );
  /** Changes may follow each other before the next one is drawn. */
  const latest = useRef(draft);
  const change = useCallback<ChangeDraft>(
    (make) => {
      const next = make(latest.current);
      latest.current = next;
      setDraft(next);
      if (place !== null) writeDraft(localStorage, owner, place, next);
    },
    [owner, place],
  );
  // Two tabs of one place show one draft: what is sent or written in one is never written over by the other.
  useEffect(() => {
    if (place === null) return undefined;
    return watchDraft(owner, place, (other) => {
      latest.current = other ?? empty;
      setDraft(latest.current);
    });
  }, [owner, place]);
  return [draft, change];
}
