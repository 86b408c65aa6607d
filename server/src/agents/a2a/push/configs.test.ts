import { expect, test } from 'vitest';
import { createSecretBox } from '../../../kernel/secret-box.ts';
import { createAddressCheck } from '../../../net-guard/index.ts';
import type { Database } from '../../../ports/database.ts';
import { createPushConfigs } from './configs.ts';

const names: Readonly<Record<string, readonly string[]>> = {
  'hook.example': ['93.184.216.34'],
  'inside.example': ['10.1.2.3'],
  'ours.example': ['10.9.0.1'],
};
const lookup = (host: string) =>
  names[host] === undefined
    ? Promise.reject(Object.assign(new Error(host), { code: host === 'later.example' ? 'EAI_AGAIN' : 'ENOTFOUND' }))
    : Promise.resolve(names[host]);
const configs = createPushConfigs({
  db: {} as Database,
  box: createSecretBox(Buffer.alloc(32, 7)),
  checkAddress: createAddressCheck({ allow: ['named.example', '10.9.0.0/16'], lookup }),
});
const check = (url: string) =>
  configs.check({ id: null, url, token: null, authentication: null }).then(
    () => 'taken',
    (error: Error) => error.message.replace('Push notification config: ', ''),
  );
const notHttps = 'url must be an https address';
const notPublic = 'url must lead to a public address';

test.each([
  ['https://hook.example/a', 'taken'],
  // Nobody can say now where it leads; that is looked at whenever it is told.
  ['https://later.example/', 'taken'],
  ['https://inside.example/', notPublic],
  ['https://unknown.example/', notPublic],
  ['https://10.1.2.3/', notPublic],
  ['http://hook.example/', notHttps],
  ['http://inside.example/', notHttps],
  ['http://later.example/', notHttps],
  ['http://named.example/', 'taken'],
  ['http://ours.example/', 'taken'],
  ['http://10.9.0.7/', 'taken'],
  ['ftp://named.example/', notHttps],
  ['nowhere', 'url is no address'],
  ['https://u:p@hook.example/', 'url must not hold a password'],
])('%s: %s', async (url, expected) => {
  expect(await check(url)).toBe(expected);
});
