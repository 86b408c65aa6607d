/** A parsed command line. */
export interface CommandLine {
  /** Positional arguments, in order: the command and its operands. */
  readonly positionals: readonly string[];
  /** `--name=value` and `--name value`; true where no value follows. */
  readonly flags: readonly (readonly [name: string, value: string | true])[];
}

/** Options that never take a value of their own. */
const SWITCHES = [
  'help',
  'version',
  'json',
  'secrets',
  'force',
  'reset',
  'unverified',
  'password-stdin',
  'with-key',
  'agent-models',
];

/** Parses a command line. `--` ends the options; `-h` and `-v` are short for `--help` and `--version`. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const positionals: string[] = [];
  const flags: [string, string | true][] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') {
      positionals.push(...args.slice(i + 1));
      break;
    }
    if (arg === '-h') flags.push(['help', true]);
    else if (arg === '-v') flags.push(['version', true]);
    else if (!arg.startsWith('--')) positionals.push(arg);
    else {
      const name = arg.slice(2);
      const equals = name.indexOf('=');
      const following = args[i + 1];
      if (equals >= 0) flags.push([name.slice(0, equals), name.slice(equals + 1)]);
      else if (following !== undefined && !following.startsWith('-') && !SWITCHES.includes(name)) {
        flags.push([name, following]);
        i++;
      } else flags.push([name, true]);
    }
  }
  return { positionals, flags };
}

/** A wrong command line. The message says what is wrong and what would be right. */
export class UsageError extends Error {}

/** Separates the flags of a command itself from those that are settings. */
export function extractFlags<Name extends string>(
  line: CommandLine,
  names: readonly Name[],
): { readonly own: Readonly<Partial<Record<Name, string | true>>>; readonly rest: CommandLine['flags'] } {
  const own: Partial<Record<Name, string | true>> = {};
  const rest: [string, string | true][] = [];
  for (const [name, value] of line.flags) {
    const known = names.find((candidate) => candidate === name);
    if (known) own[known] = value;
    else rest.push([name, value]);
  }
  return { own, rest };
}
