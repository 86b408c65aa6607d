import { expect, test } from 'vitest';
import { createAddressCheck } from './index.ts';

const hosts: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.216.34'],
  'inside.example': ['10.1.2.3'],
  'both.example': ['93.184.216.34', '10.1.2.3'],
  'ours.example': ['10.9.0.1', '10.9.0.2'],
  'mixed.example': ['10.9.0.1', '93.184.216.34'],
  'six.example': ['fd12::1'],
  'nothing.example': [],
};
const missing = (code: string) => Object.assign(new Error(code), { code });
const asked: string[] = [];
const look = createAddressCheck({
  allow: ['opened.example', '10.9.0.0/16'],
  lookup: (host) => {
    asked.push(host);
    if (host === 'late.example') return new Promise(() => undefined);
    if (host === 'down.example') return Promise.reject(missing('EAI_AGAIN'));
    return hosts[host] === undefined ? Promise.reject(missing('ENOTFOUND')) : Promise.resolve(hosts[host]);
  },
});

test.each([
  ['https://public.example/hook', 'public'],
  ['http://ours.example/', 'opened'],
  ['https://mixed.example/', 'public'],
  ['https://inside.example/', 'closed'],
  ['https://both.example/', 'closed'],
  ['https://six.example/', 'closed'],
  ['https://nothing.example/', 'closed'],
  ['https://unknown.example/', 'closed'],
  ['https://down.example/', 'unknown'],
  ['https://late.example/', 'unknown'],
  ['https://10.1.2.3/', 'closed'],
  ['https://10.9.2.3/', 'opened'],
  ['https://[::1]/', 'closed'],
  ['https://2130706433/', 'closed'],
  ['https://opened.example/', 'opened'],
])('%s is %s', async (url, expected) => {
  expect(await look(new URL(url))).toBe(expected);
});

test('what was opened by name, and addresses, are not looked up', () => {
  expect(asked).not.toContain('opened.example');
  expect(asked.some((host) => /^[\d.:]+$/.test(host))).toBe(false);
});

test.each([
  ['::/32', 'https://10.1.2.3/', 'closed'],
  ['::/0', 'https://10.1.2.3/', 'closed'],
  ['::/0', 'https://[fd12::1]/', 'opened'],
  ['::ffff:0:0/33', 'https://10.1.2.3/', 'closed'],
  ['0.0.0.0/0', 'https://[fd12::1]/', 'closed'],
  ['::ffff:10.0.0.0/104', 'https://10.1.2.3/', 'opened'],
  ['10.0.0.0/8', 'https://[::ffff:10.1.2.3]/', 'opened'],
])('a network opens addresses of its own family: %s, %s is %s', async (network, url, expected) => {
  expect(await createAddressCheck({ allow: [network] })(new URL(url))).toBe(expected);
});
