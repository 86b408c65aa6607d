import { type Connector, ConnectorList, ConnectorRuns } from '@ai-studio/contract/retrieval/connector.ts';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { rereadDelay } from '../../../api/reread.ts';
import { pathOf } from '../queries.ts';

const POLL_MS = 1_000;

export const connectorsPath = (id: string): string => `${pathOf(id)}/connectors`;
export const connectorPath = (id: string, connector: string): string =>
  `${connectorsPath(id)}/${encodeURIComponent(connector)}`;

export const connectorsKey = (id: string) => ['collection', id, 'connectors'] as const;

/**
 * Whether more of a connection is to come by itself: a run is under way, or it goes, and the list was read in the moment in which its run had
 * gone before it.
 */
export const isMoving = ({ removing, last_run: last }: Pick<Connector, 'removing' | 'last_run'>): boolean =>
  last === null ? removing : last.state === 'running';

export const connectorsQuery = (id: string) =>
  queryOptions({
    queryKey: connectorsKey(id),
    queryFn: ({ signal }) => api.get(connectorsPath(id), ConnectorList, { signal }),
    refetchInterval: (query) => (query.state.data?.items.some(isMoving) === true ? POLL_MS : rereadDelay(query)),
  });

/** `newest`: the run that came last, so that the list is read anew with it. */
export const runsQuery = (id: string, connector: string, newest: string) =>
  queryOptions({
    queryKey: [...connectorsKey(id), connector, 'runs', newest],
    queryFn: ({ signal }) => api.get(`${connectorPath(id, connector)}/runs`, ConnectorRuns, { signal }),
  });
