import { z } from 'zod';
import { Config } from './schema.ts';

/** The JSON schema of the configuration file, for editors that check and complete YAML. */
export function configJsonSchema(): object {
  const schema = z.toJSONSchema(Config, {
    io: 'input',
    override: ({ jsonSchema }) => void delete jsonSchema['secret'],
  });
  return { ...schema, title: 'AI Studio configuration' };
}
