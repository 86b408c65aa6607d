export { type AddressCheck, createAddressCheck } from './address-check.ts';
export { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
export { createGuardedRequest, type GuardedAnswer, type GuardedRequest } from './guarded-request.ts';
export { isForbiddenAddress } from './never-asked.ts';
export { FetchRefused } from './pinned.ts';
