import { StudioError } from '../../kernel/errors.ts';

/** Of ten characters and more, what people choose most often. Written without their usual endings; see {@link withoutSuffix}. */
const common = new Set([
  'password', 'passwort', 'passw0rd', 'p@ssw0rd', 'p@ssword', 'passwordpassword', 'mypassword', 'qwerty', 'qwertyuiop',
  'qwertyuiopasdfghjkl', 'qwertyqwerty', 'asdfghjkl', 'asdfasdfasdf', 'zxcvbnm', 'zxcvbnmasdfghjkl', 'qazwsxedc',
  'qazwsxedcrfv', '1qaz2wsx3edc', '1q2w3e4r5t', '1q2w3e4r5t6y', 'q1w2e3r4t5', 'q1w2e3r4t5y6', 'abcdefghij', 'abcdefghijk',
  'abcdefgh', 'iloveyou', 'iloveyouforever', 'administrator', 'admin', 'letmein', 'letmeinplease', 'welcome', 'welcometo',
  'changeme', 'changemeplease', 'trustno', 'sunshine', 'princess', 'football', 'baseball', 'superman', 'monkey', 'dragon',
  'qwer1234', 'asdf1234', 'abcd1234', 'a1b2c3d4e5', 'a123456789', 'aa12345678', 'q1w2e3r4', 'studio', 'aistudio',
  'secretsecret', 'testtesttest', 'testpassword', 'computer', 'internet', 'samsung', 'google', 'whatever', 'starwars',
  'dkssudgktpdy', 'dkssud', 'tkfkdgo', 'tkfkdgody', 'qlalfqjsgh', 'rkskekfk', 'alsrud', 'wpvnawpvna',
  '비밀번호', '사랑해요', '안녕하세요', '대한민국',
]); // prettier-ignore

const digits = '01234567890123456789';

/** Removes the digits and marks that people append to a word. */
const withoutSuffix = (text: string) => text.replace(/[\d!@#$%^&*()_.\-+=?~]+$/u, '');

/**
 * Refuses passwords that are guessed first: common ones, repetitions and counting, and such that hold the person's own
 * name or address. Source: NIST SP 800-63B 5.1.1.2. Throws StudioError `invalid_request`, reason `password_weak`.
 */
export function requireStrongPassword(
  password: string,
  person: { readonly email: string; readonly name: string },
): void {
  const text = password.normalize('NFKC').toLowerCase();
  const joined = text.replace(/\s+/g, '');
  const [local = ''] = person.email.toLowerCase().split('@');
  const own = [person.email, local, person.name]
    .map((part) => part.normalize('NFKC').toLowerCase().replace(/\s+/g, ''))
    .filter((part) => Array.from(part).length >= 4);
  const weak =
    common.has(joined) ||
    common.has(withoutSuffix(joined)) ||
    new Set(joined).size < 4 ||
    digits.includes(joined) ||
    Array.from(digits).toReversed().join('').includes(joined) ||
    isRepeated(joined) ||
    own.some((part) => joined.includes(part));
  if (!weak) return;
  throw new StudioError('invalid_request', 'The password is too easy to guess', {
    param: 'password',
    reason: 'password_weak',
  });
}

/** Whether the text is one short piece again and again, such as `abcabcabcabc`. */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= Math.min(4, text.length / 2); length++)
    if (
      text ===
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .slice(0, text.length)
    )
      return true;
  return false;
}
