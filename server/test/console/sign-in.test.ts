import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSetupLink } from '../../src/identity/index.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
let house: ConsoleHouse;
beforeAll(async () => void (house = await openConsoleHouse()));
afterAll(() => house.close());

test('the first administrator is made with the set-up link, once, and signs in', async () => {
  const browser = house.browser();
  expect((await browser.get('/welcome')).json()).toMatchObject({ setup_needed: true });
  const link = await createSetupLink(house);
  const body = {
    token: link?.token ?? '',
    organisation: '한빛 연구소',
    name: 'Mina Kim',
    email: 'Mina@Example.kr',
    password: 'a long enough phrase',
  };
  expectRefused(await browser.post('/setup', { ...body, token: 'wrong' }), 404, 'link_invalid');
  expectRefused(await browser.post('/setup', { ...body, password: 'mina@example.kr' }), 400, 'password_weak');
  const all = await Promise.all(Array.from({ length: 5 }, () => house.browser().post('/setup', body)));
  expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
  expectRefused(await browser.post('/setup', body), 409, 'setup_done');
  expect((await browser.get('/welcome')).json()).toMatchObject({ setup_needed: false });

  const wrong = await browser.post('/login', { email: body.email, password: 'something else' });
  expectRefused(wrong, 401, 'wrong_credentials');
  const right = await browser.post('/login', { email: ' mina@example.KR', password: body.password });
  expect(right.json()).toEqual({ state: 'signed_in' });
  expect((await browser.get('/settings')).json()).toMatchObject({ name: '한빛 연구소' });
  expect((await browser.post('/logout')).status).toBe(204);
  expectRefused(await browser.get('/settings'), 401, 'signed_out');
});
