import { describe, expect, it } from 'vitest';
import { isForbiddenAddress } from './forbidden-addresses.ts';

describe('addresses that nothing is sent to', () => {
  it.each([
    '169.254.169.254',
    '169.254.0.1',
    '169.254.255.255',
    'fe80::1',
    'fe80::1%eth0',
    'febf:ffff::1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::169.254.169.254',
    '2002:a9fe:a9fe::1',
    'fd00:ec2::254',
    'FD00:EC2:0:0:0:0:0:254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '::ffff:100.100.100.200',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
  ])('%s is one', (address) => expect(isForbiddenAddress(address)).toBe(true));

  it.each([
    '127.0.0.1',
    '::1',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.9',
    '192.168.0.20',
    '100.64.0.1',
    'fd00::1',
    'fec0::1',
    '::ffff:10.0.0.5',
    '64:ff9b::a00:5',
    '2002:a00:5::1',
    '169.253.255.255',
    '169.255.0.0',
    '1.1.1.1',
    '2606:4700::1111',
    'localhost',
    '',
  ])('%s is none', (address) => expect(isForbiddenAddress(address)).toBe(false));
});
