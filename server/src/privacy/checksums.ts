// Check digits. Each takes the digits of a number without separators.

const digitAt = (digits: string, at: number): number => digits.charCodeAt(at) - 48;

const weightedSum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * digitAt(digits, at), 0);

/** Cards and IMEI. Source: ISO/IEC 7812-1, annex B. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, double = false; at >= 0; at--, double = !double) {
    const value = digitAt(digits, at) * (double ? 2 : 1);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

const RESIDENT_WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5];

/** Resident registration numbers issued before October 2020; later ones have no check digit. */
export const isResidentChecksum = (digits: string): boolean =>
  (11 - (weightedSum(digits, RESIDENT_WEIGHTS) % 11)) % 10 === digitAt(digits, 12);

/** Foreigner registration numbers issued before October 2020. */
export const isForeignerChecksum = (digits: string): boolean =>
  (13 - (weightedSum(digits, RESIDENT_WEIGHTS) % 11)) % 10 === digitAt(digits, 12);

const BUSINESS_WEIGHTS = [1, 3, 7, 1, 3, 7, 1, 3, 5];

/** Business registration numbers of the Korean tax office. */
export function isBusinessChecksum(digits: string): boolean {
  const carry = Math.floor((digitAt(digits, 8) * 5) / 10);
  return (10 - ((weightedSum(digits, BUSINESS_WEIGHTS) + carry) % 10)) % 10 === digitAt(digits, 9);
}

const CORPORATE_WEIGHTS = [1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2];

/** Corporate registration numbers of the Korean courts, until 2025. */
export const isCorporateChecksum = (digits: string): boolean =>
  (10 - (weightedSum(digits, CORPORATE_WEIGHTS) % 10)) % 10 === digitAt(digits, 12);

/** International account numbers. Source: ISO 13616 and ISO/IEC 7064, mod 97-10. */
export function isIbanChecksum(iban: string): boolean {
  let rest = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the first six digits are a day as YYMMDD of that century. */
export function isBirthDate(digits: string, century: number): boolean {
  const [year, month, day] = [0, 2, 4].map((at) => Number(digits.slice(at, at + 2))) as [number, number, number];
  const leap = (century + year) % 4 === 0 && (century + year) % 100 !== 0;
  const lastDay = month === 2 && !leap && century + year !== 2000 ? 28 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= lastDay;
}
