import type { link as korean } from '../ko/link.ts';
import type { Translated } from '../translated.ts';

export const link: Translated<typeof korean> = {
  title: 'One-time link',
  no_token: 'The link is not complete. Open it as you received it.',
  invite_title: 'You are invited to {{tenant}}',
  invite_hint: 'Choose a name and a password, and begin.',
  reset_title: 'Choose a new password',
  reset_hint: 'Your other devices will be signed out.',
  email: 'Email',
  name: 'Your name',
  password: 'New password',
  password_hint: 'Ten characters or more. Longer is safer.',
  show_password: 'Show password',
  join: 'Join',
  set_password: 'Save password',
  accept: 'Accept invitation',
  accept_hint: 'You join {{tenant}} as {{email}}.',
  sign_in: 'Sign in',
  sign_in_first: 'Sign in as {{email}} first, then accept.',
};
