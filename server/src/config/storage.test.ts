import { expect, test } from 'vitest';
import { redact } from './redact.ts';
import { Config } from './schema.ts';
import { objectStorageOf, Storage } from './storage.ts';

const keys = { access_key_id: 'id', secret_access_key: 'hidden-secret' };

test('without an address files stay on this machine', () => {
  expect(objectStorageOf(Storage.parse({}))).toBeNull();
});

test.each([
  [{ url: 's3://studio' }, { bucket: 'studio', prefix: '', endpoint: 'https://s3.us-east-1.amazonaws.com' }],
  [
    { url: 's3://my.bucket-2/a/b_c/', region: 'ap-northeast-2' },
    { bucket: 'my.bucket-2', prefix: 'a/b_c/', endpoint: 'https://s3.ap-northeast-2.amazonaws.com' },
  ],
  [
    { url: 's3://studio/x', endpoint: 'http://10.0.0.2:9000' },
    { bucket: 'studio', prefix: 'x/', endpoint: 'http://10.0.0.2:9000' },
  ],
])('%j names a place', (given, place) => {
  expect(objectStorageOf(Storage.parse({ ...given, ...keys }))).toMatchObject({
    ...place,
    accessKeyId: 'id',
    secretAccessKey: 'hidden-secret',
  });
});

test.each(['s3://', 's3://A', 's3://studio/../x', 'https://studio', 's3://studio//x', 's3://studio/a b'])(
  '%s is refused',
  (url) => {
    expect(Storage.safeParse({ url, ...keys }).success).toBe(false);
  },
);

test('an address needs both keys, and says which is missing', () => {
  const { error } = Storage.safeParse({ url: 's3://studio', access_key_id: 'id' });
  expect(error?.issues).toMatchObject([{ path: ['secret_access_key'], message: 'is needed with storage.url' }]);
});

test('the secret is never shown', () => {
  const shown = redact(Config.parse({ storage: { url: 's3://studio', ...keys } }));
  expect(shown['storage']).toMatchObject({ url: 's3://studio', access_key_id: 'id' });
  expect(JSON.stringify(shown)).not.toContain('hidden-secret');
});
