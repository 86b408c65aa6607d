import { readFile } from 'node:fs/promises';
import { Secret, TOTP } from 'otpauth';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRunningPostgres } from '../../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../../src/adapters/postgres/index.ts';
import type { Database } from '../../../src/ports/database.ts';
import { type Person, type TestBrowser, openBrowser, seriousFaults } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { silent } from '../../support/postgres.ts';
import { administratorEnv } from '../../support/administrator-env.ts';
import { type Service, startService } from '../../support/service.ts';
import { visit } from './moves.ts';
import { administrator, callConsole, signIn } from './studio.ts';

// What a person does with their own account, and an operator with tenants, by the pages alone.

let service: Service;
let browser: TestBrowser;
let db: Database;
let person: Person;
let { email, password } = administrator;

beforeAll(async () => {
  service = await startService({ env: administratorEnv });
  const connection = findRunningPostgres(service.dataFolder);
  if (connection === null) throw new Error('The database of the service does not run');
  db = await openDatabase({ connection, log: silent, poolSize: 1 });
  // Browsers take passkeys of a name, not of a number, without https.
  browser = await openBrowser(`http://localhost:${service.port}`);
  person = await browser.person();
  await signIn(person, administrator.email, password);
  await visit(person.page, '/console/profile');
});
afterAll(async () => {
  await browser?.close();
  await db?.close();
  await service?.close();
});

const button = (name: string, within: Locator | Person['page'] = person.page) =>
  within.getByRole('button', { name, exact: true });
const dialog = (name: string) => person.page.getByRole('dialog', { name, exact: true });
/** As if the person had signed in an hour ago. */
const ageProofs = () =>
  db.query
    .updateTable('sessions')
    .set({ authenticated_at: new Date(Date.now() - 3_600_000) })
    .execute();
/** As if they had just done so. */
const renewProofs = () => db.query.updateTable('sessions').set({ authenticated_at: new Date() }).execute();
/** A browser that calls the service without showing the console: what stands in it takes next to nothing. */
async function caller(options: Parameters<TestBrowser['person']>[0] = {}): Promise<Person> {
  const other = await browser.person(options);
  await other.page.goto('/console/favicon.svg');
  return other;
}
const logIn = async (other: Person) =>
  expect((await callConsole(other, 'POST', '/login', { email, password })).status).toBe(200);
const isSignedIn = async (other: Person) => (await callConsole(other, 'GET', '/me')).status === 200;
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

async function prove(typed: string): Promise<void> {
  const asked = dialog('Confirm your password');
  await asked.getByLabel('Password', { exact: true }).fill(typed);
  await button('Confirm', asked).click();
}

/** Sets an app up by its dialog, which is open. Returns the recovery codes. */
async function setUpApp(): Promise<string[]> {
  const { page } = person;
  const secret = (await page.getByTestId('totp-secret').textContent()) ?? '';
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret.replaceAll(' ', '')));
  await button('Confirm', dialog('Set up an app')).click();
  await dialog('Recovery codes').waitFor();
  return page.getByRole('list', { name: 'List of recovery codes' }).getByRole('listitem').allTextContents();
}

test('name, language and theme are kept, and found in another browser', async () => {
  const { page } = person;
  await page.getByLabel('Name', { exact: true }).fill('Hana Kim');
  await button('Save').click();
  await page.getByText('Saved').waitFor();
  await page.getByRole('radio', { name: '한국어' }).click();
  await page.getByRole('heading', { name: '내 정보' }).waitFor();
  // The profile has not heard of it yet when the page is loaded again.
  const asked = page.waitForRequest((request) => request.method() === 'PATCH');
  await page.route('**/console/api/me', (route) =>
    route.request().method() === 'PATCH' ? undefined : route.continue(),
  );
  await page.getByRole('radio', { name: 'English' }).click();
  await asked;
  await page.unroute('**/console/api/me');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Hana Kim');
  await page.getByRole('radio', { name: 'Dark' }).click();
  const user = { name: 'Hana Kim', language: 'en', theme: 'dark' };
  await eventually(async () => expect((await callConsole(person, 'GET', '/me')).body).toMatchObject({ user }));
  const elsewhere = await browser.person({ locale: 'ko-KR', colorScheme: 'light' });
  await signIn(elsewhere, administrator.email, password);
  await elsewhere.page.getByRole('heading', { name: 'Overview' }).waitFor();
  await elsewhere.page.locator('html[lang=en][data-mantine-color-scheme=dark]').waitFor();
  // When the session ends while a page is open, the sign-in says so.
  await callConsole(elsewhere, 'POST', '/logout', {});
  // The page may have asked something by itself, and shows the sign-in already.
  const leave = elsewhere.page.getByRole('link', { name: 'API key management' }).click();
  leave.catch(() => undefined);
  await elsewhere.page
    .getByRole('alert')
    .filter({ hasText: 'Your session has ended. Please sign in again.' })
    .waitFor();
  await elsewhere.close();
});

test('an authenticator app: after the password once more, with codes that are shown once', async () => {
  const { page } = person;
  await ageProofs();
  await button('Set up an app').click();
  await prove('something else');
  await page.getByText('The password is wrong.').waitFor();
  await prove(password);
  await dialog('Set up an app').waitFor();
  await expect
    .poll(() => page.getByAltText('QR code for the authenticator app').getAttribute('src'))
    .toMatch(/^data:image\/svg/);
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await button('Confirm', dialog('Set up an app')).click();
  await page.getByText(/^The code is wrong/).waitFor();
  const codes = await setUpApp();
  expect(codes).toHaveLength(10);
  expect(await seriousFaults(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await button('Save as a file').click();
  const saved = await readFile(await (await download).path(), 'utf8');
  expect(codes.filter((code) => !saved.includes(code))).toEqual([]);
  await button('I have kept them').click();
  await button('Turn off the app').waitFor();
  expect(await page.content()).not.toContain(codes[0]);
});

test('who does not give the password gets nothing; who gives it gets new codes', async () => {
  await ageProofs();
  await button('New recovery codes').click();
  await button('Make new codes').click();
  await button('Cancel', dialog('Confirm your password')).click();
  await dialog('New recovery codes').getByRole('alert').waitFor();
  await button('Make new codes').click();
  await prove(password);
  await button('I have kept them').click();
  await button('Turn off the app').click();
  await button('Turn off the app', dialog('Turn off the app')).click();
  await button('Set up an app').waitFor();
});

test('a passkey is added, renamed, signs in and is deleted', async () => {
  const { page } = person;
  const device = await person.context.newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const list = page.getByRole('list', { name: 'Passkeys' });
  await ageProofs();
  await button('Add a passkey').click();
  await dialog('Add a passkey').getByRole('textbox').fill('My laptop');
  await button('Next').click();
  await prove(password);
  await list.getByText('My laptop').waitFor();
  await button('Add a passkey').click();
  await button('Next').click();
  await page.getByText('This device has a passkey of yours already.').waitFor();
  await button('Cancel').click();
  await button('Rename My laptop').click();
  await dialog('Rename passkey').getByRole('textbox').fill('노트북');
  await button('Save', dialog('Rename passkey')).click();
  await list.getByText('노트북').waitFor();
  await callConsole(person, 'POST', '/logout', {});
  await page.goto('/console/login');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await visit(page, '/console/profile');
  await button('Delete 노트북').click();
  await button('Delete passkey', dialog('Delete passkey')).click();
  await page.getByText('You have no passkeys yet.').waitFor();
});

test('other devices are signed out, one, all, and by another password', async () => {
  const { page } = person;
  const phone = await caller({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Safari/604.1',
  });
  const other = await caller();
  for (const one of [phone, other]) await logIn(one);
  await page.reload();
  await page.getByRole('button', { name: /^Sign out iPhone/ }).click();
  await button('Sign out', dialog('Sign out a device')).click();
  await page.getByText('The device is signed out').waitFor();
  expect([await isSignedIn(phone), await isSignedIn(other)]).toEqual([false, true]);
  await logIn(phone);
  await button('Sign out all other devices').click();
  await button('Sign out', dialog('Sign out all other devices')).click();
  await page.getByText('All other devices are signed out').waitFor();
  expect([await isSignedIn(phone), await isSignedIn(other)]).toEqual([false, false]);
  await logIn(other);
  const change = async (current: string, next: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password').fill(next);
    await button('Change password').click();
  };
  await change('not this one', 'another long phrase');
  await page.getByText('The password is wrong.').waitFor();
  await change(password, 'passwordpassword');
  await page.getByText(/less common password/).waitFor();
  await change(password, 'another long phrase');
  await page.getByText(/^The password is changed/).waitFor();
  password = 'another long phrase';
  expect(await isSignedIn(other)).toBe(false);
  for (const one of [phone, other]) await one.close();
});

test('another email takes the password, by the keyboard alone', async () => {
  const { page } = person;
  const open = async () => {
    await button('Change email').focus();
    await page.keyboard.press('Enter');
    await dialog('Change email').waitFor();
  };
  const type = async (address: string, proof: string) => {
    await dialog('Change email').getByLabel('New email').fill(address);
    await dialog('Change email').getByLabel('Current password').fill(proof);
    await page.keyboard.press('Enter');
  };
  await open();
  await type('chief@example.org', 'not this one');
  await dialog('Change email').getByText('The password is wrong.').waitFor();
  await type('chief', password);
  await dialog('Change email').getByText('Please enter a valid email.').waitFor();
  expect(await seriousFaults(page)).toEqual([]);
  await type('chief@example.org', password);
  await page.getByText(/^The email is changed/).waitFor();
  await dialog('Change email').waitFor({ state: 'detached' });
  email = 'chief@example.org';
  await eventually(async () => expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(email));
  const other = await caller();
  await logIn(other);
  await other.close();
});

test('an administrator gives somebody another email', async () => {
  const { page } = person;
  const made = await callConsole(person, 'POST', '/users', { email: 'old@example.org', name: 'Nari', role: 'user' });
  const { link } = made.body as { link: { url: string } };
  const nari = await caller();
  const token = link.url.split('#')[1];
  const joined = await callConsole(nari, 'POST', '/links/use', { token, password: 'a long enough phrase' });
  expect(joined.status).toBe(200);
  await visit(page, '/console/users');
  const change = async (address: string) => {
    await button('Nari: more').click();
    await page.getByRole('menuitem', { name: 'Change email' }).click();
    await dialog('Change email').getByLabel('Email').fill(address);
    await button('Save', dialog('Change email')).click();
  };
  await change(email);
  await dialog('Change email').getByText('This email is in use already.').waitFor();
  await dialog('Change email').getByLabel('Email').fill('nari@example.org');
  await button('Save', dialog('Change email')).click();
  await page.getByRole('row').filter({ hasText: 'nari@example.org' }).waitFor();
  expect((await callConsole(nari, 'GET', '/me')).status).toBe(401);
  await nari.close();
  await visit(page, '/console/profile');
});

test('where the tenant asks for a second factor, the profile says so and all else waits', async () => {
  const { page } = person;
  await renewProofs();
  expect((await callConsole(person, 'PATCH', '/settings', { require_second_factor: true })).status).toBe(200);
  await page.goto('/console/keys');
  await page.getByText('Please set up a second factor').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/profile');
  await button('Set up the app').click();
  await setUpApp();
  await button('I have kept them').click();
  await page.getByText('Please set up a second factor').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'API key management' }).click();
  await page.getByRole('heading', { name: 'API key management' }).waitFor();
});

test('an operator makes a tenant, names it anew, goes there and comes back', async () => {
  const { page } = person;
  await page.getByRole('link', { name: 'Tenants' }).click();
  await button('New tenant').click();
  await page.getByLabel('Name', { exact: true }).fill('<b>한빛</b>');
  await page.getByLabel('Name of the administrator').fill('이수진');
  await page.getByLabel('Email of the administrator').fill('sujin@example.org');
  await button('Create').click();
  const link = (await page.getByTestId('one-time-link').textContent())?.trim() ?? '';
  expect(link).toMatch(/\/console\/link#./);
  await button('I have handed it over').click();
  await button('Rename <b>한빛</b>').click();
  await dialog('Rename tenant').getByRole('textbox').fill('한빛 연구소');
  await button('Save', dialog('Rename tenant')).click();
  await button('Enter 한빛 연구소').click();
  await button('Enter', dialog('Enter 한빛 연구소')).click();
  // Nothing of the first tenant is left, and what only its people may do is gone.
  await page.getByRole('link', { name: 'API key management' }).waitFor({ state: 'detached' });
  expect(await page.getByRole('navigation', { name: 'Main menu' }).textContent()).not.toContain('Users');
  expect((await callConsole(person, 'GET', '/me')).body).toMatchObject({ tenant: { name: '한빛 연구소' }, role: null });
  await page.getByRole('row').filter({ hasText: '한빛 연구소' }).getByText('You are here').waitFor();
  await page.getByRole('button', { name: 'Enter Default' }).click();
  await button('Enter', dialog('Enter Default')).click();
  await page.getByRole('link', { name: 'API key management' }).waitFor();
});

test('no request left the host', () => expect(person.foreign).toEqual([]));
