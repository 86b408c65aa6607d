/** An address as it is stored and compared. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();
