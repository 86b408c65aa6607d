import { ConfigError, type LoadedConfig, loadFromProcess } from '../config/index.ts';
import { StudioError } from '../kernel/errors.ts';
import { type CommandLine, parseCommandLine, extractFlags, UsageError } from './args.ts';
import type { Command } from './command.ts';
import { helpText } from './help.ts';
import type { Output } from './output.ts';

/** Loaded when asked for, so that a command costs only what it needs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve/index.ts')).serve,
  doctor: async () => (await import('./doctor/index.ts')).doctor,
  migrate: async () => (await import('./migrate.ts')).migrate,
  key: async () => (await import('./key.ts')).key,
  user: async () => (await import('./user.ts')).user,
  models: async () => (await import('./models.ts')).models,
  engines: async () => (await import('./engines.ts')).engines,
  speech: async () => (await import('./speech.ts')).speech,
  reindex: async () => (await import('./reindex.ts')).reindex,
  search: async () => (await import('./search.ts')).search,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./backup.ts')).restore,
  config: async () => (await import('./config.ts')).config,
  version: async () => (await import('./version.ts')).version,
};

/** Reads the configuration that a command line names: with the environment and the folder of this process, unless a test gives others. */
type LoadConfig = (named: { readonly file: string | undefined; readonly flags: CommandLine['flags'] }) => LoadedConfig;

/** Runs a command line and resolves with the exit code. Failures are reported on `out`. */
export async function run(
  args: readonly string[],
  out: Output,
  loadNamed: LoadConfig = loadFromProcess,
): Promise<number> {
  const whole = parseCommandLine(args);
  const { own, rest } = extractFlags(whole, ['help', 'version', 'config']);
  const [name = own.version ? 'version' : 'serve', ...positionals] = whole.positionals;
  if (own.help || name === 'help') {
    out.print(helpText(name === 'help' ? positionals[0] : whole.positionals[0]));
    return 0;
  }
  const load = async () => commands[name]?.();
  try {
    const command = await load();
    if (!command) throw new UsageError(`There is no command "${name}". "studio help" lists them.`);
    const file = own.config;
    if (file === true) throw new UsageError('--config needs the name of a file.');
    return await command({
      line: { positionals, flags: rest },
      out,
      load: (flags = rest) => loadNamed({ file, flags }),
    });
  } catch (error) {
    out.note(explainFailure(error));
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}

/** Text of a failure: its message where the failure is expected, the stack where it is a bug. */
function explainFailure(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof StudioError) return error.message;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return `${message}. "npm run studio -- doctor" tells more.`;
  return stack ?? String(error);
}
