import { openSearchHost } from '../conformance/opensearch.ts';
import { searchIndexConformance } from '../conformance/search-index.ts';

const { STUDIO_OPENSEARCH: url = '', STUDIO_OPENSEARCH_DATA: folder = '' } = process.env;

for (const shards of [1, 3])
  searchIndexConformance(`OpenSearch, shards: ${shards}`, () =>
    Promise.resolve(openSearchHost(url, folder, `test-${shards}`, { shards })),
  );
