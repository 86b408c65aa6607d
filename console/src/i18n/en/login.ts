import type { login as korean } from '../ko/login.ts';
import type { Translated } from '../translated.ts';

export const login: Translated<typeof korean> = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  show_password: 'Show password',
  sign_in: 'Sign in',
  code_title: 'Second factor',
  code: 'Code',
  code_hint: 'Six digits of your authenticator app, or a recovery code.',
  other_account: 'Sign in with another account',
  or: 'or',
  with_passkey: 'Sign in with a passkey',
  with_sso: 'Sign in with {{name}}',
  forgotten: 'Forgot your password? Ask an administrator for a link to set a new one.',
  setup_needed: 'There is no administrator yet. Open the set-up link that the service printed when it started.',
  self_hosted: 'Runs on this server alone and sends nothing elsewhere.',
};
