export { type AddressCheck, createAddressCheck } from './address-check.ts';
export { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
export { createGuardedRequest, type GuardedResponse, type GuardedRequest } from './guarded-request.ts';
export { createGuardedResolve } from './guarded-resolve.ts';
export { isForbiddenAddress } from './forbidden-addresses.ts';
export { type OpenedHosts, openOpenedHosts } from './opened-hosts.ts';
export { FetchRefused } from './pinned.ts';
