import { useState } from 'react';

const KEPT = 'studio.link';

/** Keeps the secret over the sign-in that must come first: in this tab alone, and not in an address. */
export const keepLinkToken = (token: string): void => sessionStorage.setItem(KEPT, token);

function takeKept(): string | null {
  const kept = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  return kept;
}

/**
 * The secret of a one-time link. It stands behind the `#`, so that it is sent to no server and written in no log, and is
 * taken out of the address as soon as it is read. Null where there is none.
 */
export function useLinkToken(): string | null {
  const [token] = useState(() => {
    const { hash, pathname } = globalThis.location;
    // Our secrets have no sign that would be written otherwise in an address.
    const found = hash.slice(1);
    if (found !== '') history.replaceState(history.state, '', pathname);
    return found === '' ? takeKept() : found;
  });
  return token;
}
