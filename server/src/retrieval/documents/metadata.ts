import type { Metadata } from '@ai-studio/contract/retrieval/document.ts';
import { FieldName } from '@ai-studio/contract/retrieval/collection.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import type { FieldValue } from '../../ports/search-index.ts';

/** Of the JSON text. */
const MAX_CHARACTERS = 65_536;
const MAX_FIELDS = 200;
const MAX_DEPTH = 10;
const MAX_NAME_LENGTH = 200;

/** A value as the database takes it. Throws for what it does not. */
function sanitizeValue(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw invalidRequest(`metadata is nested deeper than ${MAX_DEPTH} levels`, 'metadata');
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidRequest('metadata must not hold the character U+0000', 'metadata');
    return value.toWellFormed();
  }
  if (Array.isArray(value)) return value.map((one) => sanitizeValue(one, depth + 1));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [String(sanitizeValue(name, depth)), sanitizeValue(one, depth + 1)]),
    );
  return value;
}

/** What people note of a document, within bounds. Throws StudioError `invalid_request`. */
export function checkMetadata(given: Metadata): Metadata {
  const names = Object.keys(given);
  if (names.length > MAX_FIELDS) throw invalidRequest(`metadata has more than ${MAX_FIELDS} fields`, 'metadata');
  if (names.some((name) => name === '' || name.length > MAX_NAME_LENGTH))
    throw invalidRequest(`The names of metadata fields have 1 to ${MAX_NAME_LENGTH} characters`, 'metadata');
  const metadata = sanitizeValue(given, 0) as Metadata;
  if (JSON.stringify(metadata).length > MAX_CHARACTERS)
    throw invalidRequest(`metadata is longer than ${MAX_CHARACTERS} characters`, 'metadata');
  return metadata;
}

/** The field `metadata` of a form. Throws StudioError `invalid_request`. */
export function parseMetadata(text: string | undefined): Metadata {
  if (text === undefined || text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw Object.assign(invalidRequest('metadata must be a JSON object', 'metadata'), { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('metadata must be a JSON object', 'metadata');
  return checkMetadata(value as Metadata);
}

const MAX_INDEXED = 10;

function parseNames(text: string): unknown {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[')) return trimmed.split(',').map((name) => name.trim());
  try {
    return JSON.parse(trimmed);
  } catch {
    return null;
  }
}

/** The field `indexed_fields` of a form: a JSON array, or names with commas between. Throws StudioError `invalid_request`. */
export function parseIndexedFields(text: string | undefined): string[] {
  if (text === undefined || text.trim() === '') return [];
  const names = parseNames(text);
  const fine =
    Array.isArray(names) && names.every((name): name is string => FieldName.safeParse(name).success) ? names : null;
  if (fine === null)
    throw invalidRequest(
      'indexed_fields must be a list of names, each of 1 to 64 letters, digits, _, . and -',
      'indexed_fields',
    );
  if (fine.length > MAX_INDEXED)
    throw invalidRequest(`indexed_fields must hold at most ${MAX_INDEXED} names`, 'indexed_fields');
  return [...new Set(fine)];
}

const isValue = (value: unknown): value is FieldValue =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Longest text that filters compare, and most values of a list. */
const MAX_VALUE_LENGTH = 1_000;
const MAX_VALUES = 100;
/** Fields that are in the index beside those that were named: filters may use them once they are named. */
const MAX_INDEX_FIELDS = 50;

/** The fields by which filters choose a document; those that were named come first. Texts are as filters write them: composed. */
export function filterFields(
  metadata: Metadata,
  named: readonly string[],
): Record<string, FieldValue | readonly FieldValue[]> {
  const fields: Record<string, FieldValue | readonly FieldValue[]> = {};
  const names = [...new Set([...named, ...Object.keys(metadata)])].filter((name) => FieldName.safeParse(name).success);
  for (const name of names.slice(0, MAX_INDEX_FIELDS)) {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    const values = (Array.isArray(value) ? value : [value]).filter(isValue).slice(0, MAX_VALUES);
    if (values.length === 0) continue;
    const cut = values.map((one) => (typeof one === 'string' ? one.normalize('NFC').slice(0, MAX_VALUE_LENGTH) : one));
    fields[name] = Array.isArray(value) ? cut : (cut[0] ?? '');
  }
  return fields;
}
