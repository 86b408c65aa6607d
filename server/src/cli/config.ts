import { stringify } from 'yaml';
import { configJsonSchema, describeProblem, redact } from '../config/index.ts';
import { extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';

export const config: Command = async ({ line, out, load }) => {
  const [action] = line.positionals;
  if (action === 'schema') {
    out.print(JSON.stringify(configJsonSchema(), null, 2));
    return 0;
  }
  if (action !== 'print') throw new UsageError('Use "studio config print" or "studio config schema".');
  const { own, rest } = extractFlags(line, ['json']);
  const loaded = load(rest);
  for (const warning of loaded.warnings) out.note(`! ${describeProblem(warning)}`);
  const shown = redact(loaded.config);
  if (own.json) out.print(JSON.stringify(shown, null, 2));
  else {
    out.print(`# ${loaded.file ?? 'no file; defaults, environment and flags'}`);
    out.print(stringify(shown).trimEnd());
  }
  return 0;
};
