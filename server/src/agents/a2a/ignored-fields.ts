import { closestMatch } from '@ai-studio/contract/nearest.ts';

// Fields of a request that the service leaves out. A2A takes them, as clients send what newer versions have; a header of the reply
// names them. Metadata is free, so of it only what is nearly a field of ours is named.

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What clients send for a field that they leave out. */
const isLeftOut = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isFields(value) && Object.keys(value).length === 0);

const METADATA = 'metadata';
/** Fields of metadata that mean something here. */
const ownMetadata = ['chat_session_id', 'last_event_id'];
/** No name that is nearly one of them is longer. */
const MAX_NEAR_LENGTH = 30;
/** Names of one metadata that are compared with them. */
const MAX_COMPARED = 200;

/** Fields of what was given that were not taken, such as `params.configuration.blokcing`; `taken` is what the form made of it. */
function* notTaken(given: unknown, taken: unknown, path: string): Generator<string> {
  // Free contents are taken as they are.
  if (given === taken) return;
  if (Array.isArray(given) && Array.isArray(taken)) {
    for (const [index, one] of given.entries()) yield* notTaken(one, taken[index], `${path}[${index}]`);
    return;
  }
  if (!isFields(given) || !isFields(taken)) return;
  for (const [key, value] of Object.entries(given)) {
    if (key === METADATA || isLeftOut(value)) continue;
    if (Object.hasOwn(taken, key)) yield* notTaken(value, taken[key], `${path}.${key}`);
    else yield `${path}.${key}`;
  }
}

/** Fields of metadata that are nearly ours, or ours in a place where they mean nothing. */
function nearlyOwn(metadata: unknown, understood: readonly string[], path: string): readonly string[] {
  if (!isFields(metadata)) return [];
  return Object.keys(metadata)
    .filter((key) => key.length <= MAX_NEAR_LENGTH && !understood.includes(key))
    .slice(0, MAX_COMPARED)
    .filter((key) => closestMatch(key, ownMetadata) !== null)
    .map((key) => `${path}.${METADATA}.${key}`);
}

/**
 * Paths of the fields of parameters that are left out; `taken` is what the form made of them, `understood` the fields of their metadata
 * that mean something to the method.
 */
export function ignoredParams(given: unknown, taken: unknown, understood: readonly string[]): readonly string[] {
  if (!isFields(given)) return [];
  const { message } = given;
  return [
    ...notTaken(given, taken, 'params'),
    ...nearlyOwn(given[METADATA], understood, 'params'),
    ...(isFields(message) ? nearlyOwn(message[METADATA], [], 'params.message') : []),
  ];
}
