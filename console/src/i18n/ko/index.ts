import common from './common.json' with { type: 'json' };
import shell from './shell.json' with { type: 'json' };
import parts from './parts.json' with { type: 'json' };
import errors from './errors.json' with { type: 'json' };
import fields from './fields.json' with { type: 'json' };
import overview from './overview.json' with { type: 'json' };
import parser from './parser.json' with { type: 'json' };
import speech from './speech.json' with { type: 'json' };
import playground from './playground.json' with { type: 'json' };
import agents from './agents.json' with { type: 'json' };
import reviews from './reviews.json' with { type: 'json' };
import tools from './tools.json' with { type: 'json' };
import talk from './talk.json' with { type: 'json' };
import chat from './chat.json' with { type: 'json' };
import prompts from './prompts.json' with { type: 'json' };
import collections from './collections.json' with { type: 'json' };
import models from './models.json' with { type: 'json' };
import batches from './batches.json' with { type: 'json' };
import keys from './keys.json' with { type: 'json' };
import users from './users.json' with { type: 'json' };
import usage from './usage.json' with { type: 'json' };
import privacy from './privacy.json' with { type: 'json' };
import audit from './audit.json' with { type: 'json' };
import settings from './settings.json' with { type: 'json' };
import network from './network.json' with { type: 'json' };
import profile from './profile.json' with { type: 'json' };
import tenants from './tenants.json' with { type: 'json' };
import login from './login.json' with { type: 'json' };
import setup from './setup.json' with { type: 'json' };
import link from './link.json' with { type: 'json' };

export const ko = {
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
  prompts,
  collections,
  models,
  batches,
  keys,
  users,
  usage,
  privacy,
  audit,
  settings,
  network,
  profile,
  tenants,
  login,
  setup,
  link,
};
