/** An address as it is stored and compared. */
export const plainEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();
