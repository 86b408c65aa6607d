export { type FindPolicy, findPii } from './find.ts';
export type { Finding } from './finding.ts';
export { type MaskPolicy, type Masked, maskText } from './mask.ts';
export { createStreamUnmasker, unmaskText } from './unmask.ts';
export { keepRemovingEnded } from './vault/retention.ts';
export { type Counted, PRIVACY_MODEL, type PrivacyDeps, maskRequest, unmaskRequest } from './verbs.ts';
