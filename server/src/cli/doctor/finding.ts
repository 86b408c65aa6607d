/** Result of one check. */
export interface Finding {
  /** `fail` keeps the service from working, `warn` will trouble somebody, `ok` is well. */
  readonly level: 'ok' | 'warn' | 'fail';
  readonly subject: string;
  /** What was found. */
  readonly text: string;
  /** What to do; null where nothing needs to be done. */
  readonly advice: string | null;
}

export const ok = (subject: string, text: string): Finding => ({ level: 'ok', subject, text, advice: null });
export const warn = (subject: string, text: string, advice: string): Finding => ({
  level: 'warn',
  subject,
  text,
  advice,
});
export const fail = (subject: string, text: string, advice: string): Finding => ({
  level: 'fail',
  subject,
  text,
  advice,
});
