/**
 * A text as what metadata most likely holds. A number only where it is written as numbers are: otherwise the field would lose what is
 * being typed ("1." of 1.5, "2024 " of "2024 A"), and codes their zeros ("007").
 */
export function valueOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return Number.isFinite(Number(text)) && String(Number(text)) === text ? Number(text) : text;
}
