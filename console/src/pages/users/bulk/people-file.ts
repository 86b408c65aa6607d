import { NewPerson } from '@ai-studio/contract/console/people.ts';
import { type Role, roles } from '@ai-studio/contract/console/roles.ts';
import { csvRecords } from '../../../parts/csv.ts';

/** Why a line is not invited. `member` and `twice` harm nothing: the person is in the list, or stands above. */
export type LineProblem = 'email' | 'name' | 'role' | 'twice' | 'member';

/** A person of the file, as it is shown before anybody is invited. */
export interface PersonLine {
  /** Of the file, from 1, the heading counted. */
  readonly line: number;
  readonly email: string;
  readonly name: string;
  /** As it stands in the file where it names no role. */
  readonly role: Role | null;
  readonly roleText: string;
  readonly problem: LineProblem | null;
}

/** Words of headings and roles as people write them in their lists, in both languages. */
const headings = {
  email: ['email', 'e-mail', 'mail', 'emailaddress', '이메일', '메일', '이메일주소', '메일주소', '전자우편'],
  name: ['name', 'fullname', '이름', '성명', '성함'],
  role: ['role', '역할', '권한'],
} as const;
const roleWords: Readonly<Record<Role, readonly string[]>> = {
  user: ['user', 'member', '사용자', '일반사용자', '일반'],
  developer: ['developer', 'dev', '개발자'],
  administrator: ['administrator', 'admin', '관리자'],
};

const plain = (text: string) => text.normalize('NFC').toLowerCase().replace(/[\s_]/g, '');

type Field = keyof typeof headings;
type Places = Readonly<Record<Field, number>>;

/** Where each field stands: as the headings say, else address, name, role in this order. */
function placesOf(first: readonly string[]): { readonly places: Places; readonly hasHeading: boolean } {
  const words = first.map(plain);
  const find = (field: Field) => words.findIndex((word) => headings[field].some((known) => known === word));
  const places = { email: find('email'), name: find('name'), role: find('role') };
  if (places.email >= 0) return { places, hasHeading: true };
  return { places: { email: 0, name: 1, role: 2 }, hasHeading: false };
}

const roleOf = (text: string, usual: Role): Role | null =>
  text === '' ? usual : (roles.find((role) => roleWords[role].includes(plain(text))) ?? null);

function problemOf(person: { readonly email: string; readonly name: string; readonly role: Role | null }) {
  const { error } = NewPerson.safeParse(person);
  const field = error?.issues[0]?.path[0];
  return field === 'email' || field === 'name' || field === 'role' ? field : null;
}

/**
 * The people of a CSV text, or of cells copied from a spreadsheet. `known`: addresses in the list, in lower case; `usual`: the role of
 * lines that name none. Empty lines are left out. Null where a quotation mark is not closed.
 */
export function readPeople(
  text: string,
  { known, usual }: { readonly known: ReadonlySet<string>; readonly usual: Role },
) {
  const records = csvRecords(text);
  if (records === null) return null;
  const filled = records.map(({ row, cells }) => ({ line: row, cells: cells.map((cell) => cell.trim()) }));
  const { places, hasHeading } = placesOf(filled[0]?.cells ?? []);
  const seen = new Set<string>();
  return filled.slice(hasHeading ? 1 : 0).map(({ line, cells }): PersonLine => {
    const of = (field: Field) => cells[places[field]] ?? '';
    const [email, name, roleText] = [of('email'), of('name'), of('role')];
    const role = roleOf(roleText, usual);
    const key = email.toLowerCase();
    const wrong = problemOf({ email, name, role });
    const problem = wrong ?? (seen.has(key) ? 'twice' : known.has(key) ? 'member' : null);
    if (wrong === null) seen.add(key);
    return { line, email, name, role, roleText, problem };
  });
}
