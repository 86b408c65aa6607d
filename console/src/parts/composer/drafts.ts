// What people wrote and have not sent yet, in this browser: one entry for each person, tenant and place.

const PREFIX = 'studio.draft.';
/** Drafts of all people of this browser; the oldest make room. */
const MAX_DRAFTS = 100;

/** Whose draft it is, as `draftOwner` names it. */
export type DraftOwner = string;

export const draftOwner = (userId: string, tenantId: string | null): DraftOwner => `${userId}.${tenantId ?? ''}`;

/** A text that waits to be sent, with what else belongs to the message, such as its files. */
export interface Draft {
  readonly text: string;
  /** As its place wrote it; whoever reads it checks it. */
  readonly extra?: unknown;
}

const keyOf = (owner: DraftOwner, place: string) => `${PREFIX}${owner}.${place}`;

interface StoredDraft extends Draft {
  /** Milliseconds since 1970. */
  readonly at: number;
}

function parse(stored: string | null): StoredDraft | null {
  if (stored === null) return null;
  try {
    const draft = JSON.parse(stored) as Partial<StoredDraft> | null;
    if (typeof draft?.text !== 'string') return null;
    return { text: draft.text, extra: draft.extra, at: typeof draft.at === 'number' ? draft.at : 0 };
  } catch {
    return null;
  }
}

const keys = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '').filter((key) => key.startsWith(PREFIX));

function makeRoom(storage: Storage): void {
  const all = keys(storage);
  if (all.length <= MAX_DRAFTS) return;
  const byAge = all
    .map((key) => ({ key, at: parse(storage.getItem(key))?.at ?? 0 }))
    .toSorted((one, other) => one.at - other.at);
  for (const { key } of byAge.slice(0, all.length - MAX_DRAFTS)) storage.removeItem(key);
}

/** Storage may be forbidden or full: the draft then lasts as long as the page. */
function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** The draft of a place; null where there is none. */
export const readDraft = (storage: Storage, owner: DraftOwner, place: string): Draft | null =>
  attempt(() => parse(storage.getItem(keyOf(owner, place))), null);

/** Calls `listener` with what another tab has made of a draft; null: it has sent it, or put it away. Returns what ends that. */
export function watchDraft(owner: DraftOwner, place: string, listener: (draft: Draft | null) => void): () => void {
  const changed = ({ key, newValue }: StorageEvent) => {
    if (key === keyOf(owner, place)) listener(parse(newValue));
  };
  addEventListener('storage', changed);
  return () => removeEventListener('storage', changed);
}

/** Stores a draft; one without a word and without anything else is removed. */
export function writeDraft(storage: Storage, owner: DraftOwner, place: string, { text, extra }: Draft): void {
  attempt(() => {
    const key = keyOf(owner, place);
    if (text === '' && extra === undefined) return storage.removeItem(key);
    const isNew = storage.getItem(key) === null;
    storage.setItem(key, JSON.stringify({ text, extra, at: Date.now() } satisfies StoredDraft));
    if (isNew) makeRoom(storage);
  }, undefined);
}

/** Removes all drafts of a person, in every tenant: they have signed out, and the next person may use this browser. */
export function removeDraftsOf(storage: Storage, userId: string): void {
  attempt(() => {
    for (const key of keys(storage)) if (key.startsWith(`${PREFIX}${userId}.`)) storage.removeItem(key);
  }, undefined);
}
