import { z } from 'zod';

const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/\w[\w.-]*)*)\/?$/;

/** Where files and the search index are kept: a folder of this machine, or object storage that all machines share. */
export const Storage = z
  .strictObject({
    url: z
      .string()
      .regex(S3_URL, 'must be s3://bucket or s3://bucket/prefix')
      .optional()
      .describe('S3-compatible storage for files and the search index, s3://bucket/prefix; without it data_dir'),
    endpoint: z
      .url({ protocol: /^https?$/, error: 'must be an address such as https://minio.example.org:9000' })
      .optional()
      .describe('Address of the storage; without it Amazon S3 of the region'),
    region: z
      .string()
      .regex(/^[a-z0-9-]{1,40}$/, 'must be a name such as ap-northeast-2')
      .default('us-east-1')
      .describe('Region of the bucket; most other storages take any'),
    access_key_id: z.string().min(1).optional().describe('Name of the key pair'),
    secret_access_key: z.string().min(1).meta({ secret: true }).optional().describe('And its secret'),
  })
  .superRefine(({ url, access_key_id, secret_access_key }, context) => {
    if (url === undefined) return;
    for (const [path, value] of Object.entries({ access_key_id, secret_access_key }))
      if (value === undefined)
        context.addIssue({ code: 'custom', path: [path], message: 'is needed with storage.url' });
  });

/** Object storage as adapters take it. */
export interface ObjectStorage {
  readonly endpoint: string;
  readonly bucket: string;
  /** What every key begins with: empty, or ending in `/`. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The object storage that is configured; null for folders of this machine. */
export function objectStorageOf({
  url = '',
  endpoint,
  region,
  access_key_id: accessKeyId = '',
  secret_access_key: secretAccessKey = '',
}: z.infer<typeof Storage>): ObjectStorage | null {
  const [, bucket, path = ''] = S3_URL.exec(url) ?? [];
  if (bucket === undefined) return null;
  return {
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    bucket,
    prefix: path === '' ? '' : `${path.slice(1)}/`,
    region,
    accessKeyId,
    secretAccessKey,
  };
}
