import { common } from './common.ts';
import { shell } from './shell.ts';
import { parts } from './parts.ts';
import { errors } from './errors.ts';
import { fields } from './fields.ts';
import { overview } from './overview.ts';
import { parser } from './parser.ts';
import { speech } from './speech.ts';
import { playground } from './playground.ts';
import { agents } from './agents.ts';
import { reviews } from './reviews.ts';
import { tools } from './tools.ts';
import { talk } from './talk.ts';
import { chat } from './chat.ts';
import { collections } from './collections.ts';
import { models } from './models.ts';
import { keys } from './keys.ts';
import { users } from './users.ts';
import { usage } from './usage.ts';
import { privacy } from './privacy.ts';
import { audit } from './audit.ts';
import { settings } from './settings.ts';
import { profile } from './profile.ts';
import { tenants } from './tenants.ts';
import { login } from './login.ts';
import { setup } from './setup.ts';
import { link } from './link.ts';

export const en = {
  common,
  shell,
  parts,
  errors,
  fields,
  overview,
  parser,
  speech,
  playground,
  agents,
  reviews,
  tools,
  talk,
  chat,
  collections,
  models,
  keys,
  users,
  usage,
  privacy,
  audit,
  settings,
  profile,
  tenants,
  login,
  setup,
  link,
};
