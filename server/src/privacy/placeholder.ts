import { type FindingType, findingTypes } from '@ai-studio/contract/utilities/privacy.ts';

// Placeholders stand for values. They are recognised in a masked text, so that masking it again changes nothing.

const TYPES = findingTypes.join('|');
/** Letters and digits of a token's id, without 0, 1, I and O, which people and models confuse. */
export const TOKEN_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
export const TOKEN_ID_LENGTH = 8;
const TOKEN_ID = `_[2-9A-HJ-NP-Z]{${TOKEN_ID_LENGTH}}`;
const HASH = ':[0-9a-f]{16}';
const SEALED = ':v1\\.[0-9a-f]{8}\\.[A-Za-z0-9_-]{38,}';

/** Matches every placeholder of a text. */
export const placeholders = (): RegExp => new RegExp(`\\[(?:${TYPES})(?:${TOKEN_ID}|${HASH}|${SEALED})?\\]`, 'g');

/** Matches tokens and encrypted values: `type`, and the `id` of a token or the `sealed` text. */
export const reversibles = (): RegExp =>
  new RegExp(`\\[(?<type>${TYPES})(?:(?<id>${TOKEN_ID})|:(?<sealed>${SEALED.slice(1)}))\\]`, 'g');

export const typePlaceholder = (type: FindingType): string => `[${type}]`;
export const hashPlaceholder = (type: FindingType, hash: string): string => `[${type}:${hash}]`;
export const sealedPlaceholder = (type: FindingType, sealed: string): string => `[${type}:${sealed}]`;
export const tokenPlaceholder = (type: FindingType, id: string): string => `[${type}_${id}]`;
