import { expect, test } from 'vitest';
import { redact } from './redact.ts';
import { Config } from './schema.ts';
import { Search } from './search.ts';

test('without an address the index lies beside the files', () => {
  expect(Search.parse({})).toEqual({
    prefix: 'studio',
    shards: 1,
    replicas: 0,
    collections_per_index: 100,
    own_index_rows: 50_000,
    rows_per_shard: 5_000_000,
    engine: 'lucene',
  });
});

const url = 'https://opensearch.example.org:9200';

test.each([
  [{ url: 'ftp://x' }, 'url'],
  [{ url, username: 'a' }, 'password'],
  [{ url, password: 'a' }, 'username'],
  [{ url, cert_file: 'a' }, 'key_file'],
  [{ url, key_file: 'a' }, 'cert_file'],
  [{ url: 'http://x:9200', cert_file: 'a', key_file: 'b' }, 'url'],
  [{ url: 'https://a:b@x:9200' }, 'url'],
  [{ url, prefix: '_bad' }, 'prefix'],
  [{ url, prefix: 'a*' }, 'prefix'],
  [{ url, shards: 0 }, 'shards'],
  [{ url, engine: 'nmslib' }, 'engine'],
])('%j is refused for %s', (given, path) => {
  expect(Search.safeParse(given).error?.issues).toMatchObject([{ path: [path] }]);
});

test('the password is not shown', () => {
  const shown = redact(Config.parse({ search: { url, username: 'studio', password: 'hidden-secret' } }));
  expect(JSON.stringify(shown)).not.toContain('hidden-secret');
  expect(shown['search']).toMatchObject({ url, username: 'studio' });
});
