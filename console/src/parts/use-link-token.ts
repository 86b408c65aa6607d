import { useState } from 'react';

const STORAGE_KEY = 'studio.link';

/** Stores the secret while the person signs in first: in this tab only, and not in a URL. */
export const storeLinkToken = (token: string): void => sessionStorage.setItem(STORAGE_KEY, token);

function takeStoredToken(): string | null {
  const stored = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  return stored;
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
    return found === '' ? takeStoredToken() : found;
  });
  return token;
}
