import { PasskeyList, SessionList } from '@ai-studio/contract/console/session.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** Where the person is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.get('/me/sessions', SessionList, { signal }),
});

/** Passkeys of the person. */
export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: ({ signal }) => api.get('/me/passkeys', PasskeyList, { signal }),
});
