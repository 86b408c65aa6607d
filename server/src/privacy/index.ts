export { findPii } from './find.ts';
export { maskText } from './mask.ts';
export { createSearch } from './search/search.ts';
export { keepRemovingEnded } from './vault/retention.ts';
export { type Counted, PRIVACY_MODEL, type PrivacyDeps, maskRequest, unmaskRequest } from './verbs.ts';
