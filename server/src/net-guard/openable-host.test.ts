import { describe, expect, it } from 'vitest';
import { parseAllowList } from './addresses.ts';
import { openableHost } from './openable-host.ts';

describe('what is opened in the console', () => {
  it.each([
    [' Tools.Internal ', 'tools.internal'],
    ['mcp', 'mcp'],
    ['10.1.2.3', '10.1.2.3'],
    ['127.0.0.1', '127.0.0.1'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['[FD12:0::1]', 'fd12::1'],
    ['fd12:3456::/48', 'fd12:3456::/48'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1/128', '::1/128'],
    ['0:1::/32', '0:1::/32'],
  ])('%s is kept as %s', (given, kept) => {
    expect(openableHost(given)).toBe(kept);
    expect(() => parseAllowList([kept])).not.toThrow();
  });

  it.each([
    '',
    'https://tools.internal',
    'tools.internal:8080',
    '*.internal',
    '-bad.internal',
    '12345',
    '10.0.0.0/7',
    '0.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '::/0',
    '::/32',
    '::/96',
    '::',
    '::1/32',
    '::a00:1',
    '::ffff:0:0/96',
    '::ffff:0:0/33',
    '0:0:0:0:0:ffff:0:0/80',
    '::ffff:10.0.0.1',
    '::ffff:10.0.0.0/104',
    '0:0:1::/48',
    '0:0:1:2:3:4:5:6',
    '0.0.0.0',
    '0.0.0.0/8',
    '0.1.0.0/16',
    'fe80::1',
    'fe80::1%eth0',
    '169.254.169.254',
    '169.254.0.0/16',
    '100.100.100.200',
    `${'a'.repeat(64)}.internal`,
  ])('%s is not taken', (given) => {
    expect(openableHost(given)).toBeNull();
  });
});
