/** Where the runtime says what it does: one event, its facts and its name. */
export type Log = Readonly<Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>>;
