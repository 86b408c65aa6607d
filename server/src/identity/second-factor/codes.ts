import { randomBytes } from 'node:crypto';
import { textHash } from '../tokens.ts';

const PERIOD_SECONDS = 30;
/** Steps before and after the present one that are taken, for clocks that run apart. Source: RFC 6238 section 5.2. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;

async function totpOf(secret: string, label: string) {
  const { Secret, TOTP } = await import('otpauth');
  return new TOTP({ issuer: 'AI Studio', label, secret: Secret.fromBase32(secret), digits: 6, period: PERIOD_SECONDS });
}

/** A new secret in base32. */
export async function generateTotpSecret(): Promise<string> {
  const { Secret } = await import('otpauth');
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** What an authenticator app takes: as an address, and as a picture of it. */
export async function totpSetup(
  secret: string,
  email: string,
): Promise<{ secret: string; uri: string; qr_svg: string }> {
  const { renderSVG } = await import('uqr');
  const uri = (await totpOf(secret, email)).toString();
  return { secret, uri, qr_svg: renderSVG(uri, { border: 2 }) };
}

/** The time step that a code of six digits belongs to; null for a wrong one. */
export async function totpStep(secret: string, code: string, nowMs: number): Promise<number | null> {
  const totp = await totpOf(secret, '');
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? null : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + delta;
}

/** Without 0, 1, I and O, which are mistaken for each other. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Codes for who has lost the app: 80 random bits each, in groups of four. */
export const generateRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(16), (byte, i) => (i > 0 && i % 4 === 0 ? '-' : '') + LETTERS[byte % LETTERS.length]).join(
      '',
    ),
  );

/** What is stored of a recovery code, however it is typed. */
export const recoveryHash = (code: string): string => textHash(`recovery:${code.replace(/[\s-]/g, '').toUpperCase()}`);
