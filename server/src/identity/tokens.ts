import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** A value that nobody guesses, for a cookie or a link: 43 characters of base64url. */
export const generateToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What is stored of a token. It is random, so a plain hash is enough. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The same of a short text, in hex, for columns of text. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex');
