import { z } from 'zod';

/** Where the search index is kept: beside the files, or in OpenSearch. */
export const Search = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an address such as https://opensearch.example.org:9200' })
      .optional()
      .describe(
        'Address of an OpenSearch 3.5 or later for the search index; without it the index lies beside the files',
      ),
    username: z.string().min(1).optional().describe('Name of the account there'),
    password: z.string().min(1).meta({ secret: true }).optional().describe('And its password'),
    ca_file: z
      .string()
      .min(1)
      .optional()
      .describe('PEM file of the authority that signed its certificate; without it those that this machine trusts'),
    cert_file: z.string().min(1).optional().describe('PEM file of a client certificate, instead of a password'),
    key_file: z.string().min(1).optional().describe('PEM file of the key of that certificate'),
    prefix: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must have 1 to 32 small letters, digits and -, and begin with a letter')
      .default('studio')
      .describe('What the names of its indices begin with; one for each installation that uses the cluster'),
    shards: z
      .int()
      .min(1)
      .max(64)
      .default(1)
      .describe('Shards of each new index; studio search reshard gives them to those that are there'),
    replicas: z
      .int()
      .min(0)
      .max(8)
      .default(0)
      .describe('Further copies of each shard of a new index, each on another node'),
    collections_per_index: z
      .int()
      .min(1)
      .max(400)
      .default(100)
      .describe(
        'Small collections of one tenant that share an index at most; 1 gives each collection an index of its own',
      ),
    own_index_rows: z
      .int()
      .min(1_000)
      .max(10_000_000)
      .default(50_000)
      .describe('A collection with more passages than this moves to an index of its own'),
    rows_per_shard: z
      .int()
      .min(1_000)
      .max(100_000_000)
      .default(5_000_000)
      .describe(
        'A new index of one collection has as many shards as this makes of its passages, but search.shards at least',
      ),
    snapshot_repository: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'must have letters, digits, and . _ - within')
      .optional()
      .describe(
        'A snapshot repository that is registered in OpenSearch: studio backup makes a snapshot there; without it the index is made anew by what is restored',
      ),
    engine: z
      .enum(['lucene', 'faiss'])
      .default('lucene')
      .describe(
        'lucene: whole vectors in memory; faiss: small ones in memory, whole ones on disk, for very large collections',
      ),
  })
  .superRefine(({ url, username, password, cert_file, key_file }, context) => {
    const together = [
      ['password', username, password],
      ['username', password, username],
      ['key_file', cert_file, key_file],
      ['cert_file', key_file, cert_file],
    ] as const;
    for (const [path, given, needed] of together)
      if (given !== undefined && needed === undefined)
        context.addIssue({ code: 'custom', path: [path], message: 'is needed too: the two go together' });
    // Whatever of it is secret would be sent so that everybody on the way can read it.
    if (cert_file !== undefined && url?.startsWith('http:'))
      context.addIssue({ code: 'custom', path: ['url'], message: 'must begin with https:// for a client certificate' });
    if (url !== undefined && (new URL(url).username !== '' || new URL(url).search !== ''))
      context.addIssue({
        code: 'custom',
        path: ['url'],
        message: 'has no account and no query: search.username names it',
      });
  });
