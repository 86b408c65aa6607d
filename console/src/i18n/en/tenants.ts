import type { tenants as korean } from '../ko/tenants.ts';
import type { Translated } from '../translated.ts';

export const tenants: Translated<typeof korean> = {
  title: 'Tenants',
  description: 'Organisations that share this service. People, API keys, chats and logs of each are kept apart.',
  new: 'New tenant',
  name: 'Name',
  name_hint: 'Such as the name of an organisation or a department.',
  first_administrator: 'First administrator',
  first_administrator_hint: 'You get an invitation link to hand over to this person.',
  admin_name: 'Name of the administrator',
  email: 'Email of the administrator',
  created: 'The tenant is made',
  link_hint:
    'Give this link to the first administrator. Whoever opens it becomes administrator of “{{tenant}}”. It works once and is not shown again.',
  here: 'You are here',
  users: 'People',
  keys: 'API keys',
  made_at: 'Created',
  actions: 'Actions',
  enter: 'Enter',
  enter_one: 'Enter {{name}}',
  enter_hint:
    'You move to “{{name}}”. Where you are no member you may do what a platform operator may, no more, and the audit log of the tenant tells that you came.',
  entered: 'You are in “{{name}}” now',
  rename: 'Rename tenant',
  rename_one: 'Rename {{name}}',
  renamed: 'The tenant is renamed',
};
