import { createContext, use } from 'react';

/** Runs a call, and retries it after the person has entered the password when the service asks for reauthentication. */
export type WithReauth = <T>(work: () => Promise<T>) => Promise<T>;

export const ReauthContext = createContext<WithReauth>((work) => work());

/**
 * For sensitive calls: `withReauth(() => api.run('DELETE', …))`. Rejects with the service's error when the person
 * dismisses the dialog. Only below ReauthProvider.
 */
export const useReauth = (): WithReauth => use(ReauthContext);
