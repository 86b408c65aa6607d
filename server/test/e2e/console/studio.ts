import { type Person, type TestBrowser, openBrowser } from '../../support/browser.ts';
import type { Me } from '@ai-studio/contract/console/session.ts';
import type { Role } from '@ai-studio/contract/console/roles.ts';
import { ensureDefaultTenant } from '../../../src/identity/index.ts';
import { openSessionOf } from '../../support/administrator.ts';
import { administrator, administratorEnv } from '../../support/administrator-env.ts';
import { addPerson } from '../../support/people.ts';
import { withDatabaseOf } from '../../support/running-database.ts';
import { type Service, type ServiceOptions, startService } from '../../support/service.ts';

/** What a person chooses in the menu of the account. */
interface Chosen {
  readonly language: 'ko' | 'en';
  readonly theme: 'light' | 'dark' | 'system';
}

/** A service with an administrator, and a browser to look at it. */
export interface Studio {
  readonly service: Service;
  readonly browser: TestBrowser;
  /**
   * Somebody with an account, signed in without a password; `chosen` is what they have chosen in the menu of the account before. They
   * open `start`, /console/ without it: a file names the page that it wants, as each load of the console takes as long as ten moves within it.
   */
  signedIn(
    email: string,
    options?: Parameters<TestBrowser['person']>[0],
    chosen?: Chosen,
    start?: string,
  ): Promise<Person>;
  close(): Promise<void>;
}

export { administrator };

/** Calls the console's own interface as a page of the same host would; `person` brings the cookie. */
export async function callConsole(
  person: Person,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown }> {
  const response = await person.context.request.fetch(`/console/api${path}`, {
    method,
    headers: { Origin: new URL(person.page.url()).origin, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { data: JSON.stringify(body) }),
  });
  return answerOf({ status: response.status(), text: () => response.text() });
}

async function answerOf(answer: { readonly status: number; text(): Promise<string> }) {
  const { status } = answer;
  const text = await answer.text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Not every answer is JSON.
  }
  return { status, body };
}

/** Calls the console's own interface as {@link callConsole} does. */
export type ConsoleCaller = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;

/** Signs somebody with an account in who calls, and opens no browser. */
export async function callerOf({ service }: Studio, email: string): Promise<ConsoleCaller> {
  const Cookie = `studio_session=${await openSessionOf(service, email)}`;
  const headers = { Cookie, Origin: service.base, 'Content-Type': 'application/json' };
  return async (method, path, body) => {
    const given = body === undefined ? {} : { body: JSON.stringify(body) };
    return answerOf(await fetch(`${service.base}/console/api${path}`, { method, headers, ...given }));
  };
}

/** Has somebody who has signed in by hand read the notice of AI, which stands before the chat until then. */
async function readNotice(person: Person): Promise<void> {
  const { body } = await callConsole(person, 'GET', '/me');
  const version = (body as Partial<Me>).ai?.notice?.version;
  if (version === undefined) return;
  await callConsole(person, 'POST', '/me/ai-notice', { version });
  // The page asks who is there as it does when somebody comes back to its window, which takes a hundredth of a load.
  const asked = person.page.waitForResponse(
    (response) => response.url().endsWith('/console/api/me') && response.request().method() === 'GET',
  );
  await person.page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
  await (await asked).finished();
}

/** Fills in the sign-in and waits for the first page. */
export async function signIn(person: Person, email: string, password: string): Promise<void> {
  const { page } = person;
  await page.goto('/console/login');
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => !url.pathname.endsWith('/login'));
  await page.locator('#main').waitFor();
  await readNotice(person);
}

/** Starts the service as its operator would, with the first administrator given, and a browser. */
export async function startStudio(options: ServiceOptions = {}): Promise<Studio> {
  const service = await startService({
    ...options,
    env: { ...administratorEnv, ...options.env },
  });
  const browser = await openBrowser(service.base);
  return {
    service,
    browser,
    async signedIn(email, context, chosen, start = '/console/') {
      const person = await browser.person(context);
      const value = await openSessionOf(service, email);
      await person.context.addCookies([
        {
          name: 'studio_session',
          value,
          domain: '127.0.0.1',
          path: '/console/api',
          httpOnly: true,
          sameSite: 'Strict',
        },
      ]);
      if (chosen !== undefined) {
        const data = JSON.stringify(chosen);
        const headers = { Origin: service.base, 'Content-Type': 'application/json' };
        const stored = await person.context.request.patch('/console/api/me', { headers, data });
        if (!stored.ok()) throw new Error(`${stored.status()} ${await stored.text()}`);
      }
      await person.page.goto(start);
      await person.page.locator('#main').waitFor();
      return person;
    },
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/** A person of the first tenant who has joined; no browser is opened for them. */
export const addAccount = ({ service }: Studio, { email, name, role }: NewPerson): Promise<unknown> =>
  withDatabaseOf(service, async (db) =>
    addPerson(db, { tenantId: await ensureDefaultTenant({ db }), role, email, name }),
  );

/** A person of the first tenant who has joined, signed in; `start` is the page that they open, /console/ without it. */
export async function addColleague(studio: Studio, person: NewPerson, start?: string): Promise<Person> {
  await addAccount(studio, person);
  return studio.signedIn(person.email, {}, undefined, start);
}

/** Invites a person as the administrator and lets them choose a password by the link. */
export async function invite(studio: Studio, admin: Person, { email, name, role }: NewPerson): Promise<Person> {
  const { status, body } = await callConsole(admin, 'POST', '/users', { email, name, role });
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  const { link } = body as { link: { url: string } };
  const person = await studio.browser.person();
  await person.page.goto(link.url);
  await person.page.locator('input[name=name]').fill(name);
  await person.page.locator('input[name=password]').fill(administrator.password);
  await person.page.locator('button[type=submit]').click();
  await person.page.locator('#main').waitFor();
  await readNotice(person);
  return person;
}
