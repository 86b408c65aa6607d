// A conversation is a tree: a message that is put in other words, or answered anew, stands beside the one before, and both stay.

/** What of a message places it in its conversation. */
export interface Placed {
  readonly id: string;
  /** Null for a first question. */
  readonly parent_id: string | null;
  /** Grows with each message of the conversation. */
  readonly position: number;
  readonly role: 'user' | 'assistant';
}

/** The messages from the first one to `leafId`, which is one of them; none where it is not. */
export function pathTo<M extends Placed>(all: readonly M[], leafId: string | null): readonly M[] {
  const byId = new Map(all.map((message) => [message.id, message]));
  const path: M[] = [];
  for (let at = leafId === null ? undefined : byId.get(leafId); at !== undefined && !path.includes(at);) {
    path.push(at);
    at = at.parent_id === null ? undefined : byId.get(at.parent_id);
  }
  return path.toReversed();
}

/** The messages that are shown: those up to the leaf that was chosen last, else up to the newest message. */
export function shownPath<M extends Placed>(all: readonly M[], leafId: string | null): readonly M[] {
  const chosen = pathTo(all, leafId);
  if (chosen.length > 0) return chosen;
  return pathTo(all, all.toSorted((one, other) => one.position - other.position).at(-1)?.id ?? null);
}

/** The last message below one, going down by the newest version each time; the message itself where nothing follows it. */
export function newestLeaf(all: readonly Placed[], id: string): string {
  for (let at = id; ;) {
    const below = all.filter(({ parent_id: parent }) => parent === at);
    const next = below.toSorted((one, other) => one.position - other.position).at(-1);
    if (next === undefined) return at;
    at = next.id;
  }
}

/** Ids of the versions of a message, itself among them, the oldest first. */
export const versionsOf = (all: readonly Placed[], { parent_id: parent, role }: Placed): readonly string[] =>
  all
    .filter((one) => one.parent_id === parent && one.role === role)
    .toSorted((one, other) => one.position - other.position)
    .map(({ id }) => id);

/** The answers that were asked for together with one and stand beside it, the oldest first; none once one of them was chosen. */
export const comparedWith = <M extends Placed & { readonly compared: boolean }>(
  all: readonly M[],
  one: M | undefined,
): readonly M[] =>
  one?.compared === true
    ? all
        .filter(({ id, parent_id: parent, compared }) => compared && parent === one.parent_id && id !== one.id)
        .toSorted((first, second) => first.position - second.position)
    : [];
