/** Area codes of land-lines. Source: numbering plan of the Korean ministry of science and ICT. */
const areas = new Set([
  '02',
  '031',
  '032',
  '033',
  '041',
  '042',
  '043',
  '044',
  '051',
  '052',
  '053',
  '054',
  '055',
  '061',
  '062',
  '063',
  '064',
]);

/** The kind of a Korean phone number, by its digits with the leading zero; null where it is none, or belongs to no person. */
export function koreanPhoneKind(digits: string): 'mobile' | 'internet' | 'personal' | 'land' | null {
  const { length } = digits;
  if (/^01[016789]/.test(digits)) return length === 11 || (length === 10 && digits[2] !== '0') ? 'mobile' : null;
  if (digits.startsWith('070')) return length === 11 ? 'internet' : null;
  if (/^050[2-8]/.test(digits)) return length === 11 || length === 12 ? 'personal' : null;
  if (digits.startsWith('02')) return (length === 9 || length === 10) && /^02[1-9]/.test(digits) ? 'land' : null;
  if (areas.has(digits.slice(0, 3))) return (length === 10 || length === 11) && digits[3] !== '0' ? 'land' : null;
  return null;
}
