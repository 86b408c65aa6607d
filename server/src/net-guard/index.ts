export { createGuardedFetch, FetchRefused } from './guarded-fetch.ts';
