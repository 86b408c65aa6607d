/** JSON of a value, whose characters are the bytes to send (latin1). */
export const toJsonBytes = (value: unknown): string => Buffer.from(JSON.stringify(value), 'utf8').toString('latin1');
