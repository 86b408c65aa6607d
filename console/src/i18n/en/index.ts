import type { ko } from '../ko/index.ts';
import type { Translated } from '../translated.ts';
import titles from './titles.json' with { type: 'json' };
import common from './common.json' with { type: 'json' };
import shell from './shell.json' with { type: 'json' };
import parts from './parts.json' with { type: 'json' };
import errors from './errors.json' with { type: 'json' };
import fields from './fields.json' with { type: 'json' };
import tools from './tools.json' with { type: 'json' };
import talk from './talk.json' with { type: 'json' };
import prompts from './prompts.json' with { type: 'json' };
import collections from './collections.json' with { type: 'json' };
import models from './models.json' with { type: 'json' };
import batches from './batches.json' with { type: 'json' };
import keys from './keys.json' with { type: 'json' };
import privacy from './privacy.json' with { type: 'json' };
import audit from './audit.json' with { type: 'json' };
import network from './network.json' with { type: 'json' };
import profile from './profile.json' with { type: 'json' };
import login from './login.json' with { type: 'json' };
import setup from './setup.json' with { type: 'json' };
import link from './link.json' with { type: 'json' };

export const en: Translated<typeof ko> = {
  ...titles,
  common,
  shell,
  parts,
  errors,
  fields,
  tools,
  talk,
  prompts,
  collections,
  models,
  batches,
  keys,
  privacy,
  audit,
  network,
  profile,
  login,
  setup,
  link,
};
