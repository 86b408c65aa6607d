import { ENVELOPE_OK } from '@ai-studio/contract/envelope.ts';

/** A success in the common envelope. */
export const inEnvelope = <T>(result: T, usage?: Readonly<Record<string, number>>) => ({
  status: { code: ENVELOPE_OK, message: 'OK' },
  result,
  ...(usage === undefined ? {} : { usage }),
});
