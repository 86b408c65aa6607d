export { createGuardedFetch, FetchRefused, type GuardedFetch } from './guarded-fetch.ts';
