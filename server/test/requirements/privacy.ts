import type { Requirements } from './entry.ts';

const mask = 'decisions 6, text/pii-mask';
const goals = 'release goals: privacy';

/** Masking of personal values. */
export const privacyRequirements = {
  'pii.mask': {
    source: mask,
    text: 'A text is masked under both prefixes, in the envelope, with model, masked_text, detected_pii_count, entities and usage.total_tokens.',
  },
  'pii.items': { source: mask, text: 'An array gives a list of results in items.' },
  'pii.types': { source: mask, text: 'Six types by default, named ones, or all with ALL.' },
  'pii.threshold': { source: mask, text: 'Findings below the threshold (0.5) are left as they are.' },
  'pii.lists': { source: mask, text: 'The allow list is left as it is, the deny list is always found.' },
  'pii.return_original': { source: mask, text: 'original_text is left out with return_original: false.' },
  'pii.offsets': { source: mask, text: 'Offsets are UTF-16 units of the original and cut it exactly.' },
  'pii.operator': { source: mask, text: 'mask, replace, redact, hash and encrypt each have their form.' },
  'pii.operator.mask': { source: mask, text: 'mask turns letters and digits into stars; separators and length stay.' },
  'pii.operator.by-type': { source: mask, text: 'The operator can be given by type.' },
  'pii.hash': {
    source: goals,
    text: 'A hash is the same for the same value of a tenant, and another for another tenant.',
  },
  'pii.reversible': { source: mask, text: 'Tokens are the same for the same value within a session.' },
  'pii.unmask': { source: mask, text: 'pii-unmask turns tokens and encrypted values back.' },
  'pii.unmask.stream': { source: goals, text: 'A stream is unmasked in any pieces, and half a token is never shown.' },
  'pii.unmask.tenant': {
    source: mask,
    text: 'Sessions of another tenant, unknown and expired ones are one and the same 404.',
  },
  'pii.vault': { source: goals, text: 'Values are kept encrypted, until they expire; then they are removed.' },
  'pii.twice': { source: goals, text: 'Masking twice changes nothing.' },
  'pii.errors': {
    source: 'decisions 1, Error forms',
    text: 'Wrong fields, types, keys and large bodies have their codes.',
  },
  'pii.usage': { source: goals, text: 'Calls count as usage, with their tokens.' },
  'pii.log': { source: mask, text: 'Values are never logged.' },
  'pii.recognizers': { source: goals, text: 'The reply names the recognisers that ran.' },
  'pii.korean': {
    source: goals,
    text: 'Korean values are found with particles behind them, in full-width digits, odd dashes and digits apart.',
  },
  'pii.resident': {
    source: goals,
    text: 'Resident and foreigner numbers are known by date and context; a wrong check digit never rejects one.',
  },
  'pii.rivals': { source: goals, text: 'A number of one kind is not taken for one of another.' },
  'guard.levels': {
    source: goals,
    text: 'What becomes of values in chat is set for the tenant, and for a key or an agent as far as the tenant lets them.',
  },
  'guard.mask': {
    source: goals,
    text: 'Personal values of a chat never reach the engine, and the answer, whole or streamed, shows them to the caller again.',
  },
  'guard.tokens': { source: goals, text: 'The same value has the same token in a request and in its conversation.' },
  'guard.everywhere': {
    source: goals,
    text: 'Messages, parts, arguments of calls, results and definitions of tools and other texts are all looked through.',
  },
  'guard.tools': { source: goals, text: 'Arguments of tool calls and thinking are turned back, too.' },
  'guard.stream': { source: goals, text: 'A token is never shown in half, in whatever pieces a stream comes.' },
  'guard.refuse': { source: goals, text: 'refuse answers with an error that names the types, never the values.' },
  'guard.report': { source: goals, text: 'report counts what is found and changes nothing.' },
  'guard.lists': { source: goals, text: 'Words of the deny list are always masked, values of the allow list never.' },
  'guard.counts': { source: goals, text: 'Findings are counted by tenant, day and type; values are kept nowhere.' },
  'guard.log': { source: goals, text: 'Log and error messages hold masked text only.' },
  'guard.identity': { source: goals, text: 'Mask then unmask is the identity.' },
  'guard.agents': {
    source: goals,
    text: 'Agents follow the policy, and may have a stricter one of their own; their traces hold masked text only.',
  },
  'guard.console': { source: goals, text: 'The playground and conversations follow the policy of the tenant.' },
  'guard.stored': {
    source: goals,
    text: 'Conversations that are stored hold masked text only, and show their person what was said.',
  },
  'guard.tenants': { source: goals, text: 'A tenant sees and changes its own policy and counts only.' },
  'pii.model': {
    source: goals,
    text: 'A chat model of the catalogue looks for names and addresses, too, where it is chosen; what it gives is checked against the text.',
  },
  'pii.model.failure': {
    source: goals,
    text: 'A model that is away or answers nonsense fails no masking; the reply says so.',
  },
  'pii.model.usage': {
    source: goals,
    text: 'What a model takes to look for names counts as usage of whoever asked, and for the limit of their key.',
  },
  'pii.try': { source: goals, text: 'The console shows what is found in a text, and keeps nothing of it.' },
  'pii.unseen': {
    source: goals,
    text: 'On sentences that were written apart: checksummed types and mail precision 0.98 and recall 0.99, Korean phones recall 0.98, at most 5 false findings in 5,000 ordinary sentences.',
  },
  'pii.linear': { source: goals, text: 'No input makes it slow.' },
} as const satisfies Requirements;
