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
