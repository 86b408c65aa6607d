export { type AddressCheck, createAddressCheck } from './address-check.ts';
export { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
export { createGuardedRequest, type GuardedResponse, type GuardedRequest } from './guarded-request.ts';
export { isForbiddenAddress } from './forbidden-addresses.ts';
export { FetchRefused } from './pinned.ts';
