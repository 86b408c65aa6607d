import { type LookupAddress, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { ADDRESS_REFUSED } from '../../../../ports/engine-trouble.ts';

/**
 * Resolves the addresses of a host for a connection, without the forbidden ones. Resolves again for each connection, so that a
 * name cannot lead elsewhere later. Fails with the code ADDRESS_REFUSED where none is left.
 */
export const guardedLookup =
  (isForbidden: (address: string) => boolean): LookupFunction =>
  (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, []);
      const open = found.filter(({ address }) => !isForbidden(address));
      const [first] = open;
      if (!first) return done(Object.assign(new Error(ADDRESS_REFUSED), { code: ADDRESS_REFUSED }), []);
      // Both forms of the callback exist.
      return options.all === true ? done(null, open) : done(null, first.address, first.family);
    });
  };
