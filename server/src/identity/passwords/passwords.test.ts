import { describe, expect, test } from 'vitest';
import { createPasswords } from './hash.ts';
import { requireStrongPassword } from './weak.ts';

const cheap = { log2n: 4, r: 8, p: 1 };

describe('passwords', () => {
  test('are known again, however their characters are composed, and no two hashes are alike', async () => {
    const passwords = createPasswords({ cost: cheap });
    const [one, two] = [await passwords.hash('비밀스러운 문장 하나'), await passwords.hash('비밀스러운 문장 하나')];
    expect(one).not.toBe(two);
    expect(await passwords.verify('비밀스러운 문장 하나'.normalize('NFD'), one)).toEqual({ ok: true, outdated: false });
    expect(await passwords.verify('비밀스러운 문장 둘', one)).toMatchObject({ ok: false });
    expect(await passwords.verify('anything', null)).toMatchObject({ ok: false });
    expect(await passwords.verify('anything', 'damaged')).toMatchObject({ ok: false });
  });

  test('have the usual cost where none is given', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('a phrase of mine');
    expect(hash).toMatch(/^\$scrypt\$ln=16,r=8,p=2\$/);
    expect(await passwords.verify('a phrase of mine', hash)).toEqual({ ok: true, outdated: false });
  });

  test('hashed with other parameters are known, and told to be outdated', async () => {
    const old = await createPasswords({ cost: { log2n: 3, r: 8, p: 1 } }).hash('a phrase of mine');
    const passwords = createPasswords({ cost: cheap });
    expect(await passwords.verify('a phrase of mine', old)).toEqual({ ok: true, outdated: true });
  });

  test('are refused in words when too many wait, and work again afterwards', async () => {
    const passwords = createPasswords({ cost: cheap });
    const all = await Promise.allSettled(Array.from({ length: 80 }, () => passwords.verify('x', null)));
    const refused = all.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
    expect(refused.length).toBe(80 - 2 - 64);
    expect(refused[0]).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    expect(await passwords.verify('x', null)).toMatchObject({ ok: false });
  });
});

describe('weak passwords', () => {
  const person = { email: 'mina.kim@example.kr', name: 'Mina Kim' };
  test.each([
    'password123',
    'Password2026!',
    'qwertyuiop',
    '1234567890',
    '0987654321',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'ababababab',
    'mina.kim2026',
    'iammina.kim@example.kr',
    'Mina Kim 1234',
    '1q2w3e4r5t',
    'dkssudgktpdy',
  ])('%s is refused', (password) => {
    expect(() => requireStrongPassword(password, person)).toThrow(expect.objectContaining({ reason: 'password_weak' }));
  });
  test.each(['correct horse battery', '하늘과 바람과 별과 시', 'xK9#mQ2$vL', 'Kim likes green tea'])(
    '%s is taken',
    (password) => {
      expect(() => requireStrongPassword(password, person)).not.toThrow();
    },
  );
});
