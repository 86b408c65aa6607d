import { randomBytes } from 'node:crypto';
import { openSearchHost } from '../conformance/opensearch.ts';
import { sharedIndexBehaviour } from '../conformance/opensearch-shared.ts';
import { searchIndexConformance } from '../conformance/search-index.ts';

const { STUDIO_OPENSEARCH: url = '', STUDIO_OPENSEARCH_DATA: folder = '' } = process.env;

/** Of this run alone: a server that outlives it may hold what an earlier one left behind, under the same names of tables. */
const run = randomBytes(4).toString('hex');

for (const shards of [1, 3])
  for (const isShared of [false, true])
    searchIndexConformance(
      `OpenSearch, shards: ${shards}, ${isShared ? 'tables that share an index' : 'an index a table'}`,
      () =>
        Promise.resolve(
          openSearchHost(url, folder, `test-${run}-${shards}-${isShared ? 's' : 'o'}`, { shards, isShared }),
        ),
    );

sharedIndexBehaviour('OpenSearch', () => Promise.resolve({ url, close: () => Promise.resolve() }), true);
