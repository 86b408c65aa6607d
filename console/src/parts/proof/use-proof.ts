import { createContext, use } from 'react';

/** Does something, after asking for the password where the service wants it anew. Rejects with what went wrong. */
export type WithProof = <T>(work: () => Promise<T>) => Promise<T>;

export const ProofContext = createContext<WithProof>((work) => work());

/**
 * For what is sensitive: `withProof(() => api.run('DELETE', …))`. Rejects with the service's own refusal where the person
 * would not give the password. Only below ProofProvider.
 */
export const useProof = (): WithProof => use(ProofContext);
