import { probeSearch } from '../../compose/search-server.ts';
import type { Config } from '../../config/index.ts';
import { commandLog } from '../with-database.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const SUBJECT = 'OpenSearch';

/** Whether the search index can be kept in OpenSearch, where it is configured. */
export async function checkSearch(config: Config): Promise<Finding[]> {
  const state = await probeSearch(config, commandLog());
  if (state === null) return [];
  if ('trouble' in state)
    return [
      fail(
        SUBJECT,
        `${state.host} cannot be used: ${state.trouble}`,
        'Is it running, and are the account and the files of certificates in search right? docs/guide/search.md shows a role that is enough.',
      ),
    ];
  const { host, version, status, advice } = state;
  const first =
    status === 'red'
      ? fail(
          SUBJECT,
          `${host} (${version}) does not serve all of our indices`,
          'GET _cluster/allocation/explain tells why. What is broken is made anew from the database by itself; what lies on a node that is away comes back with it.',
        )
      : status === 'yellow'
        ? warn(SUBJECT, `${host} (${version}) lacks copies of our indices`, 'Each copy needs a node of its own.')
        : ok(SUBJECT, `${host} (${version}) keeps the search index`);
  return [first, ...advice.map((text) => warn(SUBJECT, text, 'The service goes on meanwhile.'))];
}
