import type { setup as korean } from '../ko/setup.ts';
import type { Translated } from '../translated.ts';

export const setup: Translated<typeof korean> = {
  title: 'Set-up',
  description: 'The first administrator. This takes a minute.',
  organisation: 'Organisation',
  organisation_hint: 'The name of your company or institution. It can be changed later.',
  name: 'Your name',
  email: 'Email',
  password: 'Password',
  password_hint: 'Ten characters or more. Longer is safer.',
  show_password: 'Show password',
  begin: 'Begin',
  no_token: 'The set-up link is not complete. Open it as the service printed it when it started.',
};
